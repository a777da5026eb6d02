// Decoders, one per type of the field table: check JSON, drop what is unknown, order the fields, fill in defaults.
import {
  type Field,
  fieldsOf,
  isTypeName,
  type Scalar,
  type Type,
  type TypeName,
  typeOf,
} from '../../matrix/api/types/index.js';
import { type Default, defaults, finishers } from './defaults.js';
import { setOwn } from './object.js';
import { scalars, TypeMismatch, typeName, zeroValues } from './scalars.js';

/** Answers a value of its own, owned by the caller. Throws TypeMismatch. */
export type Decoder = (value: unknown) => unknown;

const decoders = new WeakMap<Type, Decoder>();

/** The decoder of a type; made when it is first asked for. */
export function decoderOf(type: Type): Decoder {
  const known = decoders.get(type);
  if (known) return known;
  const decoder = type.bare ? shaped(scalarOrType(type.bare.type), 'list') : objectDecoder(type);
  decoders.set(type, decoder);
  return decoder;
}

interface FieldDecoder {
  readonly name: string;
  readonly decode: Decoder;
  /** An optional list or map: an empty one is no different from an absent one. */
  readonly isMany: boolean;
  /** What is no different from an absent value: empty text, or the zero of a number or boolean without presence. */
  readonly nothing: unknown;
  /** Written when the field is absent: a default, or the zero value of a required scalar. */
  readonly fallback: Default | undefined;
}

function objectDecoder(type: Type): Decoder {
  // Types contain each other, so the fields are looked at when the first value comes.
  let fields: readonly FieldDecoder[] | undefined;
  const finish = finishers[type.name as TypeName];
  return (value) => {
    const source = record(value);
    fields ??= fieldsOf(type).map((field) => fieldDecoder(type, field));
    const result: Record<string, unknown> = {};
    let at = '';
    try {
      for (const { name, decode, fallback, isMany, nothing } of fields) {
        at = name;
        const given = source[name];
        if (given !== undefined && given !== null && given !== nothing) {
          const value = decode(given);
          if (!isMany || !isEmpty(value)) result[name] = value;
        } else if (fallback !== undefined) {
          const filled = typeof fallback === 'function' ? fallback(result) : fallback;
          if (filled !== undefined) result[name] = filled;
        }
      }
    } catch (error) {
      throw error instanceof TypeMismatch ? error.inside(at) : error;
    }
    finish?.(result);
    return result;
  };
}

function fieldDecoder(type: Type, field: Field): FieldDecoder {
  const { name, shape, required, presence } = field;
  const zero = shape ? undefined : zeroValues[field.type as Scalar];
  const fallback = defaults[type.name as TypeName]?.[name] ?? ((required ? zero : undefined) as Default | undefined);
  const decode = shaped(scalarOrType(field.type), shape);
  const isMany = shape !== undefined && required !== true;
  return { name, decode, fallback, isMany, nothing: required || presence ? undefined : zero };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : Object.keys(value as object).length === 0;
}

function scalarOrType(type: Scalar | TypeName): Decoder {
  return isTypeName(type) ? decoderOf(typeOf(type)) : scalars[type];
}

function shaped(decode: Decoder, shape: 'list' | 'map' | undefined): Decoder {
  if (shape === 'list') return (value) => decodeList(value, decode);
  return shape === 'map' ? (value) => decodeMap(value, decode) : decode;
}

function decodeList(value: unknown, decode: Decoder): unknown[] {
  if (!Array.isArray(value)) throw new TypeMismatch(`expected array, got ${typeName(value)}`);
  let at = 0;
  try {
    const items: unknown[] = [];
    for (; at < value.length; at++) items.push(decode(value[at]));
    return items;
  } catch (error) {
    throw error instanceof TypeMismatch ? error.inside(at) : error;
  }
}

function decodeMap(value: unknown, decode: Decoder): Record<string, unknown> {
  const source = record(value);
  const result: Record<string, unknown> = {};
  let at = '';
  try {
    for (at of Object.keys(source)) {
      const given = source[at];
      if (given !== null && given !== undefined) setOwn(result, at, decode(given));
    }
  } catch (error) {
    throw error instanceof TypeMismatch ? error.inside(at) : error;
  }
  return result;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new TypeMismatch(`expected object, got ${typeName(value)}`);
}
