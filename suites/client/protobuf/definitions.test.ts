// The field table has the numbers and types of the suite's own list, and the suite does not use the table's numbers.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Field, type Scalar, type Type, types } from '../../../matrix/api/types/index.js';
import { definitions, fieldNumberOf } from './definitions/index.js';
import { decodeObject, encodeObject } from './envelope.js';

const scalars: Record<Scalar, string> = {
  string: 'string',
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  bytes: 'bytes',
  quantity: 'Quantity',
  intOrString: 'IntOrString',
  time: 'Time',
  raw: 'RawExtension',
};

const scalarOf = (type: string): string => scalars[type as Scalar] ?? type.replace('extensions.', '');

function published({ type, shape }: Field): string {
  const value = scalarOf(type);
  return shape === 'list' ? `${value}[]` : shape === 'map' ? `map ${value}` : value;
}

/** Returns the differences between a table and the list: the field, the table's definition, the list's definition. */
function differences(table: readonly Type[]): string[] {
  return table.flatMap(({ name, fields }) =>
    fields.flatMap((field) => {
      const listed = definitions.get(name)?.get(field.name);
      const [mine, theirs] = [`${field.proto} ${published(field)}`, listed && `${listed.number} ${listed.type}`];
      return mine === theirs ? [] : [`${name}.${field.name}: ${mine}, published as ${theirs ?? 'nothing'}`];
    }),
  );
}

describe('the field table', () => {
  it('has the published number and type of every field', () => {
    expect(differences(Object.values(types))).toEqual([]);
  });

  it('leaves out no field and no message of the list', () => {
    const listed = [...definitions].map(([name, fields]) => [name, [...fields.keys()].sort()]);
    const table = Object.values(types).map(({ name, fields }) => [name, fields.map(({ name }) => name).sort()]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(table));
  });

  it('is told apart from one with two numbers swapped, by name', () => {
    const [name, generateName, ...others] = types.ObjectMeta.fields as [Field, Field, ...Field[]];
    const fields = [{ ...name, proto: generateName.proto }, { ...generateName, proto: name.proto }, ...others];
    expect(differences([{ ...types.ObjectMeta, fields }])).toEqual([
      'ObjectMeta.name: 2 string, published as 1 string',
      'ObjectMeta.generateName: 1 string, published as 2 string',
    ]);
  });
});

describe("the suite's codec", () => {
  it('reads and writes by the list whatever numbers the field table has', () => {
    const bytes = readFileSync(new URL('golden/configMap.bin', import.meta.url));
    const table = types.ObjectMeta.fields as unknown as { proto: number }[];
    const before = table.map(({ proto }) => proto);
    try {
      // Runs before the codec reads the type for the first time.
      for (const field of table) field.proto = 100 - field.proto;
      const object = decodeObject(bytes);
      expect(object).toMatchObject({ metadata: { name: 'c1', namespace: 'ev', resourceVersion: '96' } });
      expect(decodeObject(encodeObject(object))).toEqual(object);
      expect(Buffer.from(encodeObject({ ...object, data: {} })).includes(Buffer.from('\n\u0002c1'))).toBe(true);
    } finally {
      for (const [index, field] of table.entries()) field.proto = before[index] ?? 0;
    }
  });

  it('knows the numbers of every list, and of no field that is not published', () => {
    expect([fieldNumberOf('PodList', 'metadata'), fieldNumberOf('PodList', 'items')]).toEqual([1, 2]);
    expect(() => fieldNumberOf('ObjectMeta', 'surname')).toThrow('no protobuf number is listed for ObjectMeta.surname');
  });
});
