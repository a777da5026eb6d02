// CustomResourceDefinitions through HTTP: what is refused, what they make, and what becomes of it. `AGAINST` asks a real
// server (testing/customResources.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import {
  DefinitionClient,
  definition,
  definitions,
  mergePatch,
  serverWithDefinitions,
  version,
} from '../testing/customResources.js';

const run = String(Date.now() % 1_000_000);
let server: RunningServer;
let client: DefinitionClient;
const left = new Set<string>();

beforeAll(async () => {
  server = await serverWithDefinitions();
  client = new DefinitionClient(server);
});
afterAll(async () => {
  for (const name of left) await client.send('DELETE', `${definitions}/${name}`);
  await server.close();
});

const text = { spec: { type: 'object', properties: { text: { type: 'string' } } } };

async function define(name: string, versions: readonly AnyShape[] = [version('v1', text)], more: object = {}) {
  const plural = `${name}${run}`;
  const kind = `K${name}${run}`;
  const made = definition(plural, kind, versions, more);
  left.add(made.metadata.name);
  await client.define(made);
  await client.untilStatus(200, `/apis/example.com/${made.spec.versions[0].name}/${plural}`);
  const path = (of = 'v1') => `/apis/example.com/${of}/namespaces/default/${plural}`;
  const object = (named: string, spec: object = { text: 'a' }, of = 'v1') => ({
    apiVersion: `example.com/${of}`,
    kind,
    metadata: { name: named },
    spec,
  });
  return { plural, kind, made, path, object, at: `${definitions}/${plural}.example.com` };
}

/** Changes the only version of a valid definition. */
const schemaOf = (schema: unknown, more: object = {}): AnyShape =>
  definition('foos', 'Foo', [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more },
  ]);
const fieldOf = (schema: object): AnyShape => schemaOf({ type: 'object', properties: { a: schema } });
/** A schema whose default has ten items at each level, and the next level in each of them. */
const defaultsInside = (levels: number): object => ({
  type: 'array',
  default: Array.from({ length: 10 }, () => ({})),
  items: { type: 'object', properties: { a: levels === 0 ? { type: 'string' } : defaultsInside(levels - 1) } },
});
const specOf = (more: object): AnyShape => definition('foos', 'Foo', [version('v1', text)], more);
const whole = 'spec.validation.openAPIV3Schema';
const field = `${whole}.properties[a]`;

