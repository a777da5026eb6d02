// fieldValidation on whole servers: what a client gets for fields that are unknown or occur twice.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Feature } from '../features/features.js';
import type { RunningServer } from '../server.js';
import { startServer } from '../server.js';
import type { AnyShape } from '../testing/anyShape.js';
import { ask } from '../testing/standIn.js';

const core = '/api/v1/namespaces/default';
const json = 'application/json';
let server: RunningServer;
let name = '';
let count = 0;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(() => {
  count += 1;
  name = `object-${count}`;
});

interface Outcome {
  readonly code: number;
  readonly message: string;
  readonly warnings: readonly string[];
  readonly object: AnyShape;
}

async function send(method: string, path: string, type: string, body: string): Promise<Outcome> {
  const { status, headers, text } = await ask(server, path, { method, headers: { 'content-type': type }, body });
  const object: AnyShape = JSON.parse(text);
  // The client of Node.js joins headers of one name.
  const warning = String(headers.warning ?? '');
  const warnings = warning === '' ? [] : warning.split(/, (?=299 - )/);
  return { code: status, message: object.message ?? '', warnings, object };
}

const create = (query: string, body: string, type = json) => send('POST', `${core}/configmaps${query}`, type, body);
const strictly = (what: string) =>
  `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ${what}`;

