// Decoding bodies: types, defaults, order, unknown and null fields, kinds.
import { describe, expect, test } from 'vitest';
import { StatusError } from '../statusError.js';
import { doAll } from '../turns.js';
import { decodeObject as decode, decodeBody, type Expected } from './body.js';
import { addQuantities, canonicalQuantity, compareQuantities, subtractQuantity } from './quantity.js';

const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const pod = { apiVersion: 'v1', kind: 'Pod' };

const decodeObject = (expected: Expected, value: unknown) => doAll(decode(expected, value));

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'accepted';
}

describe('a body', () => {
  test('is decoded in the order of the table, without unknown and null fields, and with empty entries', () => {
    const decoded = decodeObject(configMap, {
      data: { b: '1', a: '2', n: null },
      bogus: 1,
      metadata: { labels: null, name: 'x', nonsense: {} },
    });
    expect(JSON.stringify(decoded)).toBe(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"b":"1","a":"2","n":""}}',
    );
  });

  test('has a zero only if the JSON has the field', () => {
    const { spec } = decodeObject(
      { apiVersion: 'v1', kind: 'ReplicationController' },
      {
        spec: {
          replicas: 0,
          minReadySeconds: 0,
          template: {
            spec: {
              hostNetwork: false,
              containers: [{ name: 'c', image: 'i:1', tty: false, livenessProbe: { periodSeconds: 0 } }],
            },
          },
        },
      },
    ) as unknown as { spec: { template: { spec: Record<string, unknown> } } };
    expect(spec).toMatchObject({ replicas: 0 });
    expect(spec).not.toHaveProperty('minReadySeconds');
    expect(spec.template.spec).not.toHaveProperty('hostNetwork');
    const [container] = spec.template.spec.containers as Record<string, unknown>[];
    expect(container).not.toHaveProperty('tty');
    expect(container).toMatchObject({ livenessProbe: { periodSeconds: 10 } });
  });

  test('gets its defaults', () => {
    const decoded = decodeObject(pod, { spec: { containers: [{ image: 'a/b:1', ports: [{ containerPort: 1 }] }] } });
    expect(decoded.spec).toEqual({
      containers: [
        {
          name: '',
          image: 'a/b:1',
          ports: [{ containerPort: 1, protocol: 'TCP' }],
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          imagePullPolicy: 'IfNotPresent',
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
    });
  });

  test.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1', 'IfNotPresent'],
    ['host:5000/nginx', 'Always'],
    ['nginx@sha256:00', 'IfNotPresent'],
  ])('pull policy of %s', (image, policy) => {
    const { spec } = decodeObject(pod, { spec: { containers: [{ image }] } }) as { spec?: unknown };
    expect(spec).toMatchObject({ containers: [{ imagePullPolicy: policy }] });
  });

  test('is the same with empty optional strings, lists and maps', () => {
    const spec = { containers: [], volumes: [], nodeSelector: {}, restartPolicy: '', nodeName: '' };
    expect(decodeObject(pod, { spec }).spec).toEqual({
      containers: [],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
    });
    expect(refusal(() => decodeObject(pod, { spec: '' }))).toContain('spec: expected object, got string');
  });

  test('keeps the key __proto__', () => {
    const { data } = decodeObject(configMap, JSON.parse('{"data":{"__proto__":"x"}}')) as { data?: object };
    expect(JSON.stringify(data)).toBe('{"__proto__":"x"}');
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });

  test.each([
    ['data', 'x', 'data: expected object, got string'],
    ['data', { a: 1 }, 'data.a: expected string, got number'],
    ['metadata', [], 'metadata: expected object, got array'],
    ['metadata', { creationTimestamp: 'now' }, 'metadata.creationTimestamp: parsing time "now"'],
    [
      'metadata',
      { creationTimestamp: '2021-02-29T00:00:00Z' },
      'metadata.creationTimestamp: parsing time "2021-02-29T00:00:00Z"',
    ],
    [
      'metadata',
      { creationTimestamp: '2020-01-01T24:00:00Z' },
      'metadata.creationTimestamp: parsing time "2020-01-01T24:00:00Z"',
    ],
    ['metadata', { finalizers: ['a', 1] }, 'metadata.finalizers[1]: expected string, got number'],
    ['metadata', { ownerReferences: [{ uid: 5 }] }, 'metadata.ownerReferences[0].uid: expected string, got number'],
  ])('%s of %j is refused', (field, value, message) => {
    const refused = refusal(() => decodeObject(configMap, { [field]: value }));
    expect(refused).toContain(`400 ConfigMap in version "v1" cannot be handled as a ConfigMap: ${message}`);
  });

  test.each([
    [{ terminationGracePeriodSeconds: '30' }, 'expected int64, got string'],
    [{ activeDeadlineSeconds: 1.5 }, 'expected int64, got 1.5'],
    [
      { containers: [{ ports: [{ containerPort: 2 ** 31 }] }] },
      'spec.containers[0].ports[0].containerPort: expected int32',
    ],
    [{ containers: [{ resources: { limits: { cpu: 'abc' } } }] }, 'limits.cpu: quantities must match'],
    [{ hostNetwork: 'true' }, 'expected boolean, got string'],
    [{ containers: [{ livenessProbe: { httpGet: { port: true } } }] }, 'httpGet.port: expected int32 or string'],
  ])('pod spec %j is refused', (spec, message) => {
    expect(refusal(() => decodeObject(pod, { spec }))).toContain(message);
  });

  test.each(['not base64!!', 'abc', 'a===', '***'])('Secret data %j is refused', (text) => {
    const refused = refusal(() => decodeObject({ apiVersion: 'v1', kind: 'Secret' }, { data: { k: text } }));
    expect(refused).toContain('data.k: illegal base64 data at input byte');
  });

  test.each([
    ['YR==', 'YQ=='],
    ['AAAAYWJ=', 'AAAAYWI='],
    ['YW\r\nJj', 'YWJj'],
    ['+/==', '+w=='],
  ])('Secret data %j is kept as %j', (text, kept) => {
    expect(decodeObject({ apiVersion: 'v1', kind: 'Secret' }, { data: { k: text } }).data).toEqual({ k: kept });
  });

  test.each([
    [{ apiVersion: 'v1', kind: 'Secret' }, 'Secret in version "v1" cannot be handled as a ConfigMap: converting'],
    [{ apiVersion: 'v1', kind: 'Nope' }, 'no kind "Nope" is registered for version "v1"'],
    [{ apiVersion: 'v2', kind: 'ConfigMap' }, 'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind'],
    [
      { apiVersion: 'a/b/c' },
      'the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion',
    ],
    [{ apiVersion: 1 }, 'apiVersion: expected string, got number'],
    [[], 'the object provided is unrecognized (must be of type ConfigMap)'],
    ['text', 'expected an object, got string'],
    [null, 'accepted'],
    [{ apiVersion: 'v1' }, 'accepted'],
    [{ kind: 'ConfigMap' }, 'accepted'],
  ])('%j as a ConfigMap: %s', (value, message) => {
    expect(refusal(() => decodeObject(configMap, value))).toContain(message);
  });

  test('of a known kind in another version is refused', () => {
    const job = { apiVersion: 'batch/v1', kind: 'Job' };
    expect(refusal(() => decodeObject(job, { ...job, apiVersion: 'extensions/v1beta1' }))).toContain(
      'the API version in the data (extensions/v1beta1) does not match the expected API version (batch/v1)',
    );
  });

  test('that is absent is refused', async () => {
    await expect(decodeBody(configMap, undefined)).rejects.toThrow('the object provided is unrecognized');
  });
});

