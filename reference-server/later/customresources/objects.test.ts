// Custom resources through HTTP: what is stored, checked and shown. `AGAINST` asks a real server (testing/customResources.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { watched } from '../../testing/watched.js';
import {
  type Answered,
  DefinitionClient,
  definition,
  definitions,
  mergePatch,
  serverWithDefinitions,
  version,
} from '../testing/customResources.js';

const plural = `tabs${Date.now() % 1_000_000}`;
const kind = `Tab${Date.now() % 1_000_000}`;
const tabs = `/apis/example.com/v1/namespaces/default/${plural}`;

const schema = {
  spec: {
    type: 'object',
    required: ['text'],
    properties: {
      text: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
      color: { type: 'string', enum: ['red', 'blue'] },
      count: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
      names: { type: 'array', maxItems: 3, items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      ports: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['port'],
        items: {
          type: 'object',
          required: ['port'],
          properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
        },
      },
      filled: {
        type: 'array',
        items: { type: 'object', properties: { text: { type: 'string', default: 'x'.repeat(100_000) } } },
      },
      open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      either: { 'x-kubernetes-int-or-string': true },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      nothing: { type: 'string', nullable: true },
      time: { type: 'string', format: 'date-time' },
      inner: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      half: { type: 'number', minimum: 0, exclusiveMinimum: true },
      choice: {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'integer' } },
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
      },
    },
  },
  status: { type: 'object', properties: { count: { type: 'integer' }, selector: { type: 'string' } } },
};

const subresources = {
  status: {},
  scale: {
    specReplicasPath: '.spec.count',
    statusReplicasPath: '.status.count',
    labelSelectorPath: '.status.selector',
  },
};

const columns = [
  { name: 'Text', type: 'string', jsonPath: '.spec.text' },
  { name: 'Count', type: 'integer', jsonPath: '.spec.count', priority: 1, description: 'How many.' },
  { name: 'First', type: 'string', jsonPath: '.spec.ports[0].protocol' },
  { name: 'Http', type: 'string', jsonPath: '.spec.ports[?(@.port==80)].protocol' },
  { name: 'Names', type: 'string', jsonPath: '.spec.names' },
  { name: 'Wrong', type: 'integer', jsonPath: '.spec.text' },
];

const tabDefinition = definition(
  plural,
  kind,
  [
    version('v1', schema, {
      subresources,
      additionalPrinterColumns: columns,
      selectableFields: [{ jsonPath: '.spec.color' }],
    }),
    version('v1beta1', { ...schema, older: { type: 'string' } }, { storage: false, deprecated: true }),
  ],
  { names: { plural, kind, shortNames: [`t${plural}`], categories: ['all'] } },
);

let server: RunningServer;
let client: DefinitionClient;

beforeAll(async () => {
  server = await serverWithDefinitions();
  client = new DefinitionClient(server);
  await client.define(tabDefinition);
});
afterAll(async () => {
  await client.send('DELETE', `${definitions}/${plural}.example.com`);
  await server.close();
});

const tab = (name: string, spec: unknown, more: AnyShape = {}): AnyShape => ({
  apiVersion: 'example.com/v1',
  kind,
  metadata: { name },
  spec,
  ...more,
});
const causesOf = ({ body }: Answered) =>
  (body.details?.causes ?? []).map(({ reason, field, message }: AnyShape) => [reason, field, message]);

it.each([
  ['create', 'POST', '', {}],
  ['apply', 'PATCH', '/filled?fieldManager=test', { 'content-type': 'application/apply-patch+yaml' }],
])('a %s whose defaults add more than the server stores is refused', async (_, method, path, headers) => {
  const filled = (count: number) => tab('filled', { text: 'a', filled: Array.from({ length: count }, () => ({})) });
  const { status, body } = await client.send(method, `${tabs}${path}`, filled(5_000), headers);
  expect([status, body.reason]).toEqual([413, 'RequestEntityTooLarge']);
  expect((await client.send('GET', `${tabs}/filled`)).status).toBe(404);
});

