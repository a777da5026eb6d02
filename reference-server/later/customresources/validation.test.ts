// The validation and the normal form of values without a server: large and deep ones, and names that objects inherit.
import { describe, expect, it } from 'vitest';
import { FieldPaths } from '../../codecs/fieldPaths.js';
import { Causes, collectCauses } from '../../schema/causes.js';
import { ShownDefaults } from '../../schema/objectSize.js';
import { doAll } from '../../turns.js';
import { slowPattern, slowText } from '../testing/slowPattern.js';
import { normalised } from './normalised.js';
import type { StructuralSchema } from './structuralSchema.js';
import { validate } from './validation.js';
import { ValueChecks } from './valueChecks.js';

const causesOf = (schema: StructuralSchema, value: unknown, before?: unknown): readonly string[] => {
  const causes = new Causes();
  doAll(collectCauses(causes, validate({ schema, value, field: '', before }, new ValueChecks(36), causes)));
  return causes.list.map(({ field, message }) => `${field}: ${message}`);
};
const normal = (schema: StructuralSchema, value: unknown) => doAll(normalised(value, schema, { setsDefaults: true }));
const shown = (schema: StructuralSchema, value: unknown, most: number) =>
  doAll(normalised(value, schema, { setsDefaults: true, room: new ShownDefaults(most) }));
const fields = (properties: Readonly<Record<string, StructuralSchema>>): StructuralSchema => ({
  type: 'object',
  properties,
});

describe('a value', () => {
  it('is not checked where it stays as it was', () => {
    const schema = fields({ a: { type: 'string' }, b: { type: 'integer' } });
    expect(causesOf(schema, { a: 1, b: 2 }, { a: 1, b: 1 })).toEqual([]);
    expect(causesOf(schema, { a: 1, b: 'x' }, { a: 1, b: 1 })).toHaveLength(1);
  });

  it('has at most a hundred causes', () => {
    const items: StructuralSchema = { type: 'array', items: { type: 'integer' } };
    expect(
      causesOf(
        items,
        Array.from({ length: 100_000 }, () => 'x'),
      ),
    ).toHaveLength(100);
  });

  it('keeps patterns apart', () => {
    const schema = fields({ a: { type: 'string', pattern: '^a$' }, b: { type: 'string', pattern: '^b$' } });
    expect(causesOf(schema, { a: 'a', b: 'b' })).toEqual([]);
  });

  it('is refused where its pattern takes too long', () => {
    const slow = fields({ a: { type: 'string', pattern: slowPattern } });
    expect(causesOf(slow, { a: slowText() })).toEqual([
      'a: Forbidden: the pattern of this field cannot be checked: the matches of the request took longer than 1000 ms',
    ]);
  });

  it('that is stored is shown without the defaults that would make it larger than the server stores', () => {
    const text = 'x'.repeat(1000);
    const items: StructuralSchema = fields({
      a: { type: 'string', default: text },
      b: { type: 'string', default: 'b' },
    });
    const list = shown({ type: 'array', items }, [{}, { a: 'own' }, {}], 1015);
    expect(list).toEqual([{ a: text, b: 'b' }, { a: 'own', b: 'b' }, { b: 'b' }]);
  });

  it('may be as deep as a body', () => {
    let schema: StructuralSchema = { type: 'integer', default: 1 };
    let value: unknown = 'x';
    for (let depth = 0; depth < 990; depth++) {
      schema = fields({ a: schema });
      value = { a: value };
    }
    expect(causesOf(schema, value)).toHaveLength(1);
    expect(normal(schema, value)).toEqual(value);
  });

  it('may have the names of inherited fields', () => {
    const value = JSON.parse('{"__proto__": 1, "constructor": 2, "a": {"__proto__": 3}}');
    expect(normal(fields({}), value)).toEqual({});
    const open: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    expect(JSON.stringify(normal(open, value))).toBe(JSON.stringify(value));
    const map: StructuralSchema = { type: 'object', additionalProperties: { type: 'integer' } };
    expect(JSON.stringify(normal(map, value))).toBe('{"__proto__":1,"constructor":2,"a":{}}');
    expect(causesOf(fields({ a: fields({}) }), value)).toEqual([]);
  });
});

describe('the normal form', () => {
  const schema = fields({
    a: { type: 'object', default: {}, properties: { b: { type: 'integer', default: 1 } } },
    list: { type: 'array', items: fields({ c: { type: 'string', default: 'x' } }) },
    nothing: { type: 'string', nullable: true, default: 'y' },
  });

  it.each([
    [{}, { a: { b: 1 }, nothing: 'y' }],
    [
      { a: null, nothing: null },
      { a: { b: 1 }, nothing: null },
    ],
    [{ a: { b: null } }, { a: { b: 1 }, nothing: 'y' }],
    [{ list: [{}, { c: 'z', d: 1 }, 5] }, { list: [{ c: 'x' }, { c: 'z' }, 5], a: { b: 1 }, nothing: 'y' }],
    [{ more: { x: 1 } }, { a: { b: 1 }, nothing: 'y' }],
  ])('of %j is %j', (value, expected) => {
    const before = JSON.stringify(value);
    expect(normal(schema, value)).toEqual(expected);
    expect(JSON.stringify(value)).toBe(before);
  });

  it('says which fields are unknown', () => {
    const unknown = new FieldPaths();
    const value = { more: 1, a: { other: 2 }, list: [{ c: 'a' }, { d: { e: 1 } }] };
    doAll(normalised(value, schema, { setsDefaults: false, unknown }));
    expect(unknown.found).toEqual(['more', 'a.other', 'list[1].d']);
  });
});
