// Decodes messages of the field table to the JSON form of an object, and encodes them.
import { type Field, isTypeName, type Type, typeOf } from '../../../matrix/api/types/index.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { fieldNumberOf } from './definitions/index.js';
import { decodeScalar, decodeScalars, encodeScalar } from './scalars.js';
import { delimitedField, readFields, type WireField, wireTypes } from './wire.js';

/** A field with its number in the suite's own list. */
interface Numbered {
  readonly field: Field;
  readonly number: number;
}

const numbered = new WeakMap<Type, ReadonlyMap<number, Numbered>>();

/** Returns the fields of a type by the numbers of the suite's own list; the numbers of the field table are not used. */
function numbersOf(type: Type): ReadonlyMap<number, Numbered> {
  const known = numbered.get(type);
  if (known !== undefined) return known;
  const fields = type.fields.map((field) => ({ field, number: fieldNumberOf(type.name, field.name) }));
  const made = new Map(fields.map((one) => [one.number, one]));
  numbered.set(type, made);
  return made;
}

/** Decodes a message. Skips fields that the table lacks; an absent field stays absent. Throws if it is malformed. */
export function decodeMessage(type: Type, bytes: Uint8Array): JsonObject {
  const known = numbersOf(type);
  const values = new Map<string, Json | undefined>();
  for (const wire of readFields(bytes)) {
    const field = known.get(wire.number)?.field;
    if (field === undefined) continue;
    if (field.inlined) for (const [key, value] of Object.entries(decodeInlined(field, wire))) values.set(key, value);
    else values.set(field.name, together(field, values.get(field.name), wire));
  }
  return Object.fromEntries(values);
}

/** Encodes an object. Omits nulls, and members that the table lacks. */
export function encodeMessage(type: Type, object: JsonObject): Uint8Array {
  return Buffer.concat([...numbersOf(type).values()].flatMap((one) => encodeField(one, object)));
}

function decodeInlined({ type }: Field, wire: WireField): JsonObject {
  return isTypeName(type) ? decodeMessage(typeOf(type), messageOf(wire)) : {};
}

/** Returns the value of a field after one more occurrence: lists and maps grow; otherwise the last one counts. */
function together({ type, shape }: Field, before: Json | undefined, wire: WireField): Json {
  if (shape === 'map') {
    const [key, value] = decodeEntry(type, wire);
    return Object.fromEntries([...Object.entries(isObject(before) ? before : {}), [key, value]]);
  }
  if (shape !== 'list') return decodeValue(type, wire);
  const values = isTypeName(type) ? [decodeValue(type, wire)] : decodeScalars(type, wire);
  return Array.isArray(before) ? [...before, ...values] : values;
}

function decodeValue(type: Field['type'], wire: WireField): Json {
  if (!isTypeName(type)) return decodeScalar(type, wire);
  const { bare } = typeOf(type);
  const object = decodeMessage(typeOf(type), messageOf(wire));
  return bare === undefined ? object : (object[bare.name] ?? []);
}

/** Decodes an entry of a map, which is a message: field 1 is the key, field 2 the value. An absent field is empty. */
function decodeEntry(type: Field['type'], wire: WireField): [string, Json] {
  const parts = new Map(readFields(messageOf(wire)).map((field) => [field.number, field]));
  const empty = (number: number): WireField => ({
    number,
    wireType: wireTypes.delimited,
    value: 0n,
    bytes: Buffer.alloc(0),
  });
  const key = decodeScalar('string', parts.get(1) ?? empty(1));
  return [String(key), decodeValue(type, parts.get(2) ?? empty(2))];
}

function messageOf({ number, wireType, bytes }: WireField): Uint8Array {
  if (wireType !== wireTypes.delimited) throw new Error(`field ${number} has the wire type ${wireType}, no message`);
  return bytes;
}

function encodeField({ field, number }: Numbered, object: JsonObject): Uint8Array[] {
  const { name, type, shape, inlined } = field;
  if (inlined && isTypeName(type)) {
    const nested = encodeMessage(typeOf(type), object);
    return nested.length === 0 ? [] : [delimitedField(number, nested)];
  }
  const value = object[name];
  if (value === undefined || value === null) return [];
  if (shape === 'map') {
    const entries = Object.entries(isObject(value) ? value : {});
    return entries.map(([key, held]) =>
      delimitedField(number, Buffer.concat([delimitedField(1, key), encodeValue(type, 2, held ?? null)])),
    );
  }
  if (shape === 'list') return (Array.isArray(value) ? value : []).map((held: Json) => encodeValue(type, number, held));
  return [encodeValue(type, number, value)];
}

function encodeValue(type: Field['type'], number: number, value: Json): Uint8Array {
  if (!isTypeName(type)) return encodeScalar(type, number, value);
  const { bare } = typeOf(type);
  const object = bare === undefined ? value : { [bare.name]: value };
  return delimitedField(number, encodeMessage(typeOf(type), isObject(object) ? object : {}));
}
