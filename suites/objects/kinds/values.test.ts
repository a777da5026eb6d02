// Values that schemas allow.
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../client/json.js';
import { candidates, smallest } from './values.js';

const ajv = new Ajv({ strict: false, formats: { 'date-time': true, int32: true } });

const schemas: Readonly<Record<string, JsonObject>> = {
  'an object with what is required': {
    type: 'object',
    required: ['size', 'color'],
    properties: {
      size: { type: 'integer', minimum: 3 },
      color: { type: 'string', enum: ['red'] },
      note: { type: 'string' },
    },
  },
  'a number above a bound': { type: 'integer', minimum: 7, exclusiveMinimum: true, maximum: 9 },
  'a multiple': { type: 'integer', minimum: 5, multipleOf: 4 },
  'a maximum below zero': { type: 'integer', maximum: -3 },
  'a long text': { type: 'string', minLength: 40 },
  'a short text': { type: 'string', maxLength: 1 },
  'a pattern of names': { type: 'string', pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' },
  'a pattern of quantities': { type: 'string', pattern: '^[0-9]+(Ki|Mi|Gi)$' },
  'a pattern of serial numbers': { type: 'string', pattern: '^SN-[0-9]{7}-[A-Z]{2}$' },
  'a pattern of colors, and a length': { type: 'string', pattern: '^#([0-9a-f]{3}|[0-9a-f]{6})$', minLength: 7 },
  'a pattern of addresses': { type: 'string', pattern: '^(\\d{1,3}\\.){3}\\d{1,3}$' },
  'a list of some items': { type: 'array', minItems: 2, items: { type: 'string' }, uniqueItems: true },
  'a map of some members': { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
  'the first of several': {
    oneOf: [{ type: 'object', required: ['a'], properties: { a: { type: 'boolean' } } }, { type: 'string' }],
  },
  'a reference': { type: 'object', required: ['one'], properties: { one: { $ref: '#/definitions/one' } } },
  'an object of parts': {
    allOf: [
      { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
      { type: 'object', required: ['b'], properties: { b: { type: 'integer' } } },
    ],
  },
};
const definitions = {
  one: { type: 'object', required: ['time'], properties: { time: { type: 'string', format: 'date-time' } } },
};

describe('the smallest value', () => {
  it.each(Object.entries(schemas))('of %s is valid', (_, schema) => {
    const document = { ...schema, definitions };
    // In OpenAPI 3.0, an exclusive bound is a flag of the bound.
    const { exclusiveMinimum, ...plain } = document as JsonObject;
    const strict = exclusiveMinimum === true ? { ...plain, exclusiveMinimum: plain.minimum } : plain;
    const value = smallest({ schema, document });
    expect([ajv.compile(strict)(value), value]).toEqual([true, value]);
  });

  const self = { $ref: '#/definitions/0' };
  const next = (index: number): JsonObject => ({ $ref: `#/definitions/${index + 1}` });
  it.each<[string, (index: number) => JsonObject]>([
    ['joins the next twice', (index) => ({ allOf: [next(index), next(index)] })],
    [
      'requires itself four times',
      () => ({
        required: ['a', 'b', 'c', 'd'],
        properties: { a: self, b: self, c: self, d: self },
      }),
    ],
    ['has a list of lists of itself', () => ({ type: 'array', minItems: 12, items: self })],
    ['joins itself', () => ({ allOf: [self, self] })],
  ])('of a schema that %s is small', (_, make) => {
    const definitions = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${index}`, make(index)]));
    const value = smallest({
      schema: { type: 'object', required: ['a'], properties: { a: self } },
      document: { definitions },
    });
    expect(JSON.stringify(value).length).toBeLessThan(50_000);
  });

  it('of a schema that requires itself ends', () => {
    const schema = { type: 'object', required: ['next'], properties: { next: { $ref: '#' } } };
    const looping = { ...schema, properties: { next: { $ref: '#/definitions/node' } } };
    const document = { definitions: { node: looping } };
    expect(JSON.stringify(smallest({ schema: looping, document })).length).toBeLessThan(1_000);
  });

  it('of a field that may be a number or a text is a number', () => {
    expect(smallest({ schema: { 'x-kubernetes-int-or-string': true }, document: {} })).toBe(1);
  });

  it.each(['^(a+)+$|^(([a-z]|[a-z0-9-])+)+!$', '^a{100000000}$', '^(((a{1000}){1000}){1000}){1000}$'])(
    'gives up %s, which takes forever',
    (pattern) => {
      const schema = { type: 'string', minLength: 200, pattern };
      expect(candidates({ schema, document: {} }).length).toBeGreaterThan(0);
    },
  );
});