describe('an object that breaks its schema', () => {
  it.each<[spec: unknown, ...causes: (readonly [string, string, string])[]]>([
    [{}, ['FieldValueRequired', 'spec.text', 'Required value']],
    [{ text: null }, ['FieldValueRequired', 'spec.text', 'Required value']],
    [
      { text: 5 },
      [
        'FieldValueTypeInvalid',
        'spec.text',
        'Invalid value: "integer": spec.text in body must be of type string: "integer"',
      ],
    ],
    [
      { text: 'A' },
      ['FieldValueInvalid', 'spec.text', 'Invalid value: "A": spec.text in body should match \'^[a-z]+$\''],
    ],
    [{ text: 'abcdef' }, ['FieldValueTooLong', 'spec.text', 'Too long: may not be more than 5 bytes']],
    [
      { text: 'a', color: 'green' },
      ['FieldValueNotSupported', 'spec.color', 'Unsupported value: "green": supported values: "red", "blue"'],
    ],
    [
      { text: 'a', count: 10 },
      ['FieldValueInvalid', 'spec.count', 'Invalid value: 10: spec.count in body should be less than or equal to 9'],
    ],
    [
      { text: 'a', half: 0 },
      ['FieldValueInvalid', 'spec.half', 'Invalid value: 0: spec.half in body should be greater than 0'],
    ],
    [
      { text: 'a', names: ['a', 'b', 'c', 'd'] },
      ['FieldValueTooMany', 'spec.names', 'Too many: 4: must have at most 3 items'],
    ],
    [{ text: 'a', names: ['x', 'x'] }, ['FieldValueDuplicate', 'spec.names[1]', 'Duplicate value: "x"']],
    [
      { text: 'a', names: ['x', 1] },
      [
        'FieldValueTypeInvalid',
        'spec.names[1]',
        'Invalid value: "integer": spec.names[1] in body must be of type string: "integer"',
      ],
    ],
    [
      { text: 'a', ports: [{ port: 1 }, { port: 1 }] },
      ['FieldValueDuplicate', 'spec.ports[1]', 'Duplicate value: {"port":1}'],
    ],
    [{ text: 'a', ports: [{}] }, ['FieldValueRequired', 'spec.ports[0].port', 'Required value']],
    [
      { text: 'a', either: 1.5 },
      [
        'FieldValueTypeInvalid',
        'spec.either',
        'Invalid value: "number": spec.either in body must be of type integer,string: "number"',
      ],
    ],
    [
      { text: 'a', labels: { x: 1 } },
      [
        'FieldValueTypeInvalid',
        'spec.labels.x',
        'Invalid value: "integer": spec.labels.x in body must be of type string: "integer"',
      ],
    ],
    [
      { text: 'a', time: 'soon' },
      [
        'FieldValueTypeInvalid',
        'spec.time',
        'Invalid value: "soon": spec.time in body must be of type date-time: "soon"',
      ],
    ],
    [{ text: 'a', inner: { kind: 'x' } }, ['FieldValueRequired', 'spec.inner.apiVersion', 'Required value']],
  ])('%j', async (spec, ...causes) => {
    const answer = await client.send('POST', tabs, tab('bad', spec));
    expect([answer.status, causesOf(answer)]).toEqual([422, causes]);
    expect(answer.body.message).toContain(`${kind}.example.com "bad" is invalid: ${causes[0]?.[1]}: ${causes[0]?.[2]}`);
  });

  it.each([
    [{ choice: {} }, '"spec.choice" must validate one and only one schema (oneOf). Found none valid'],
    [
      { choice: { a: 1, b: 1 } },
      '"spec.choice" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  ])('%j', async (more, message) => {
    const answer = await client.send('POST', tabs, tab('bad', { text: 'a', ...more }));
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining(message)]);
  });

  it.each([
    [{ kind: 'Other' }, 422, 'kind: Invalid value: "Other": must be'],
    [{ kind: undefined }, 400, "Object 'Kind' is missing"],
    [{ apiVersion: 'example.com/v9' }, 400, 'the API version in the data (example.com/v9) does not match'],
    [{ metadata: { name: 'x', labels: { a: 1 } } }, 400, `${kind} in version "v1" cannot be handled as a ${kind}`],
    [{ metadata: { name: 'A_' } }, 422, 'metadata.name: Invalid value: "A_"'],
    [
      { metadata: { name: 'x', finalizers: ['orphan', 'foregroundDeletion'] } },
      422,
      'finalizer orphan and foregroundDeletion cannot be both set',
    ],
    [{ metadata: { name: 'x', namespace: 'other' } }, 400, 'the namespace of the provided object does not match'],
  ])('%j is %i', async (more, status, message) => {
    const answer = await client.send('POST', tabs, tab('x', { text: 'a' }, more));
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(message)]);
  });
});