describe('a create', () => {
  const inJson = () => `{"metadata": {"name": "${name}", "more": 1}, "data": {"a": "1", "a": "2"}, "spec": {"b": 1}}`;
  const inYaml = () => `metadata: {name: ${name}, more: 1}\ndata:\n  a: "1"\n  a: "2"\nspec: {b: 1}\n`;
  const inOrder = ['unknown field "metadata.more"', 'duplicate field "data.a"', 'unknown field "spec"'];
  const line = 'line 4: key "a" already set in map';
  const byName = ['unknown field "metadata.more"', 'unknown field "spec"'];
  const forms = [
    ['JSON', json, inJson, inOrder, inOrder],
    ['YAML', 'application/yaml', inYaml, [`yaml: unmarshal errors:\n  ${line}`, ...byName], [line, ...byName]],
  ] as const;

  describe.each(forms)('of %s', (_name, type, body, refused, warned) => {
    it('is refused by Strict, with all mistakes', async () => {
      const { code, message, object } = await create('?fieldValidation=Strict', body(), type);
      expect([code, object.reason, message]).toEqual([400, 'BadRequest', strictly(refused.join(', '))]);
    });

    it('succeeds with Warn, with a warning for each mistake', async () => {
      const { code, warnings, object } = await create('?fieldValidation=Warn', body(), type);
      expect([code, object.data, object.spec]).toEqual([200, { a: '2' }, undefined]);
      expect(warnings).toEqual(warned.map((text) => `299 - ${JSON.stringify(text)}`));
    });

    it('succeeds with Ignore, without a warning', async () => {
      const { code, warnings, object } = await create('?fieldValidation=Ignore', body(), type);
      expect([code, warnings, object.data]).toEqual([200, [], { a: '2' }]);
    });

    it('of repeated fields is malformed without the parameter', async () => {
      for (const query of ['', '?fieldValidation=']) {
        const { code, message, warnings } = await create(query, body(), type);
        expect([code, message, warnings]).toEqual([400, expect.stringMatching(/parse error: duplicate/), []]);
      }
    });
  });

  it('drops unknown fields without the parameter', async () => {
    const { code, warnings, object } = await create('', `{"metadata": {"name": "${name}"}, "spec": {}}`);
    expect([code, warnings, object.spec]).toEqual([200, [], undefined]);
  });

  it('warns without the parameter as servers do since 1.25', async () => {
    const body = `{"metadata": {"name": "m", "more": 1}, "data": {"a": "1", "a": "2"}}`;
    const warningsOf = async (kubeVersion: string, without: readonly Feature[] = []) => {
      const server = await startServer({ kubeVersion, without });
      const headers = { 'content-type': json };
      const answers = ['', '?fieldValidation=', '?fieldValidation=Ignore'].map(async (query) => {
        const path = `${core}/configmaps${query}${query === '' ? '?' : '&'}dryRun=All`;
        const { headers: answered } = await ask(server, path, { method: 'POST', headers, body });
        return answered.warning;
      });
      const all = await Promise.all(answers);
      await server.close();
      return all;
    };
    const both = '299 - "unknown field \\"metadata.more\\"", 299 - "duplicate field \\"data.a\\""';
    expect(await warningsOf('1.25')).toEqual([both, both, undefined]);
    expect(await warningsOf('1.24')).toEqual([undefined, undefined, undefined]);
    expect(await warningsOf('1.36', ['field-validation'])).toEqual([undefined, undefined, undefined]);
  });

  it('names mistakes in the order of a text in JSON', async () => {
    const body = `{"more": 1, "metadata": {"a": {"x": 1, "x": 2}, "name": "${name}", "name": "${name}", "b": 1,
      "labels": {"y": "1", "y": "2", "x": "1", "x": "2"}}, "more": 2, "spec": {"containers": [{"name": "c", "image": "i",
      "image": "j", "env": [{"name": "n", "valu": "v", "name": "m"}]}], "paused": true}, "apiVersion": "v1"}`;
    const pod = await send('POST', `${core}/pods?fieldValidation=Strict`, json, body);
    const places = [
      ...['unknown more', 'unknown metadata.a', 'duplicate metadata.name', 'unknown metadata.b'],
      ...['duplicate metadata.labels.y', 'duplicate metadata.labels.x', 'duplicate spec.containers[0].image'],
      ...['unknown spec.containers[0].env[0].valu', 'duplicate spec.containers[0].env[0].name', 'unknown spec.paused'],
    ].map((place) => place.replace(/ (.*)/, ' field "$1"'));
    const what = 'Pod in version "v1" cannot be handled as a Pod: strict decoding error: ';
    expect([pod.code, pod.message]).toEqual([400, `${what}${places.join(', ')}`]);
  });

  it('with another value is 422', async () => {
    const { code, object } = await create('?fieldValidation=strict', `{"metadata": {"name": "${name}"}}`);
    const message = 'Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"';
    expect([code, object.message]).toEqual([
      422,
      `CreateOptions.meta.k8s.io "" is invalid: fieldValidation: ${message}`,
    ]);
    expect(object.details.causes).toEqual([{ reason: 'FieldValueNotSupported', message, field: 'fieldValidation' }]);
  });

  it('warns of what is wrong with a refused object, too', async () => {
    const { code, warnings } = await create('?fieldValidation=Warn', '{"metadata": {"name": "Bad_Name"}, "spec": {}}');
    expect([code, warnings]).toEqual([422, ['299 - "unknown field \\"spec\\""']]);
  });

  it('of a deep object names the path, also in lists and maps', async () => {
    const pod = {
      metadata: { name, labels: { 'any.thing/x': 'label' }, annotations: { x: 'y' } },
      spec: {
        containers: [
          { name: 'a', image: 'a', resources: { requests: { cpu: 1 } } },
          {
            name: 'b',
            image: 'b',
            env: [{ name: 'E', valu: '1' }],
            livenessProbe: { httpGet: { port: 80, Path: '/' } },
          },
        ],
        nodeSelector: { any: 'thing' },
        volumes: [{ name: 'v', hostPath: { path: '/', kind: null } }],
      },
    };
    const { warnings, code } = await send('POST', `${core}/pods?fieldValidation=Warn`, json, JSON.stringify(pod));
    expect([code, warnings]).toEqual([
      200,
      [
        '299 - "unknown field \\"spec.containers[1].env[0].valu\\""',
        '299 - "unknown field \\"spec.containers[1].livenessProbe.httpGet.Path\\""',
        '299 - "unknown field \\"spec.volumes[0].hostPath.kind\\""',
      ],
    ]);
  });

  it('of any names has warnings that a header can carry, and not too many', async () => {
    const strange = JSON.stringify({ 'a"b\\c\nd\u007f\u0001é\u{1f600}': 1 }).slice(1, -1);
    const { warnings, code } = await create('?fieldValidation=Warn', `{"metadata":{"name":"${name}"},${strange}}`);
    const shown = Buffer.from(warnings[0] ?? '', 'latin1').toString();
    expect([code, shown]).toEqual([
      200,
      '299 - "unknown field \\"a\\\\\\"b\\\\\\\\c\\\\nd\\\\u007f\\\\u0001é\u{1f600}\\""',
    ]);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`${'long'.repeat(20)}${at}`, 1]));
    const next = await create('?fieldValidation=Warn', JSON.stringify({ ...many, metadata: { name: `${name}-many` } }));
    expect([next.code, next.warnings.length > 10, next.warnings.join('').length <= 4096]).toEqual([200, true, true]);
  });
});

