// Native kinds, to the letter: exact integers, nulls in maps and lists, what is inside atomic parts, and lists whose items
// share a merge key. `AGAINST` asks a real server (testing/customResources.ts), as kube-apiserver 1.20.2; one without native
// kinds is not asked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../server.js';
import type { AnyShape } from '../testing/anyShape.js';
import { serverWithDefinitions } from './testing/customResources.js';
import { type ExactReply, sendExactly, types } from './testing/exactRequests.js';

const core = '/api/v1/namespaces/default';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const prefix = `exact${Date.now() % 1_000_000}`;

let server: RunningServer;
let hasKinds = true;
let last = 0;

beforeAll(async () => {
  server = await serverWithDefinitions();
  hasKinds = (await sendExactly(server, 'GET', '/api/v1')).status === 200;
});
afterAll(async () => {
  await server.close();
});

function newName(): string {
  last += 1;
  return `${prefix}-${last}`;
}

/** Creates an object from the text of its fields besides its metadata. */
const create = (path: string, fields: string, name = newName(), metadata = ''): Promise<ExactReply> =>
  sendExactly(server, 'POST', path, `{"metadata":{"name":"${name}"${metadata}},${fields}}`);
const pod = (spec: string, container = ''): string =>
  `"spec":{${spec}"containers":[{"name":"c","image":"i"${container}}]}`;
const isMade = ({ status }: ExactReply): boolean => status === 200 || status === 201;
const template = (container: object, more: object = {}): object => ({
  template: {
    metadata: { labels: { a: 'b' } },
    spec: { containers: [{ name: 'c', image: 'i', ...container }], ...more },
  },
});

/** A test of native kinds. */
const test = (what: string, run: () => Promise<void>): void =>
  it(what, (context) => (hasKinds ? run() : context.skip('the server has no native kinds')));

describe('a null', () => {
  const cases: [plural: string, fields: string, part: string, stored: AnyShape][] = [
    ['configmaps', '"data":{"a":null,"b":"c"}', 'data', { a: '', b: 'c' }],
    ['configmaps', '"data":{"a":null}', 'data', { a: '' }],
    ['configmaps', '"binaryData":{"a":null}', 'binaryData', { a: '' }],
    [
      'secrets',
      '"type":"kubernetes.io/tls","data":{"tls.crt":null,"tls.key":null}',
      'data',
      { 'tls.crt': '', 'tls.key': '' },
    ],
    ['secrets', '"stringData":{"a":null},"data":{"b":null}', 'data', { a: '', b: '' }],
    [
      'resourcequotas',
      '"spec":{"hard":{"persistentvolumeclaims":null}}',
      'spec',
      { hard: { persistentvolumeclaims: '0' } },
    ],
    ['pods', pod('"nodeSelector":{"a":null},'), 'spec', { nodeSelector: { a: '' } }],
    ['pods', pod('', ',"args":[null,"a"]'), 'spec', { containers: [{ args: ['', 'a'] }] }],
    [
      'pods',
      pod('', ',"resources":{"limits":{"cpu":null}}'),
      'spec',
      { containers: [{ resources: { limits: { cpu: '0' } } }] },
    ],
    ['services', '"spec":{"selector":{"a":null},"ports":[{"port":80}]}', 'spec', { selector: { a: '' } }],
  ];
  for (const [plural, fields, part, stored] of cases) {
    test(`in a map or list of ${plural} is the empty value: ${fields}`, async () => {
      const created = await create(`${core}/${plural}`, fields);
      expect([created.body.message, isMade(created)]).toEqual([undefined, true]);
      expect(created.body).toMatchObject({ [part]: stored });
    });
  }

  test('in labels and annotations is the empty text', async () => {
    const { body } = await create(
      `${core}/configmaps`,
      '"data":{}',
      newName(),
      ',"labels":{"x":null},"annotations":{"y":null}',
    );
    expect([body.metadata.labels, body.metadata.annotations]).toEqual([{ x: '' }, { y: '' }]);
  });

  test('in a patch removes, but in an added value it is the empty text', async () => {
    const name = newName();
    await create(`${core}/configmaps`, '"data":{"a":"1","b":"2"}', name);
    const path = `${core}/configmaps/${name}`;
    const patched = async (body: string, type: (typeof types)[keyof typeof types]) =>
      (await sendExactly(server, 'PATCH', path, body, type)).body.data;
    expect(await patched('{"data":{"a":null}}', types.merge)).toEqual({ b: '2' });
    expect(await patched('[{"op":"add","path":"/data/a","value":null}]', types.json)).toEqual({ a: '', b: '2' });
    expect(await patched('{"data":{"b":null}}', types.strategic)).toEqual({ a: '' });
  });

  for (const [plural, fields] of [
    ['pods', pod('', ',"env":[null]')],
    ['pods', '"spec":{"containers":[null]}'],
    ['pods', pod('', ',"ports":[{"containerPort":80},null]')],
    ['pods', pod('"volumes":[null],')],
    ['endpoints', '"subsets":[{"addresses":[null],"ports":[null]}]'],
  ] as const) {
    test(`in a list of objects is an object without fields, which is refused in ${plural}: ${fields}`, async () => {
      expect((await create(`${core}/${plural}`, fields)).status).toBe(422);
    });
  }

  test('of an applied map is the empty text', async () => {
    const name = newName();
    const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{"a":null,"b":"c"}}`;
    const path = `${core}/configmaps/${name}?fieldManager=m`;
    expect((await sendExactly(server, 'PATCH', path, body, types.apply)).body.data).toEqual({ a: '', b: 'c' });
  });
});

describe('an apply', () => {
  for (const [fields, why] of [
    ['"tolerations":[{"key":"a","colour":"b"}],', '.spec.tolerations[0].colour: field not declared in schema'],
    ['"tolerations":[{"key":1}],', '.spec.tolerations[0].key: expected string, got &value.valueUnstructured{Value:1}'],
    ['"tolerations":{"a":1},', '.spec.tolerations: expected list, got &{map[a:1]}'],
    ['"nodeSelector":{"a":1},', '.spec.nodeSelector.a: expected string, got &value.valueUnstructured{Value:1}'],
    [
      '"volumes":[{"name":"v","secret":{"items":[{"key":"a","zz":1}]}}],',
      '.spec.volumes[name="v"].secret.items[0].zz: field not declared in schema',
    ],
    [
      '"securityContext":{"sysctls":[{"name":"a","value":"b","zz":1}]},',
      '.spec.securityContext.sysctls[0].zz: field not declared in schema',
    ],
    [
      '"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"zz":1}]}}},',
      '.nodeSelectorTerms[0].zz: field not declared in schema',
    ],
  ] as const) {
    test(`looks into what has one owner: ${fields}`, async () => {
      const name = newName();
      const body = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"${name}"},${pod(fields)}}`;
      const reply = await sendExactly(server, 'PATCH', `${core}/pods/${name}?fieldManager=m`, body, types.apply);
      expect([reply.status, reply.body.message]).toEqual([500, expect.stringContaining(why)]);
    });
  }
});

