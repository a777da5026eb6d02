// What is wrong with values, as apiextensions-apiserver 0.36 says it: all causes in their order. `AGAINST` asks a real server
// (testing/customResources.ts).
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import {
  DefinitionClient,
  definition,
  definitions,
  serverWithDefinitions,
  version,
} from '../testing/customResources.js';

const either = [{ type: 'integer' }, { type: 'string' }];
const intOrString = { 'x-kubernetes-int-or-string': true };
const open = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true };

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
/** More values than are compared one by one. */
const many = [...[1, 2, 3, 4, 5, 6, 7, 8].map((a) => ({ a })), { a: [{ c: 2 ** 53, d: null }], b: 3 }];

/** The schema of a field, a value, and the beginning of each cause, where `~` is the field. */
type Row = readonly [schema: object, value: unknown, ...causes: string[]];

const rows: readonly Row[] = [
  [
    { type: 'integer' },
    1.5,
    '~: Invalid value: "number": ~ in body must be of type integer: "number"',
    '<nil>: Invalid value: "": Checked value must be of type integer (default format) in ~',
  ],
  [{ type: 'integer' }, null],
  [
    { type: 'integer', format: 'int32' },
    1.5,
    '~: Invalid value: "float64": ~ in body must be of type int32: "float64"',
    '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in ~',
  ],
  [
    { type: 'integer', format: 'int32' },
    3000000000,
    '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in ~',
  ],
  [{ type: 'integer', format: 'int32' }, true, '~: Invalid value: "": ~ in body must be of type int32: ""'],
  [{ type: 'number', format: 'int32' }, 3000000000],
  [
    { type: 'number', format: 'float' },
    1e300,
    '<nil>: Invalid value: "": Checked value must be of type number with format float in ~',
  ],
  [
    { type: 'integer', minimum: 7, maximum: 3, multipleOf: 2 },
    5,
    '~: Invalid value: 5: ~ in body should be a multiple of 2',
    '~: Invalid value: 5: ~ in body should be greater than or equal to 7',
    '~: Invalid value: 5: ~ in body should be less than or equal to 3',
  ],
  [
    { type: 'integer', minimum: 1.5, maximum: 3.5 },
    4,
    '<nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in ~',
    '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in ~',
    '~: Invalid value: 4: ~ in body should be less than or equal to 3.5',
  ],
  [
    { type: 'integer', multipleOf: 1.5 },
    3,
    '<nil>: Invalid value: "": MultipleOf value must be of type integer (default format) in ~',
  ],
  [
    { type: 'integer', multipleOf: 1.5 },
    4,
    '<nil>: Invalid value: "": MultipleOf value must be of type integer (default format) in ~',
    '~: Invalid value: 4: ~ in body should be a multiple of 1.5',
  ],
  [
    { type: 'string', minLength: 3, maxLength: 1, pattern: 'x', format: 'date', enum: ['a'] },
    'ab',
    '~: Too long: may not be more than 1 byte',
    '~: Invalid value: "ab": ~ in body must be of type date: "ab"',
    '~: Unsupported value: "ab": supported values: "a"',
  ],
  [
    { type: 'string', minLength: 3, maxLength: 1, pattern: 'x', format: 'date', enum: ['a'] },
    5,
    '~: Invalid value: "int64": ~ in body must be of type date: "int64"',
    '~: Unsupported value: 5: supported values: "a"',
  ],
  [
    { type: 'string', pattern: 'x', format: 'date' },
    'ab',
    '~: Invalid value: "ab": ~ in body should match \'x\'',
    '~: Invalid value: "ab": ~ in body must be of type date: "ab"',
  ],
  [{ type: 'string', enum: [...'abcdefghij'] }, 'j'],
  [
    { type: 'string', enum: [...'abcdefghij'] },
    'x',
    '~: Unsupported value: "x": supported values: "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"',
  ],
  [
    { ...anything, enum: many },
    { b: 3, a: [{ d: null, c: 2 ** 53 }] },
  ],
  [{ ...anything, enum: many }, { a: 8 }],
  [{ ...anything, enum: many }, { a: '8' }, '~: Unsupported value: {"a":"8"}: supported values: "{\\"a\\":1}"'],
  [{ ...anything, enum: many }, { a: [1] }, '~: Unsupported value: {"a":[1]}: supported values: '],
  [{ type: 'string', nullable: true, enum: ['a'] }, null, '~: Unsupported value: null: supported values: "a"'],
  [{ type: 'string', format: 'date' }, {}, '~: Invalid value: "": ~ in body must be of type date: ""'],
  [
    { type: 'array', items: { type: 'string', maxLength: 1 }, maxItems: 1, minItems: 4 },
    ['ab', 1],
    '~[0]: Too long: may not be more than 1 byte',
    '~[1]: Invalid value: "integer": ~[1] in body must be of type string: "integer"',
    '~: Invalid value: 2: ~ in body should have at least 4 items',
    '~: Too many: 2: must have at most 1 item',
  ],
  [
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    ['a', 'a', 'a'],
    '~[1]: Duplicate value: "a"',
  ],
  [
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    [1, 1],
    '~[0]: Invalid value: "integer": ~[0] in body must be of type string: "integer"',
    '~[1]: Invalid value: "integer": ~[1] in body must be of type string: "integer"',
    '~[1]: Duplicate value: 1',
  ],
  [
    {
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    [{ k: 'a' }, { k: 'a' }, { k: 'a' }],
    '~[1]: Duplicate value: {"k":"a"}',
  ],
  [
    {
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    [null, null],
    '~[0]: Invalid value: "null": ~[0] in body must be of type object: "null"',
    '~[1]: Invalid value: "null": ~[1] in body must be of type object: "null"',
    '~[1]: Duplicate value: {}',
  ],
  [
    {
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    [1, 2],
    '~[0]: Invalid value: "integer": ~[0] in body must be of type object: "integer"',
    '~[1]: Invalid value: "integer": ~[1] in body must be of type object: "integer"',
    '~[0]: Invalid value: 1: must be an object for an array of list-type map',
  ],
  [
    {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    },
    { a: ['b', 'b'] },
    '~[a][1]: Duplicate value: "b"',
  ],
  [
    {
      type: 'object',
      minProperties: 3,
      required: ['z'],
      enum: [{}],
      properties: { a: { type: 'integer' }, z: { type: 'string' } },
    },
    { a: 'b' },
    '~: Unsupported value: {"a":"b"}: supported values: "{}"',
    '~: Invalid value: 1: ~ in body should have at least 3 properties',
    '~.a: Invalid value: "string": ~.a in body must be of type integer: "string"',
    '~.z: Required value',
  ],
  [
    { type: 'string', allOf: [{ pattern: 'b' }] },
    'a',
    '~: Invalid value: "a": ~ in body should match \'b\'',
    '<nil>: Invalid value: "": "~" must validate all the schemas (allOf). None validated',
  ],
  [
    { type: 'string', allOf: [{ pattern: 'b' }, { pattern: 'a' }] },
    'a',
    '~: Invalid value: "a": ~ in body should match \'b\'',
    '<nil>: Invalid value: "": "~" must validate all the schemas (allOf)',
  ],
  [
    { type: 'string', anyOf: [{ pattern: 'b' }, { pattern: 'c' }], pattern: 'z', enum: ['q'] },
    'a',
    '<nil>: Invalid value: "": "~" must validate at least one schema (anyOf)',
    '~: Invalid value: "a": ~ in body should match \'b\'',
    '~: Invalid value: "a": ~ in body should match \'z\'',
    '~: Unsupported value: "a": supported values: "q"',
  ],
  [
    { type: 'string', oneOf: [{ pattern: 'b' }, { format: 'date' }], minLength: 4 },
    'a',
    '<nil>: Invalid value: "": "~" must validate one and only one schema (oneOf). Found none valid',
    '~: Invalid value: "a": ~ in body must be of type date: "a"',
    '~: Invalid value: "a": ~ in body should be at least 4 chars long',
  ],
  [
    {
      type: 'string',
      not: { pattern: 'a' },
      oneOf: [{ pattern: 'b' }],
      anyOf: [{ pattern: 'c' }],
      allOf: [{ pattern: 'd' }],
    },
    'a',
    '<nil>: Invalid value: "": "~" must validate at least one schema (anyOf)',
    '~: Invalid value: "a": ~ in body should match \'c\'',
    '<nil>: Invalid value: "": "~" must validate one and only one schema (oneOf). Found none valid',
    '~: Invalid value: "a": ~ in body should match \'b\'',
    '~: Invalid value: "a": ~ in body should match \'d\'',
    '<nil>: Invalid value: "": "~" must validate all the schemas (allOf). None validated',
    '<nil>: Invalid value: "": "~" must not validate the schema (not)',
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'integer' } },
      anyOf: [{ required: ['b'] }, { properties: { a: { minimum: 5 } } }],
    },
    { a: 1 },
    '<nil>: Invalid value: "": "~" must validate at least one schema (anyOf)',
    '~.a: Invalid value: 1: ~.a in body should be greater than or equal to 5',
  ],
  [
    { ...intOrString, anyOf: either },
    1.5,
    '~: Invalid value: "number": ~ in body must be of type integer,string: "number"',
    '<nil>: Invalid value: "": "~" must validate at least one schema (anyOf)',
    '~: Invalid value: "number": ~ in body must be of type integer: "number"',
    '<nil>: Invalid value: "": Checked value must be of type integer (default format) in ~',
  ],
  [
    { ...intOrString, anyOf: either },
    true,
    '~: Invalid value: "boolean": ~ in body must be of type integer,string: "boolean"',
    '<nil>: Invalid value: "": "~" must validate at least one schema (anyOf)',
    '~: Invalid value: "boolean": ~ in body must be of type integer: "boolean"',
  ],
  [{ ...open }, { kind: '' }, '~.apiVersion: Required value', '~.kind: Invalid value: "": must not be empty'],
  [
    { ...open },
    { apiVersion: 'a/b/c', kind: 'A' },
    '~.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
  ],
  [
    { ...open },
    { apiVersion: 'v1', kind: 'A', metadata: { name: '/' } },
    '~.metadata.name: Invalid value: "/": may not contain \'/\'',
  ],
  [
    { type: 'array', items: { ...open } },
    [{ kind: 'A' }, 1],
    '~[1]: Invalid value: "integer": ~[1] in body must be of type object: "integer"',
    '~[0].apiVersion: Required value',
  ],
  [
    { type: 'integer', maximum: 1, anyOf: [{ maximum: 1 }] },
    2,
    '<nil>: Invalid value: "": "~" must validate at least one schema (anyOf)',
    '~: Invalid value: 2: ~ in body should be less than or equal to 1',
  ],
  [
    { type: 'object', ...intOrString },
    { a: 1 },
    '~: Invalid value: "object": ~ in body must be of type integer,string: "object"',
  ],
];