test('quantities in a list of resources are rounded up to 1/1000', () => {
  const limits = { a: '100u', b: '1.0001', c: '-1n', d: '1.1e-7', e: '0.1Ki', f: '1m' };
  const { spec } = decodeObject({ apiVersion: 'v1', kind: 'ResourceQuota' }, { spec: { hard: limits } });
  expect((spec as { readonly hard: object }).hard).toEqual({
    a: '1m',
    b: '1001m',
    c: '-1m',
    d: '1e-3',
    e: '102400m',
    f: '1m',
  });
});

describe('a quantity', () => {
  test.each([
    ['1000m', '1'],
    ['0.1', '100m'],
    ['1.5Gi', '1536Mi'],
    ['1024Mi', '1Gi'],
    ['1000', '1k'],
    ['100', '100'],
    ['512', '512'],
    ['1e3', '1e3'],
    ['0', '0'],
    ['.5', '500m'],
    ['-1', '-1'],
    ['1Ki', '1Ki'],
    ['0.5Ki', '512'],
    ['1e-7', '100e-9'],
    ['1e-10', '1e-9'],
    ['-1e-10', '-1e-9'],
    ['0.0000000001', '1n'],
    ['1e-50000000', '1e-9'],
    ['-1e-999999999', '-1e-9'],
    ['1.5e-999999999', '1e-9'],
    ['0e-999999999', '0'],
    ['0e999999999', '0'],
    ['9999999Ei', '9223372036854775807'],
    ['-9999999Ei', '-9223372036854775807'],
    ['1e100', '10e99'],
    ['1e999999999', undefined],
    [`1e-${'9'.repeat(30)}`, undefined],
    ['9'.repeat(300), undefined],
    [`1e${'0'.repeat(300)}1`, undefined],
    [`0.${'0'.repeat(300)}1`, undefined],
    ['abc', undefined],
    ['', undefined],
    ['1.2.3', undefined],
  ])('%s is %s', (text, canonical) => expect(canonicalQuantity(text)).toBe(canonical));

  test('has an order and a sum', () => {
    expect(compareQuantities('1Gi', '1G')).toBe(1);
    expect(compareQuantities('1000m', '1')).toBe(0);
    expect(compareQuantities('1m', '1')).toBe(-1);
    expect(addQuantities(['500m', '0.5', '1'])).toBe('2');
    expect(addQuantities(['0', '512Mi'])).toBe('512Mi');
    expect(subtractQuantity('1Gi', '512Mi')).toBe('512Mi');
    expect(subtractQuantity('1', '2')).toBe('0');
  });
});