describe('a strategic merge of items that share their merge key', () => {
  const patched = async (before: object, patch: object): Promise<AnyShape> => {
    const name = newName();
    const spec = { selector: { matchLabels: { a: 'b' } }, ...template(before) };
    await sendExactly(server, 'POST', deployments, { metadata: { name }, spec });
    const body = { spec: { template: { spec: { containers: [{ name: 'c', ...patch }] } } } };
    const reply = await sendExactly(server, 'PATCH', `${deployments}/${name}`, body, types.strategic);
    return reply.body.spec.template.spec.containers[0];
  };
  const D = (value: string) => ({ name: 'D', value });
  const A = { name: 'A', value: 'x' };
  const port = (containerPort: number, protocol: string, name: string) => ({ name, containerPort, protocol });

  test('keeps the second variable', async () => {
    expect((await patched({ env: [D('1'), A, D('2')] }, { env: [D('9')] })).env).toEqual([D('9'), D('2'), A]);
  });
  test('merges two new variables', async () => {
    const [one, two] = ['1', '2'].map((value) => ({ name: 'B', value }));
    expect((await patched({ env: [A] }, { env: [one, two] })).env).toEqual([two, A]);
  });
  test('merges with the first port of a number', async () => {
    const before = { ports: [port(53, 'TCP', 't'), port(53, 'UDP', 'u')] };
    const { ports } = await patched(before, { ports: [port(53, 'UDP', 'uu')] });
    expect(ports.map(({ name }: AnyShape) => name)).toEqual(['uu', 'u']);
  });
  test('orders ports of one number as they were', async () => {
    const before = { ports: [port(53, 'TCP', 't'), port(53, 'UDP', 'u'), { containerPort: 80 }] };
    const { ports } = await patched(before, {
      '$setElementOrder/ports': [80, 53, 53].map((containerPort) => ({ containerPort })),
      ports: [{ containerPort: 80, name: 'h' }],
    });
    expect(ports.map(({ name }: AnyShape) => name)).toEqual(['h', 't', 'u']);
  });
  test('adds a third port to a DNS service, as kubectl does', async () => {
    const name = newName();
    const ports = [port(0, 'TCP', 't'), port(0, 'UDP', 'u')].map(({ name, protocol }) => ({
      name,
      protocol,
      port: 53,
    }));
    await sendExactly(server, 'POST', `${core}/services`, { metadata: { name }, spec: { ports } });
    const order = [{ port: 53 }, { port: 53 }, { port: 80 }];
    const patch = { spec: { '$setElementOrder/ports': order, ports: [{ name: 'h', port: 80 }] } };
    const { body } = await sendExactly(server, 'PATCH', `${core}/services/${name}`, patch, types.strategic);
    expect(body.spec.ports.map((each: AnyShape) => each.name)).toEqual(['t', 'u', 'h']);
  });
});

