// What servers say of definitions and objects as real projects have them. `AGAINST` asks a real server
// (testing/customResources.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import {
  DefinitionClient,
  definition,
  definitions,
  serverWithDefinitions,
  version,
} from '../testing/customResources.js';

const run = String(Date.now() % 1_000_000);
const [plural, kind] = [`verdicts${run}`, `Verdict${run}`];
const objects = `/apis/example.com/v1/namespaces/default/${plural}`;
let server: RunningServer;
let client: DefinitionClient;

const spec = {
  type: 'object',
  properties: {
    address: { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
    name: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]*$' },
    one: { type: 'array', maxItems: 1, items: { type: 'string' } },
    args: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    },
    rack: {
      type: 'object',
      properties: { key: { type: 'string' } },
      'x-kubernetes-validations': [{ rule: 'self.key != ""', message: 'key is required' }],
    },
    replicas: { type: 'integer' },
  },
};
const status = { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } };
const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

beforeAll(async () => {
  server = await serverWithDefinitions();
  client = new DefinitionClient(server);
  await client.define(definition(plural, kind, [version('v1', { spec, status }, { subresources: { scale } })]));
  await client.untilStatus(200, objects);
});
afterAll(async () => {
  await client.send('DELETE', `${definitions}/${plural}.example.com`);
  await server.close();
});

const create = (more: AnyShape) =>
  client.send('POST', `${objects}?dryRun=All`, {
    apiVersion: 'example.com/v1',
    kind,
    metadata: { name: 'a' },
    ...more,
  });

describe('an object', () => {
  it.each<[string, AnyShape, ...string[]]>([
    ['with a value of one of several formats', { spec: { address: '::1' } }],
    [
      'with a value of no format',
      { spec: { address: 'a' } },
      '<nil>: Invalid value: "": "spec.address" must validate at least one schema (anyOf)',
      'spec.address: Invalid value: "a": spec.address in body must be of type ipv4: "a"',
    ],
    [
      'with a text that is too short for its pattern to count',
      { spec: { name: '-' } },
      'spec.name: Invalid value: "-": spec.name in body should be at least 2 chars long',
    ],
    [
      'with a text that is too long for its pattern to count',
      { spec: { name: '-----' } },
      'spec.name: Too long: may not be more than 4 bytes',
    ],
    ['with an item too many', { spec: { one: ['a', 'b'] } }, 'spec.one: Too many: 2: must have at most 1 item'],
    [
      'whose rule fails',
      { spec: { rack: {} } },
      'spec.rack: Invalid value: "object": no such key: key evaluating rule: key is required',
    ],
    [
      'with a text in place of a number of replicas',
      { spec: { replicas: 'many' } },
      'spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
      '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: many is of the type string, expected int64',
    ],
    [
      'with impossible numbers of replicas',
      { spec: { replicas: 2 ** 31 }, status: { replicas: -1 } },
      `.spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647`,
      '.status.replicas: Invalid value: -1: should be a non-negative integer',
    ],
    [
      'with a selector that is none',
      { status: { selector: { a: 'b' } } },
      'status.selector: Invalid value: "object": status.selector in body must be of type string: "object"',
      '.status.selector: Invalid value: "": .status.selector accessor error: map[] is of the type map[string]interface {}, expected string',
    ],
  ])('%s', async (_what, more, ...mistakes) => {
    const { status, body } = await create(more);
    const causes: readonly AnyShape[] = body.details?.causes ?? [];
    const said = causes.map(({ field, message }) => `${field}: ${message}`);
    const unchecked = (text: string) => text.includes('some validation rules were not checked');
    expect([status, said.filter((text) => !unchecked(text))]).toEqual([mistakes.length === 0 ? 201 : 422, mistakes]);
  });

  it('has the keys of its items in managedFields as real servers write them', async () => {
    const { body } = await create({ spec: { args: [{ name: 'a<b&c>d' }] } });
    const fields = body.metadata.managedFields[0].fieldsV1['f:spec']['f:args'];
    expect(Object.keys(fields)).toContain(String.raw`k:{"name":"a\u003cb\u0026c\u003ed"}`);
  });
});

describe('a definition', () => {
  const warned = async (properties: AnyShape, method = 'POST', path = definitions) => {
    const made = definition('warned', 'Warned', [version('v1', properties)]);
    const { headers } = await client.send(method, `${path}?dryRun=All`, made);
    return String(headers.warning ?? '');
  };

  it('is taken with a warning for each format that checks nothing', async () => {
    const known = { a: { type: 'string', format: 'date-time' }, b: { type: 'integer', format: 'int64' } };
    expect(await warned(known)).toBe('');
    expect(await warned({ a: { type: 'object', properties: { b: { type: 'integer', format: 'uint' } } } })).toBe(
      String.raw`299 - "unrecognized format \"uint\""`,
    );
    expect(await warned({ a: { type: 'string', anyOf: [{ format: 'int64' }] } })).toContain('int64');
  });
});