describe('a stored object', () => {
  it('has the defaults, and no fields that its schema does not have', async () => {
    const spec = {
      text: 'a',
      unknown: 1,
      color: null,
      nothing: null,
      open: { any: { thing: 1 } },
      ports: [{ port: 80, more: 1 }],
      inner: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', more: 1 }, spec: { kept: true } },
    };
    const { status, body, headers } = await client.send(
      'POST',
      `${tabs}?fieldValidation=Warn`,
      tab('stored', spec, { status: { count: 5 }, more: 1 }),
    );
    expect([status, body.metadata.generation, body.status, body.more]).toEqual([201, 1, undefined, undefined]);
    expect(body.spec).toEqual({
      text: 'a',
      nothing: null,
      open: { any: { thing: 1 } },
      count: 1,
      ports: [{ port: 80, protocol: 'TCP' }],
      inner: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { kept: true } },
    });
    const warnings = String(headers.warning);
    for (const path of ['more', 'spec.unknown', 'spec.ports[0].more', 'spec.inner.metadata.more']) {
      expect(warnings).toContain(`unknown field \\"${path}\\"`);
    }
    const strict = await client.send('POST', `${tabs}?fieldValidation=Strict`, tab('strict', { text: 'a', x: 1 }));
    expect([strict.status, strict.body.message]).toEqual([400, expect.stringContaining('unknown field "spec.x"')]);
  });

  it('counts changes of its content, and keeps its status apart', async () => {
    const { body: first } = await client.send('POST', tabs, tab('counted', { text: 'a' }));
    const at = `${tabs}/counted`;
    expect((await client.send('PUT', at, tab('counted', { text: 'b' }))).status).toBe(422);
    const named = { name: 'counted', resourceVersion: first.metadata.resourceVersion, labels: { a: 'b' } };
    const put = await client.send('PUT', at, tab('counted', { text: 'b' }, { metadata: named, status: { count: 3 } }));
    expect([put.status, put.body.metadata.generation, put.body.status]).toEqual([200, 2, undefined]);
    const labelled = await client.send(
      'PATCH',
      at,
      { metadata: { labels: { c: 'd' } } },
      { 'content-type': mergePatch },
    );
    expect([labelled.body.metadata.generation, labelled.body.metadata.labels]).toEqual([2, { a: 'b', c: 'd' }]);
    const change = {
      metadata: { labels: { e: 'f' } },
      spec: { text: 'zz' },
      status: { count: 4, selector: 'a=b', no: 1 },
    };
    const { body } = await client.send('PATCH', `${at}/status`, change, { 'content-type': mergePatch });
    expect([body.metadata.generation, body.metadata.labels, body.spec.text, body.status]).toEqual([
      2,
      { a: 'b', c: 'd' },
      'b',
      { count: 4, selector: 'a=b' },
    ]);
    const wrong = await client.send(
      'PATCH',
      `${at}/status`,
      { status: { count: 'x' } },
      { 'content-type': mergePatch },
    );
    expect([wrong.status, causesOf(wrong)[0]?.[1]]).toEqual([422, 'status.count']);
  });

  it('gets no metadata by a write of its status, and no status by one without', async () => {
    await client.send('POST', tabs, tab('bare', { text: 'a' }));
    const metadata = {
      labels: { a: 'b' },
      annotations: { a: 'b' },
      finalizers: ['example.com/x'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'b' }],
    };
    const at = `${tabs}/bare`;
    const { status, body } = await client.send('PATCH', `${at}/status`, { metadata }, { 'content-type': mergePatch });
    expect([status, 'status' in body]).toEqual([200, false]);
    const counted = { metadata, status: { count: 1 } };
    await client.send('PATCH', `${at}/status`, counted, { 'content-type': mergePatch });
    const read = (await client.send('GET', at)).body;
    const owned = read.metadata.managedFields.find(({ subresource }: AnyShape) => subresource === 'status');
    expect(owned.fieldsV1).toEqual({ 'f:status': { '.': {}, 'f:count': {} } });
    for (const field of Object.keys(metadata)) {
      expect(body.metadata).not.toHaveProperty(field);
      expect(read.metadata).not.toHaveProperty(field);
    }
  });

  it.each(['', '?limit=1', '?pretty=true'])('names its kind in a list%s', async (query) => {
    await client.send('POST', tabs, tab('listed', { text: 'a' }));
    const { body } = await client.send('GET', `${tabs}${query}`);
    expect(body.items.length).toBeGreaterThan(0);
    for (const item of body.items)
      expect(item).toEqual((await client.send('GET', `${tabs}/${item.metadata.name}`)).body);
  });

  it('has a scale', async () => {
    await client.send('POST', tabs, tab('scaled', { text: 'a' }));
    const at = `${tabs}/scaled/scale`;
    const { body } = await client.send('GET', at);
    expect(body).toMatchObject({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      spec: { replicas: 1 },
      status: { replicas: 0 },
    });
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'scaled' }, spec: { replicas: 4 } };
    expect((await client.send('PUT', at, scale)).body.spec).toEqual({ replicas: 4 });
    const after = (await client.send('GET', `${tabs}/scaled`)).body;
    expect([after.spec.count, after.metadata.generation]).toEqual([4, 2]);
    const over = await client.send('PATCH', at, { spec: { replicas: 40 } }, { 'content-type': mergePatch });
    expect([over.status, causesOf(over)[0]?.[1]]).toEqual([422, 'spec.count']);
    const absent = await client.send('GET', `${tabs}/absent/scale`);
    expect(absent.body.message).toBe(`${plural}.example.com "absent" not found`);
  });

  it('is shown in each version', async () => {
    await client.send('POST', tabs, tab('versions', { text: 'a' }));
    const other = tabs.replace('/v1/', '/v1beta1/');
    const { body, headers } = await client.send('GET', `${other}/versions`);
    expect([body.apiVersion, body.spec]).toEqual(['example.com/v1beta1', { text: 'a', count: 1 }]);
    expect(headers.warning).toContain(`example.com/v1beta1 ${kind} is deprecated`);
    expect((await client.send('GET', `${other}/versions/scale`)).status).toBe(404);
    const given = tab('older', { text: 'b' }, { apiVersion: 'example.com/v1beta1', status: { count: 2 } });
    expect((await client.send('POST', other, given)).body.status).toEqual({ count: 2 });
    expect((await client.send('GET', `${tabs}/older`)).body.apiVersion).toBe('example.com/v1');
  });

  it('has numbers that a JSON patch tests, with a fraction too', async () => {
    await client.send('POST', tabs, tab('tested', { text: 'a', half: 1.5 }));
    const type = { 'content-type': 'application/json-patch+json' };
    const test = (value: number) =>
      client.send('PATCH', `${tabs}/tested`, [{ op: 'test', path: '/spec/half', value }], type);
    expect((await test(1.5)).status).toBe(200);
    expect((await test(2.5)).status).toBe(422);
  });

  it('is patched as JSON or merged, and not strategically', async () => {
    await client.send('POST', tabs, tab('patched', { text: 'a' }));
    const at = `${tabs}/patched`;
    const replace = [{ op: 'replace', path: '/spec/text', value: 'b' }];
    const json = await client.send('PATCH', at, replace, { 'content-type': 'application/json-patch+json' });
    expect(json.body.spec.text).toBe('b');
    const merged = await client.send('PATCH', at, { spec: { color: 'red' } }, { 'content-type': mergePatch });
    expect(merged.body.spec).toEqual({ text: 'b', color: 'red', count: 1 });
    const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
    expect((await client.send('PATCH', at, { spec: { text: 'c' } }, strategic)).status).toBe(415);
    const dry = await client.send(
      'PATCH',
      `${at}?dryRun=All`,
      { spec: { color: 'blue' } },
      { 'content-type': mergePatch },
    );
    expect(dry.body.spec.color).toBe('blue');
    expect((await client.send('GET', at)).body.spec.color).toBe('red');
  });
});