const run = String(Date.now() % 1_000_000);
const [plural, kind] = [`values${run}`, `Value${run}`];
const objects = `/apis/example.com/v1/namespaces/default/${plural}`;
const properties = Object.fromEntries(rows.map(([schema], index) => [`f${index}`, schema]));
let server: RunningServer;
let client: DefinitionClient;

beforeAll(async () => {
  server = await serverWithDefinitions();
  client = new DefinitionClient(server);
  await client.define(definition(plural, kind, [version('v1', { spec: { type: 'object', properties } })]));
  await client.untilStatus(200, objects);
});
afterAll(async () => {
  await client.send('DELETE', `${definitions}/${plural}.example.com`);
  await server.close();
});

it.each(rows.map((row, index) => [index, ...row] as const))('%# %j %j', async (index, _schema, value, ...causes) => {
  const { status, body } = await client.send('POST', `${objects}?dryRun=All`, {
    apiVersion: 'example.com/v1',
    kind,
    metadata: { name: 'a' },
    spec: { [`f${index}`]: value },
  });
  const said: readonly AnyShape[] = body.details?.causes ?? [];
  const texts = said.map(({ field, message }) => `${field}: ${message}`.replaceAll(`spec.f${index}`, '~'));
  expect([status, texts.map((text, at) => text.slice(0, causes[at]?.length))]).toEqual([
    causes.length === 0 ? 201 : 422,
    causes,
  ]);
});
