// An object of a custom resource in its normal form: without unknown fields, and with the defaults of its schema.
import { typeOf } from '../../../matrix/api/modern/index.js';
import type { FieldPaths } from '../../codecs/fieldPaths.js';
import { decodeValue } from '../../schema/decode.js';
import { isRecord, type ObjectMeta, own, setOwn } from '../../schema/object.js';
import { type DefaultsCount, DefaultsSum, jsonBytes } from '../../schema/objectSize.js';
import { TypeMismatch } from '../../schema/scalars.js';
import { unknownFields } from '../../schema/unknownFields.js';
import type { Steps } from '../../turns.js';
import { fieldSchema, type StructuralSchema } from './structuralSchema.js';

type Fields = Readonly<Record<string, unknown>>;

/** What happens on the way through a value. */
interface Pass {
  readonly setsDefaults: boolean;
  /** Whether nulls stay that the schema does not allow, unless there is a default in their place. */
  readonly keepsNulls?: boolean;
  /** Whether the metadata of embedded objects stay as they are. */
  readonly keepsMetadata?: boolean;
  /** Collects the paths of unknown fields. */
  readonly unknown?: FieldPaths;
  /** What the defaults may add; unlimited when absent. */
  readonly room?: DefaultsCount;
}

/**
 * Returns a value of a schema in its normal form, in steps. The value stays as it is; parts without a change may be
 * shared with the result. Throws TypeMismatch for the metadata of an embedded object.
 */
export function* normalised(value: unknown, schema: StructuralSchema, pass: Pass): Steps<unknown> {
  if (Array.isArray(value)) return yield* normalisedList(value, schema, pass);
  return isRecord(value) ? yield* normalisedFields(value, schema, pass) : value;
}

function* normalisedList(items: readonly unknown[], schema: StructuralSchema, pass: Pass): Steps<readonly unknown[]> {
  const { items: itemSchema } = schema;
  if (itemSchema === undefined) return keepsUnknown(schema) ? items : items.map((item) => emptied(item));
  const result: unknown[] = [];
  pass.unknown?.enter(0);
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (typeof item !== 'object' || item === null) {
      result.push(item);
    } else {
      pass.unknown?.goTo(index);
      try {
        result.push(yield* normalised(item, itemSchema, pass));
      } catch (error) {
        throw error instanceof TypeMismatch ? error.inside(index) : error;
      }
    }
  }
  pass.unknown?.leave();
  return result;
}

/** Returns a value without a schema: objects have no known fields. */
const emptied = (value: unknown): unknown => (isRecord(value) ? {} : Array.isArray(value) ? value.map(emptied) : value);

const keepsUnknown = (schema: StructuralSchema): boolean => schema['x-kubernetes-preserve-unknown-fields'] === true;

function* normalisedFields(fields: Fields, schema: StructuralSchema, pass: Pass): Steps<Fields> {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const result: Record<string, unknown> = {};
  pass.unknown?.enter('');
  yield;
  for (const name of Object.keys(fields)) {
    pass.unknown?.goTo(name);
    if (isEmbedded && resourceFields.has(name)) {
      result[name] = name === 'metadata' ? yield* embeddedMetadata(fields[name], pass) : fields[name];
    } else yield* keepField(name, fields[name], schema, pass, result);
  }
  pass.unknown?.leave();
  if (pass.setsDefaults) yield* setDefaults(result, schema, pass);
  return result;
}

const resourceFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function* keepField(
  name: string,
  value: unknown,
  schema: StructuralSchema,
  pass: Pass,
  into: Record<string, unknown>,
): Steps<void> {
  const known = fieldSchema(schema, name);
  if (known === undefined) {
    if (keepsUnknown(schema)) setOwn(into, name, value);
    // Without a schema for its values, a map keeps plain ones, and no fields of objects, as on real servers.
    else if (schema.additionalProperties !== undefined) setOwn(into, name, emptied(value));
    else pass.unknown?.add();
    return;
  }
  // A null where the schema has none counts as an absent field; `setDefaults` sets its default.
  if (value === null && known.nullable !== true && pass.setsDefaults) {
    if (pass.keepsNulls !== true || known.default !== undefined) return;
  }
  if (typeof value !== 'object' || value === null) return setOwn(into, name, value);
  try {
    setOwn(into, name, yield* normalised(value, known, pass));
  } catch (error) {
    throw error instanceof TypeMismatch ? error.inside(name) : error;
  }
}

function* setDefaults(into: Record<string, unknown>, { properties }: StructuralSchema, pass: Pass): Steps<void> {
  if (properties === undefined) return;
  for (const name of namesWithDefaults(properties)) {
    if (own(into, name) !== undefined) continue;
    const schema = own(properties, name) as StructuralSchema;
    const { value, bytes } = yield* wholeDefault(schema);
    if (pass.room?.takes(name.length + bytes) === false) continue;
    // The default is shared by all objects: code never writes to stored values.
    setOwn(into, name, value);
  }
}

interface WholeDefault {
  readonly value: unknown;
  /** The bytes of its JSON, or somewhat more, and how many of them are those of defaults inside of it. */
  readonly bytes: number;
  readonly added: number;
}

const wholeDefaults = new WeakMap<StructuralSchema, WholeDefault>();

/**
 * Returns the default of a schema in its normal form, which is made once. Parts of the value are shared: its JSON may be
 * far longer than the schema, so that nothing may go through it before its bytes are known to be few.
 */
export function* wholeDefault(schema: StructuralSchema): Steps<WholeDefault> {
  let known = wholeDefaults.get(schema);
  if (known === undefined) {
    const room = new DefaultsSum();
    const value = yield* normalised(schema.default, schema, { setsDefaults: true, room });
    known = { value, bytes: jsonBytes(schema.default) + room.bytes, added: room.bytes };
    wholeDefaults.set(schema, known);
  }
  return known;
}

const withDefaults = new WeakMap<object, readonly string[]>();

function namesWithDefaults(properties: NonNullable<StructuralSchema['properties']>): readonly string[] {
  let names = withDefaults.get(properties);
  if (names === undefined) {
    names = Object.keys(properties).filter((name) => properties[name]?.default !== undefined);
    withDefaults.set(properties, names);
  }
  return names;
}

/** Returns the metadata of an embedded object: known fields only. */
function* embeddedMetadata(value: unknown, { unknown, keepsMetadata }: Pass): Steps<unknown> {
  if (value === null || value === undefined || keepsMetadata === true) return value;
  const type = typeOf('ObjectMeta');
  let decoded: unknown;
  try {
    decoded = yield* decodeValue(type, value);
  } catch (error) {
    throw error instanceof TypeMismatch ? error.inside('metadata') : error;
  }
  if (unknown !== undefined) {
    unknown.enter('');
    for (const path of yield* unknownFields(type, value)) {
      unknown.goTo(path);
      unknown.add();
    }
    unknown.leave();
  }
  return decoded;
}

/** Decodes the metadata of a custom resource. Throws TypeMismatch. */
export function* decodedMetadata(value: unknown): Steps<ObjectMeta> {
  try {
    return (yield* decodeValue(typeOf('ObjectMeta'), value ?? {})) as ObjectMeta;
  } catch (error) {
    throw error instanceof TypeMismatch ? error.inside('metadata') : error;
  }
}