describe('a collection', () => {
  const listed = `/apis/example.com/v1/namespaces/kube-public/${plural}`;
  beforeAll(async () => {
    for (const [index, color] of ['red', 'blue', 'red'].entries()) {
      const metadata = { name: `n${index}`, labels: { color } };
      await client.send('POST', listed, tab('', { text: 'a', color, ports: [{ port: 80 }] }, { metadata }));
    }
  });
  const names = ({ body }: Answered) => body.items.map(({ metadata }: AnyShape) => metadata.name);

  it('is listed by labels and fields, in pages', async () => {
    const all = await client.send('GET', listed);
    expect([all.body.kind, all.body.apiVersion, names(all)]).toEqual([
      `${kind}List`,
      'example.com/v1',
      ['n0', 'n1', 'n2'],
    ]);
    expect(names(await client.send('GET', `${listed}?labelSelector=color%3Dred`))).toEqual(['n0', 'n2']);
    expect(names(await client.send('GET', `${listed}?fieldSelector=spec.color%3Dblue`))).toEqual(['n1']);
    expect(names(await client.send('GET', `${listed}?fieldSelector=metadata.name%3Dn2`))).toEqual(['n2']);
    expect((await client.send('GET', `${listed}?fieldSelector=spec.text%3Da`)).status).toBe(400);
    const page = await client.send('GET', `${listed}?limit=2`);
    const rest = await client.send('GET', `${listed}?limit=2&continue=${page.body.metadata.continue}`);
    expect([names(page), names(rest)]).toEqual([['n0', 'n1'], ['n2']]);
  });

  it('is a table with the columns of its definition', async () => {
    const { body } = await client.send('GET', `${listed}?limit=1`, undefined, {
      accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
    });
    expect(
      body.columnDefinitions
        .slice(1)
        .map(({ name, type, priority, description }: AnyShape) => [name, type, priority, description]),
    ).toEqual([
      ['Text', 'string', 0, 'Custom resource definition column (in JSONPath format): .spec.text'],
      ['Count', 'integer', 1, 'How many.'],
      ['First', 'string', 0, 'Custom resource definition column (in JSONPath format): .spec.ports[0].protocol'],
      [
        'Http',
        'string',
        0,
        'Custom resource definition column (in JSONPath format): .spec.ports[?(@.port==80)].protocol',
      ],
      ['Names', 'string', 0, 'Custom resource definition column (in JSONPath format): .spec.names'],
      ['Wrong', 'integer', 0, 'Custom resource definition column (in JSONPath format): .spec.text'],
    ]);
    expect(body.rows[0].cells).toEqual(['n0', 'a', 1, 'TCP', 'TCP', null, null]);
  });

  it.each([
    ['application/vnd.kubernetes.protobuf', 406],
    ['application/vnd.kubernetes.protobuf,application/json', 200],
    ['application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1', 200],
    ['application/yaml', 200],
  ])('accepts %s: %i', async (accept, status) => {
    expect((await client.send('GET', listed, undefined, { accept })).status).toBe(status);
  });

  // The server of 1.36 ends the connection.
  it.skipIf(process.env.AGAINST !== undefined)('takes no protobuf', async () => {
    const type = { 'content-type': 'application/vnd.kubernetes.protobuf' };
    expect((await client.send('POST', listed, tab('p', { text: 'a' }), type)).status).toBe(415);
  });

  it('is watched', async () => {
    const { body } = await client.send('GET', listed);
    const path = `${listed}?watch=true&resourceVersion=${body.metadata.resourceVersion}`;
    const events = await watched(client.server, path, async (seen) => {
      await client.send('POST', listed, tab('seen', { text: 'a' }));
      await client.send('PATCH', `${listed}/seen`, { spec: { text: 'b' } }, { 'content-type': mergePatch });
      await client.send('DELETE', `${listed}/seen`);
      await seen(3);
    });
    expect(events.map(({ type, object }: AnyShape) => [type, object.kind, object.spec.text])).toEqual([
      ['ADDED', kind, 'a'],
      ['MODIFIED', kind, 'b'],
      ['DELETED', kind, 'b'],
    ]);
  });

  it.each([plural, `namespaces/kube-public/${plural}`, `namespaces/kube-public/${plural}/n1`])(
    'is watched at watch/%s',
    async (path) => {
      const { status, text } = await client.send('GET', `/apis/example.com/v1/watch/${path}?timeoutSeconds=1`);
      expect([status, text.includes('"name":"n1"'), text.includes('"name":"n0"')]).toEqual([
        200,
        true,
        !path.includes('/n1'),
      ]);
    },
  );

  it('is deleted', async () => {
    const { body } = await client.send('DELETE', `${listed}/n0`);
    expect(body).toMatchObject({
      kind: 'Status',
      status: 'Success',
      details: { name: 'n0', group: 'example.com', kind: plural },
    });
    await client.send('DELETE', listed);
    expect(names(await client.send('GET', listed))).toEqual([]);
  });
});