describe('a definition is refused', () => {
  it.each<[AnyShape, ...string[]]>([
    [
      { ...specOf({}), metadata: { name: 'x.example.com' } },
      'metadata.name: Invalid value: "x.example.com": must be spec.names.plural+"."+spec.group',
    ],
    [
      { ...specOf({}), spec: {} },
      'spec.group: Required value',
      'spec.names.kind: Required value',
      'status.storedVersions: Invalid value: null',
    ],
    [specOf({ scope: 'X' }), 'spec.scope: Unsupported value: "X": supported values: "Cluster", "Namespaced"'],
    [specOf({ group: 'example' }), 'spec.group: Invalid value: "example": should be a domain with at least one dot'],
    [specOf({ names: { plural: 'foos', kind: 'F_o' } }), 'spec.names.kind: Invalid value: "F_o": may have mixed case'],
    [specOf({ names: { plural: 'foos', kind: 'Foo', listKind: 'Foo' } }), 'kind and listKind may not be the same'],
    [
      specOf({ versions: [] }),
      'spec.versions: Invalid value: []: must have exactly one version marked as storage version',
    ],
    [
      specOf({ versions: [version('v1', text), version('v1', text, { storage: false })] }),
      'must contain unique version names',
    ],
    [
      specOf({ versions: [{ name: 'v1', served: true, storage: true }] }),
      'spec.versions[0].schema.openAPIV3Schema: Required value',
    ],
    [specOf({ preserveUnknownFields: true }), 'spec.preserveUnknownFields: Invalid value: true: cannot set to true'],
    [
      specOf({ conversion: { strategy: 'X' } }),
      'spec.conversion.strategy: Unsupported value: "X": supported values: "None", "Webhook"',
    ],
    [schemaOf({ type: 'string' }), `${whole}.type: Invalid value: "string": must be object at the root`],
    [schemaOf({ type: 'object', nullable: true }), `${whole}.nullable: Forbidden: nullable cannot be true at the root`],
    [fieldOf({}), `${field}.type: Required value: must not be empty for specified object fields`],
    [
      fieldOf({ type: 'foo' }),
      `${field}.type: Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ],
    [fieldOf({ type: 'array' }), `${field}.items: Required value: must be specified`],
    [
      fieldOf({ type: 'array', items: [{ type: 'string' }] }),
      `${field}.items: Forbidden: items must be a schema object and not an array`,
    ],
    [
      fieldOf({ type: 'object', properties: { x: { type: 'string' } }, additionalProperties: { type: 'string' } }),
      `${field}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
    ],
    [
      fieldOf({ type: 'string', pattern: '(' }),
      `${field}.pattern: Invalid value: "(": must be a valid regular expression, but isn't`,
    ],
    [
      fieldOf({ type: 'string', pattern: '(?=a)' }),
      `${field}.pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn't`,
    ],
    [fieldOf({ type: 'string', default: 5 }), `${field}.default: Invalid value: "integer"`],
    [
      fieldOf(defaultsInside(30)),
      `${field}.default: Invalid value: "too large": the defaults of a definition must add at most 1572864 bytes`,
    ],
    [
      fieldOf({ type: 'object', default: { b: 1 }, properties: { c: { type: 'string' } } }),
      `${field}.default: Invalid value: {"b":1}: must not have unknown fields`,
    ],
    [
      fieldOf({ type: 'string', uniqueItems: true }),
      `${field}.uniqueItems: Forbidden: uniqueItems cannot be set to true`,
    ],
    [fieldOf({ $ref: '#/x' }), `${field}.$ref: Forbidden: $ref is not supported`],
    [
      fieldOf({ type: 'object', patternProperties: { a: { type: 'string' } } }),
      `${field}.patternProperties: Forbidden: patternProperties is not supported`,
    ],
    [
      fieldOf({ type: 'string', anyOf: [{ type: 'string' }] }),
      `${field}.anyOf[0].type: Forbidden: must be empty to be structural`,
    ],
    [
      fieldOf({ type: 'string', anyOf: [{ default: 'x' }] }),
      `${field}.anyOf[0].default: Forbidden: must be undefined to be structural`,
    ],
    [
      fieldOf({ type: 'string', 'x-kubernetes-embedded-resource': true }),
      `${field}.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true`,
    ],
    [
      fieldOf({ type: 'string', 'x-kubernetes-preserve-unknown-fields': false }),
      `${field}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
    ],
    [
      fieldOf({ type: 'string', 'x-kubernetes-list-type': 'set' }),
      `${field}.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified`,
    ],
    [
      fieldOf({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' }),
      `${field}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`,
    ],
    [
      fieldOf({
        type: 'array',
        items: { type: 'object', properties: { k: { type: 'string' } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      }),
      `${field}.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys`,
    ],
    [
      fieldOf({
        type: 'array',
        items: { type: 'object', properties: { k: { type: 'string' } } },
        'x-kubernetes-list-type': 'set',
      }),
      `${field}.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list`,
    ],
    [
      schemaOf({
        type: 'object',
        properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
      }),
      `${whole}.properties[metadata]: Forbidden: must not specify anything other than name and generateName`,
    ],
    [
      schemaOf({ type: 'object' }, { additionalPrinterColumns: [{ name: 'a', type: 'x', jsonPath: 'b' }] }),
      'spec.additionalPrinterColumns[0].type: Invalid value: "x": must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "b": must be a simple json path starting with .',
    ],
    [
      schemaOf(
        { type: 'object' },
        { subresources: { scale: { specReplicasPath: 'a', statusReplicasPath: '.spec.y' } } },
      ),
      'spec.subresources.scale.specReplicasPath: Invalid value: "a": must be a simple json path starting with .',
      'should be a json path under .status',
    ],
    [
      schemaOf({ type: 'object' }, { selectableFields: [{ jsonPath: '.spec.x' }] }),
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec.x": is an invalid path: does not refer to a valid field',
    ],
  ])('%j', async (body, ...messages) => {
    const answer = await client.send('POST', `${definitions}?dryRun=All`, body);
    expect([answer.status, answer.body.reason]).toEqual([422, 'Invalid']);
    for (const message of messages) expect(answer.body.message).toContain(message);
  });

  it('for fields of another type, and for unknown ones in a strict request', async () => {
    const wrong = await client.send('POST', definitions, fieldOf({ type: 'integer', minimum: 'x' }));
    expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('minimum')]);
    const strict = await client.send(
      'POST',
      `${definitions}?fieldValidation=Strict`,
      fieldOf({ type: 'integer', least: 1 }),
    );
    const path = 'spec.versions[0].schema.openAPIV3Schema.properties.a.least';
    expect([strict.status, strict.body.message]).toEqual([400, expect.stringContaining(`unknown field "${path}"`)]);
  });
});

describe('an accepted definition', () => {
  it('has its defaults, its names and its conditions', async () => {
    const { plural, kind, at } = await define('names');
    const { body } = await client.send('GET', at);
    const names = { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` };
    expect([body.spec.names, body.spec.conversion]).toEqual([names, { strategy: 'None' }]);
    expect([body.status.acceptedNames, body.status.storedVersions]).toEqual([names, ['v1']]);
    expect(body.status.conditions.map(({ type, status, reason }: AnyShape) => [type, status, reason])).toEqual([
      ['NamesAccepted', 'True', 'NoConflicts'],
      ['Established', 'True', 'InitialNamesAccepted'],
    ]);
    expect((await client.send('PUT', at, body)).status).toBe(200);
    const { resourceVersion: _version, ...unversioned } = body.metadata;
    expect((await client.send('PUT', at, { ...body, metadata: unversioned })).status).toBe(422);
    const change = { spec: { scope: 'Cluster', names: { kind: 'Other' } } };
    const changed = await client.send('PATCH', at, change, { 'content-type': mergePatch });
    expect(changed.body.message).toContain('spec.scope: Invalid value: "Cluster": field is immutable');
    expect(changed.body.message).toContain('spec.names.kind: Invalid value: "Other": field is immutable');
  });

  it('waits while another one has its names', async () => {
    const first = await define('first');
    const second = definition(`second${run}`, first.kind, [version('v1', text)]);
    left.add(second.metadata.name);
    await client.send('POST', definitions, second);
    await expect
      .poll(async () => (await client.send('GET', `${definitions}/${second.metadata.name}`)).body.status.conditions)
      .toEqual([
        expect.objectContaining({ type: 'NamesAccepted', status: 'False', reason: 'ListKindConflict' }),
        expect.objectContaining({ type: 'Established', status: 'False', reason: 'NotAccepted' }),
      ]);
    expect((await client.send('GET', `/apis/example.com/v1/second${run}`)).status).toBe(404);
    await client.send('DELETE', first.at);
    await client.until(second, 'Established');
    await client.untilStatus(200, `/apis/example.com/v1/second${run}`);
  });

  it('serves its versions, the stable ones first', async () => {
    const versions = [
      version('v1alpha1', text, { storage: false }),
      version('v2', text),
      version('other', text, { storage: false }),
      version('v1', text, { storage: false }),
      version('v3', text, { served: false, storage: false }),
    ];
    const { path, at, object } = await define('versions', versions, { group: 'example.com' });
    const { body } = await client.send('GET', '/apis/example.com');
    const served: string[] = body.versions.map(({ version }: AnyShape) => version);
    expect(served.filter((name) => name !== 'v1beta1')).toEqual(['v2', 'v1', 'v1alpha1', 'other']);
    expect((await client.send('GET', path('v3'))).status).toBe(404);
    await client.send('POST', path('v1'), object('a'));
    expect((await client.send('GET', `${path('v1alpha1')}/a`)).body.apiVersion).toBe('example.com/v1alpha1');
    const unserved = versions.map((one) => (one.name === 'v1' ? { ...one, served: false } : one));
    await client.send('PATCH', at, { spec: { versions: unserved } }, { 'content-type': mergePatch });
    await client.untilStatus(404, path('v1'));
    expect((await client.send('GET', `${path('v2')}/a`)).status).toBe(200);
    const without = await client.send(
      'PATCH',
      at,
      { spec: { versions: [version('v1', text)] } },
      { 'content-type': mergePatch },
    );
    expect([without.status, without.body.message]).toEqual([
      422,
      expect.stringContaining('status.storedVersions[0]: Invalid value: "v2": missing from spec.versions'),
    ]);
  });

  it('changes what its objects show', async () => {
    const { path, at, object } = await define('changes');
    await client.send('POST', path(), object('a', { text: 'x' }));
    const properties = { size: { type: 'integer', default: 3 } };
    const next = [version('v1', { spec: { type: 'object', required: ['size'], properties } })];
    await client.send('PATCH', at, { spec: { versions: next } }, { 'content-type': mergePatch });
    await expect.poll(async () => (await client.send('GET', `${path()}/a`)).body.spec).toEqual({ size: 3 });
    expect((await client.send('GET', path())).body.items[0].spec).toEqual({ size: 3 });
    const label = { metadata: { labels: { a: 'b' } } };
    const patched = await client.send('PATCH', `${path()}/a`, label, { 'content-type': mergePatch });
    expect([patched.body.metadata.generation, patched.body.spec]).toEqual([1, { size: 3 }]);
  });

  it('keeps what has become invalid, as long as it does not change', async () => {
    const { path, at, object } = await define('ratchets');
    await client.send('POST', path(), object('a', { text: 'long' }));
    const stricter = { text: { type: 'string', maxLength: 2 }, more: { type: 'string' } };
    const next = [version('v1', { spec: { type: 'object', properties: stricter } })];
    await client.send('PATCH', at, { spec: { versions: next } }, { 'content-type': mergePatch });
    const change = (spec: object) => client.send('PATCH', `${path()}/a`, { spec }, { 'content-type': mergePatch });
    await expect.poll(async () => (await change({ more: 'x' })).body.spec).toEqual({ text: 'long', more: 'x' });
    expect((await change({ text: 'longer' })).status).toBe(422);
    expect((await change({ text: 'a' })).status).toBe(200);
  });

  it('is deleted after its objects, which may wait for finalizers', async () => {
    const { path, at, object } = await define('deleted');
    const held = { ...object('held'), metadata: { name: 'held', finalizers: ['example.com/hold'] } };
    expect((await client.send('POST', path(), held)).status).toBe(201);
    await client.send('POST', path(), object('free'));
    await client.send('DELETE', at);
    await client.untilStatus(404, `${path()}/free`);
    const { body } = await client.send('GET', at);
    expect(body.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
    expect(body.status.conditions).toContainEqual(expect.objectContaining({ type: 'Terminating', status: 'True' }));
    expect((await client.send('GET', `${path()}/held`)).body.metadata.deletionTimestamp).toBeDefined();
    const create = await client.send('POST', path(), object('late'));
    expect([create.status, create.body.message]).toEqual([
      403,
      expect.stringContaining('create not allowed while custom resource definition is terminating'),
    ]);
    await client.send('PATCH', `${path()}/held`, { metadata: { finalizers: null } }, { 'content-type': mergePatch });
    await client.untilStatus(404, at);
    await client.untilStatus(404, path());
  });

  it('ends the watches of what it no longer serves', async () => {
    const { path, at } = await define('watched');
    const watched = client.send('GET', `${path()}?watch=true&timeoutSeconds=60`);
    await client.send('DELETE', at);
    expect((await watched).status).toBe(200);
  });

  it('may have objects without a namespace', async () => {
    const { plural, kind } = await define('clusters', [version('v1', text)], { scope: 'Cluster' });
    const at = `/apis/example.com/v1/${plural}`;
    const { body } = await client.send('POST', at, {
      apiVersion: 'example.com/v1',
      kind,
      metadata: { generateName: 'g-' },
    });
    expect([body.metadata.namespace, body.metadata.name]).toEqual([undefined, expect.stringMatching(/^g-.{5}$/)]);
  });
});