describe('a replace', () => {
  it('is checked like a create, of the status and the scale, too', async () => {
    await create('', `{"metadata": {"name": "${name}"}}`);
    const path = `${core}/configmaps/${name}?fieldValidation`;
    const body = `{"metadata": {"name": "${name}"}, "date": {}}`;
    expect(await send('PUT', `${path}=Strict`, json, body)).toMatchObject({
      code: 400,
      message: strictly('unknown field "date"'),
    });
    expect(await send('PUT', `${path}=Warn`, json, body)).toMatchObject({
      code: 200,
      warnings: ['299 - "unknown field \\"date\\""'],
    });
    expect((await send('PUT', `${path}=No`, json, body)).message).toContain('UpdateOptions.meta.k8s.io "" is invalid');
    const controller = `${core}/replicationcontrollers`;
    const spec = {
      selector: { a: 'b' },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'c' }] } },
    };
    await send('POST', controller, json, JSON.stringify({ metadata: { name }, spec }));
    const scale = { metadata: { name }, spec: { replica: 2 } };
    expect(
      await send('PUT', `${controller}/${name}/scale?fieldValidation=Strict`, json, JSON.stringify(scale)),
    ).toMatchObject({ code: 400, message: expect.stringContaining('unknown field "spec.replica"') });
  });
});

describe.each([
  ['merge', 'application/merge-patch+json'],
  ['strategic merge', 'application/strategic-merge-patch+json'],
])('a %s patch', (_name, type) => {
  const patch = '{"data": {"a": "1", "a": "2"}, "spec": {"b": 1}}';

  it('is checked together with its object', async () => {
    await create('', `{"metadata": {"name": "${name}"}}`);
    const path = `${core}/configmaps/${name}?fieldValidation`;
    const refused = await send('PATCH', `${path}=Strict`, type, patch);
    // As on real servers, a patch that makes a wrong object is 422.
    expect([refused.code, refused.message]).toEqual([
      422,
      expect.stringContaining('strict decoding error: duplicate field "data.a", unknown field "spec"'),
    ]);
    expect((await send('GET', `${core}/configmaps/${name}`, json, '')).object.data).toBeUndefined();
    const { code, warnings, object } = await send('PATCH', `${path}=Warn`, type, patch);
    expect([code, warnings, object.data]).toEqual([
      200,
      ['299 - "duplicate field \\"data.a\\""', '299 - "unknown field \\"spec\\""'],
      { a: '2' },
    ]);
    expect(await send('PATCH', `${path}=Ignore`, type, patch)).toMatchObject({ code: 200, warnings: [] });
    expect((await send('PATCH', `${path}=all`, type, '{}')).message).toContain(
      'PatchOptions.meta.k8s.io "" is invalid',
    );
  });
});

it('a JSON patch is checked itself, and together with its object', async () => {
  await create('', `{"metadata": {"name": "${name}"}}`);
  const path = `${core}/configmaps/${name}?fieldValidation`;
  const type = 'application/json-patch+json';
  const patch =
    '[{"op": "add", "path": "/spec", "value": {"x": 1, "x": 2}, "more": 3}, {"op": "test", "path": "/kind", "value": "ConfigMap"}]';
  const mistakes = [
    'json patch duplicate field \\"[0].value.x\\"',
    'json patch unknown field \\"[0].more\\"',
    'unknown field \\"spec\\"',
  ];
  const { code, warnings } = await send('PATCH', `${path}=Warn`, type, patch);
  expect([code, warnings]).toEqual([200, mistakes.map((mistake) => `299 - "${mistake}"`)]);
  const refused = await send('PATCH', `${path}=Strict`, type, patch);
  expect([refused.code, refused.message]).toEqual([
    422,
    expect.stringContaining(mistakes.map((mistake) => mistake.replaceAll('\\', '')).join(', ')),
  ]);
});

it('a patch of a long object is checked in turns', async () => {
  const data = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`key-${at}`, 'a value of some length']));
  await create('', JSON.stringify({ metadata: { name }, data }));
  const patch = JSON.stringify({ data: { ...data, 'key-1': 'b' }, spec: {} });
  const path = `${core}/configmaps/${name}?fieldValidation=Warn`;
  const { code, warnings } = await send('PATCH', path, 'application/merge-patch+json', patch);
  expect([code, warnings]).toEqual([200, ['299 - "unknown field \\"spec\\""']]);
});
