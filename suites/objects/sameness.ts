// Compares an object that was read as protobuf with the same object read as JSON.
import { type Field, fieldsOf, isTypeName, type Type, typeOf, typeOfKind } from '../../matrix/api/types/index.js';
import { fail } from '../client/expect.js';
import { at, brief, isObject, type Json, type JsonObject } from '../client/json.js';

/**
 * Throws Failure if the two differ. JSON omits empty and zero values that protobuf may have: that is no difference. A
 * number or a boolean that only JSON has is a difference. Members that the field table lacks are not compared.
 */
export function sameObject(protobuf: unknown, json: unknown, what: string): void {
  const type = typeOfKind(String(at(json, 'apiVersion')), String(at(json, 'kind')));
  if (type === undefined) fail(`${what}: JSON is ${brief(json)}, of no known kind`);
  const found = difference(type, protobuf, json, '');
  if (found !== undefined) fail(`${what}: ${found}`);
}

/** Returns the first difference; undefined if there is none. */
function difference(type: Type, protobuf: unknown, json: unknown, path: string): string | undefined {
  const [left, right] = [objectOf(protobuf), objectOf(json)];
  if (left === undefined || right === undefined) return differs(protobuf, json, path);
  for (const field of fieldsOf(type)) {
    const found = inField(
      field,
      left[field.name],
      right[field.name],
      path === '' ? field.name : `${path}.${field.name}`,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function inField(field: Field, protobuf: Json | undefined, json: Json | undefined, path: string): string | undefined {
  if (field.shape === undefined) return inValue(field, protobuf, json, path);
  if (isNone(protobuf) && isNone(json)) return undefined;
  const [left, right] = [membersOf(protobuf), membersOf(json)];
  const keys = Object.keys(right);
  if (Object.keys(left).length !== keys.length) return differs(protobuf, json, path);
  for (const key of keys) {
    const [mine, theirs] = [at(left, key), at(right, key)];
    const found = mine === undefined ? differs(protobuf, json, path) : inValue(field, mine, theirs, `${path}[${key}]`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inValue(
  { type }: Field,
  protobuf: Json | undefined,
  json: Json | undefined,
  path: string,
): string | undefined {
  const isMessage = isTypeName(type) && typeOf(type).bare === undefined;
  if (isMessage) return difference(typeOf(type), protobuf, json, path);
  if (JSON.stringify(protobuf) === JSON.stringify(json)) return undefined;
  const isUnsaid = json === undefined ? isZero(protobuf) : protobuf === undefined && (json === null || json === '');
  return isUnsaid ? undefined : differs(protobuf, json, path);
}

const differs = (protobuf: unknown, json: unknown, path: string): string =>
  `${path} is ${brief(protobuf)} in protobuf and ${brief(json)} in JSON`;

/** An absent object equals an empty one. */
const objectOf = (value: unknown): JsonObject | undefined =>
  value === undefined || value === null ? {} : isObject(value) ? value : undefined;

const membersOf = (value: Json | undefined): JsonObject =>
  Array.isArray(value) ? Object.fromEntries(value.entries()) : (objectOf(value) ?? {});

const isNone = (value: Json | undefined): boolean => Object.keys(membersOf(value)).length === 0;

const isZero = (value: Json | undefined): boolean =>
  [undefined, null, '', 0, false, '0'].some((zero) => zero === value) || (typeof value === 'object' && isNone(value));
