// Generates objects of any type of the field table as the server keeps them, for tests.
import fc from 'fast-check';
import { type Field, fieldsOf, isTypeName, type Scalar, type Type, typeOf } from '../../matrix/api/modern/index.js';
import { parseJson } from '../exactJson.js';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });

const instants = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});

const scalars: Readonly<Record<Scalar, fc.Arbitrary<unknown>>> = {
  string: text,
  boolean: fc.boolean(),
  int32: fc.integer(),
  int64: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n)),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  quantity: fc.constantFrom('0', '100m', '1', '1500Mi', '3Gi', '-2', '1e3'),
  intOrString: fc.oneof(fc.integer(), text, fc.constant('')),
  time: instants.map((date) => `${date.toISOString().slice(0, 19)}Z`),
  microTime: fc
    .tuple(instants, fc.integer({ min: 0, max: 999_999 }))
    .map(([date, micros]) => `${date.toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`),
  // The text of JSON has no -0.
  number: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  raw: fc
    .json()
    .map((text) => parseJson(JSON.stringify(JSON.parse(text))))
    .filter((value) => value !== null),
};

/** Generates a field's value. Excludes a zero that equals an absent field. */
function fieldValue(field: Field, depth: number, within?: Type): fc.Arbitrary<unknown> {
  // A type that contains itself in many fields would grow without end.
  const inner = isTypeName(field.type) && typeOf(field.type) === within ? Math.min(depth - 1, 1) : depth - 1;
  const item = isTypeName(field.type) ? objectsOf(typeOf(field.type), inner) : scalars[field.type];
  if (field.or === 'boolean') return fc.oneof(item, fc.boolean());
  if (field.or === 'list') return fc.oneof(item, fc.array(item, { minLength: 1, maxLength: 3 }));
  if (field.shape === 'list') return fc.array(item, { minLength: 1, maxLength: 3 });
  if (field.shape === 'map') {
    const keys = text.filter((key) => key !== '__proto__');
    return fc.dictionary(keys, item, { minKeys: 1, maxKeys: 3 }).map((map) => ({ ...map }));
  }
  const saysNothing = !field.required && !field.presence && ['boolean', 'int32', 'int64'].includes(field.type);
  return saysNothing ? item.filter((value) => value !== 0 && value !== false) : item;
}

/** Generates objects of a type. Beyond the depth, they have no fields that are objects. */
export function objectsOf(type: Type, depth = 8): fc.Arbitrary<unknown> {
  if (type.bare !== undefined) return fieldValue(type.bare, depth);
  const fields = fieldsOf(type).filter(({ proto, type }) => proto > 0 && (depth > 0 || !isTypeName(type)));
  const model = Object.fromEntries(fields.map((field) => [field.name, fieldValue(field, depth, type)]));
  return fc.record(model, { requiredKeys: [], noNullPrototype: true });
}
