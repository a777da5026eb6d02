// Tests paths of fields in schemas. The results are those of apiextensions-apiserver 0.36.
import { expect, it } from 'vitest';
import { namesIn, schemaAt } from './fieldPath.js';

const text = { type: 'string' };
const schema = {
  type: 'object',
  properties: {
    a: text,
    'a.b': text,
    'a b': text,
    "a'b": text,
    é: text,
    object: { type: 'object', properties: { x: text } },
    list: { type: 'array', items: text },
    map: { type: 'object', additionalProperties: text },
    any: { type: 'object', additionalProperties: true },
    kept: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const nowhere = 'does not refer to a valid field';
const end = 'unexpected end of JSON path';

it.each<[string, object | string]>([
  ['.a', text],
  ["['a']", text],
  ["['a.b']", text],
  ["['a\\'b']", text],
  ['.a b', text],
  ['.é', text],
  ['.object.x', text],
  [".object['x']", text],
  ['.map.anything', text],
  [".map['any.thing']", text],
  ['.any.x', {}],
  ['', nowhere],
  ['.', end],
  ['.a.', end],
  ['a', 'expected [ or . but got: a'],
  ['$.a', 'expected [ or . but got: $'],
  ["['a']b", 'expected [ or . but got: b'],
  ['..a', nowhere],
  ['.a.b', nowhere],
  ['.map.x.y', nowhere],
  ['.any.x.y', nowhere],
  ['.kept.x', nowhere],
  ['.list.a', nowhere],
  ['.list[0]', nowhere],
  [".['a']", nowhere],
  ["['a", nowhere],
  ["['']", nowhere],
  ['[a]', nowhere],
  ['.constructor', nowhere],
])('%j leads to %j', (path, expected) => {
  const found = schemaAt(schema, path, true);
  expect('fault' in found ? found.fault : found.schema).toEqual(expected);
});

it.each([
  ["['a']", 'array notation is not allowed'],
  ['.list[0]', 'array notation is not allowed'],
  ['.nowhere[0]', nowhere],
])('without brackets, %j is wrong: %s', (path, fault) => {
  expect(schemaAt(schema, path, false)).toEqual({ fault });
});

it('reads the names without a schema', () => {
  expect(namesIn(".a b['c.d'].e")).toEqual(['a b', 'c.d', 'e']);
});