describe('a strategic merge of a list that has no merge key', () => {
  const made = async (path: string, fields: object): Promise<string> => {
    const name = newName();
    await sendExactly(server, 'POST', path, { metadata: { name }, ...fields });
    return `${path}/${name}`;
  };
  const merged = (path: string, patch: object): Promise<ExactReply> =>
    sendExactly(server, 'PATCH', path, patch, types.strategic);

  test('replaces it by the values that are to be removed', async () => {
    const path = await made(`${core}/services`, {
      spec: { ports: [{ port: 80 }], externalIPs: ['1.2.3.4', '1.2.3.5'] },
    });
    const { body } = await merged(path, { spec: { '$deleteFromPrimitiveList/externalIPs': ['1.2.3.4'] } });
    expect(body.spec.externalIPs).toEqual(['1.2.3.4']);
  });
  test('keeps its items, whatever their directives', async () => {
    const path = await made(`${core}/serviceaccounts`, { imagePullSecrets: [{ name: 'a' }] });
    const { body } = await merged(path, { imagePullSecrets: [{ name: 'b', $patch: 'delete' }] });
    expect(body.imagePullSecrets).toEqual([{ name: 'b' }]);
  });
  for (const fields of [
    { command: ['a', 'b'], '$setElementOrder/command': ['b', 'a'] },
    { env: ['x'] },
    { '$setElementOrder/env': ['A'] },
  ]) {
    test(`refuses ${JSON.stringify(fields)}`, async () => {
      const container = { env: [{ name: 'A', value: '1' }], command: ['a'] };
      const spec = { selector: { matchLabels: { a: 'b' } }, ...template(container) };
      const path = await made(deployments, { spec });
      const { status } = await merged(path, {
        spec: { template: { spec: { containers: [{ name: 'c', ...fields }] } } },
      });
      // Real servers answer 500 to these.
      expect(status).toBeOneOf([400, 500]);
    });
  }
});

describe('integers of native kinds', () => {
  const seconds = (value: string): string => `"terminationGracePeriodSeconds":${value},`;

  for (const value of ['9007199254740993', '9223372036854775807']) {
    test(`${value} is an int64`, async () => {
      const { body } = await create(`${core}/pods`, pod(seconds(value)));
      expect(body.spec?.terminationGracePeriodSeconds).toBe(BigInt(value));
    });
  }

  for (const [fields, code] of [
    [pod(seconds('9223372036854775808')), 400],
    [pod(seconds('1.5')), 400],
    [pod('', ',"ports":[{"containerPort":2147483648}]'), 400],
    [pod('', ',"ports":[{"containerPort":9007199254740993}]'), 400],
  ] as const) {
    test(`${code} for ${fields}`, async () => expect((await create(`${core}/pods`, fields)).status).toBe(code));
  }

  test('are exact in YAML, in each patch and in protobuf', async () => {
    const name = newName();
    const path = `${deployments}/${name}`;
    const spec = template({}, { terminationGracePeriodSeconds: 9007199254740993n });
    const body = { metadata: { name }, spec: { selector: { matchLabels: { a: 'b' } }, ...spec } };
    expect(isMade(await sendExactly(server, 'POST', deployments, body, types.yaml))).toBe(true);
    const inSpec = (value: bigint) => ({ spec: { template: { spec: { terminationGracePeriodSeconds: value } } } });
    const secondsOf = ({ body }: ExactReply): unknown => body.spec?.template.spec.terminationGracePeriodSeconds;
    expect(secondsOf(await sendExactly(server, 'GET', path))).toBe(9007199254740993n);
    const field = '/spec/template/spec/terminationGracePeriodSeconds';
    const operations = [
      { op: 'test', path: field, value: 9007199254740997n },
      { op: 'replace', path: field, value: 9007199254740999n },
    ];
    const applied = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, ...inSpec(9007199254741001n) };
    for (const [patch, type, value] of [
      [inSpec(9007199254740995n), types.merge, 9007199254740995n],
      [inSpec(9007199254740997n), types.strategic, 9007199254740997n],
      [operations, types.json, 9007199254740999n],
      [applied, types.apply, 9007199254741001n],
    ] as const) {
      const query = type === types.apply ? '?fieldManager=m&force=true' : '';
      expect(secondsOf(await sendExactly(server, 'PATCH', path + query, patch, type))).toBe(value);
    }
    const accept = 'application/vnd.kubernetes.protobuf';
    const { text } = await sendExactly(server, 'GET', path, undefined, { accept });
    expect(text.length).toBeGreaterThan(0);
  });

  test('a grace period of many years deletes', async () => {
    const name = newName();
    await create(`${core}/pods`, pod(`"nodeName":"none",${seconds('9007199254740993')}`), name);
    expect((await sendExactly(server, 'DELETE', `${core}/pods/${name}?gracePeriodSeconds=0`)).status).toBe(200);
  });
});
