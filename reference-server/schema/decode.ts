// Decoders, one for each type of the field table: they check JSON, drop unknown fields, order the fields and set
// defaults.
import {
  type Field,
  fieldsOf,
  isTypeName,
  type Scalar,
  type Type,
  type TypeName,
  typeOf,
} from '../../matrix/api/modern/index.js';
import type { Turns } from '../turns.js';
import { type Default, defaults, finishers } from './defaults.js';
import { setOwn } from './object.js';
import { scalars, TypeMismatch, typeName, zeroValues } from './scalars.js';

/**
 * Returns a new value, owned by the caller. Throws TypeMismatch. With turns, returns a promise if the first turn ends
 * before the work is done.
 */
export type Decoder = (value: unknown, turns?: Turns) => unknown;

const decoders = new WeakMap<Type, Decoder>();

/** Returns the decoder of a type. Decoders are made on first use. */
export function decoderOf(type: Type): Decoder {
  const known = decoders.get(type);
  if (known) return known;
  const decoder = type.bare ? shaped(scalarOrType(type.bare.type), 'list', true) : objectDecoder(type);
  decoders.set(type, decoder);
  return decoder;
}

interface FieldDecoder {
  readonly name: string;
  /** Returns undefined for an empty optional list or map, which equals an absent one. */
  readonly decode: Decoder;
  /** A value that equals an absent one: empty text, or the zero of a number or boolean without presence. */
  readonly nothing: unknown;
  /** The value of an absent field: a default, or the zero value of a required scalar. */
  readonly fallback: Default | undefined;
}

function objectDecoder(type: Type): Decoder {
  // Types contain each other, so the fields are resolved when the first value arrives.
  let fields: readonly FieldDecoder[] | undefined;
  const finish = finishers[type.name as TypeName];
  return (value, turns) => {
    const source = record(value);
    fields ??= fieldsOf(type).map((field) => fieldDecoder(type, field));
    const all = fields;
    const result: Record<string, unknown> = {};
    const done = () => {
      finish?.(result);
      return result;
    };
    if (turns !== undefined) {
      return decodedInTurns(turns, all.length, {
        decode: (at) => decodeField(all[at] as FieldDecoder, source, result, turns),
        keep: (at, value) => {
          if (value !== undefined) result[(all[at] as FieldDecoder).name] = value;
        },
        step: (at) => (all[at] as FieldDecoder).name,
        done,
      });
    }
    let at = '';
    try {
      for (const field of all) {
        at = field.name;
        const value = decodeField(field, source, result);
        if (value !== undefined) result[at] = value;
      }
    } catch (error) {
      throw error instanceof TypeMismatch ? error.inside(at) : error;
    }
    return done();
  };
}

function decodeField(
  { name, decode, fallback, nothing }: FieldDecoder,
  source: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
  turns?: Turns,
): unknown {
  const given = source[name];
  if (given !== undefined && given !== null && given !== nothing) return decode(given, turns);
  return typeof fallback === 'function' ? fallback(before) : fallback;
}

function fieldDecoder(type: Type, field: Field): FieldDecoder {
  const { name, shape, required, presence } = field;
  const zero = shape ? undefined : zeroValues[field.type as Scalar];
  const fallback = defaults[type.name as TypeName]?.[name] ?? ((required ? zero : undefined) as Default | undefined);
  const decode = orElse(field, shaped(scalarOrType(field.type), shape, required === true));
  return { name, decode, fallback, nothing: required || presence ? undefined : zero };
}

/** Returns the decoder of a field that keeps values of its other type. */
function orElse({ or }: Field, decode: Decoder): Decoder {
  if (or === undefined) return decode;
  const isOther = or === 'list' ? Array.isArray : (value: unknown) => typeof value === 'boolean';
  return (value, turns) => (isOther(value) ? value : decode(value, turns));
}

function scalarOrType(type: Scalar | TypeName): Decoder {
  return isTypeName(type) ? decoderOf(typeOf(type)) : scalars[type];
}

function shaped(decode: Decoder, shape: 'list' | 'map' | undefined, keepsEmpty: boolean): Decoder {
  if (shape === 'list') return (value, turns) => decodeList(value, decode, keepsEmpty, turns);
  return shape === 'map' ? (value, turns) => decodeMap(value, decode, keepsEmpty, turns) : decode;
}

function decodeList(value: unknown, decode: Decoder, keepsEmpty: boolean, turns?: Turns): unknown {
  if (!Array.isArray(value)) throw new TypeMismatch(`expected array, got ${typeName(value)}`);
  const items: unknown[] = [];
  const done = () => (items.length > 0 || keepsEmpty ? items : undefined);
  if (turns !== undefined) {
    return decodedInTurns(turns, value.length, {
      decode: (at) => decode(value[at], turns),
      keep: (_, item) => {
        items.push(item);
      },
      step: (at) => at,
      done,
    });
  }
  let at = 0;
  try {
    for (; at < value.length; at++) items.push(decode(value[at]));
  } catch (error) {
    throw error instanceof TypeMismatch ? error.inside(at) : error;
  }
  return done();
}

function decodeMap(value: unknown, decode: Decoder, keepsEmpty: boolean, turns?: Turns): unknown {
  const source = record(value);
  const names = Object.keys(source);
  const result: Record<string, unknown> = {};
  let isEmpty = true;
  const keep = (name: string, item: unknown) => {
    setOwn(result, name, item);
    isEmpty = false;
  };
  const done = () => (isEmpty && !keepsEmpty ? undefined : result);
  const decodeAt = (name: string) => {
    const given = source[name];
    return given === null || given === undefined ? undefined : decode(given, turns);
  };
  if (turns !== undefined) {
    return decodedInTurns(turns, names.length, {
      decode: (at) => decodeAt(names[at] as string),
      keep: (at, item) => {
        if (item !== undefined) keep(names[at] as string, item);
      },
      step: (at) => names[at] as string,
      done,
    });
  }
  let at = '';
  try {
    for (at of names) {
      const item = decodeAt(at);
      if (item !== undefined) keep(at, item);
    }
  } catch (error) {
    throw error instanceof TypeMismatch ? error.inside(at) : error;
  }
  return done();
}

/** The fields, items or entries of a value. */
interface Parts {
  /** Returns the decoded value or a promise, as a decoder does. */
  decode(at: number): unknown;
  keep(at: number, value: unknown): void;
  /** The name of a part in the path of an error. */
  step(at: number): string | number;
  /** Returns the whole value after all parts are kept. */
  done(): unknown;
}

/** Decodes part by part until the turn ends, and the rest in later turns. */
function decodedInTurns(turns: Turns, count: number, parts: Parts): unknown {
  let at = 0;
  try {
    for (; at < count; at++) {
      if (turns.isOverAfterSteps) return decodedLater(turns, at, count, parts);
      const value = parts.decode(at);
      if (value instanceof Promise) return decodedLater(turns, at, count, parts, value);
      parts.keep(at, value);
    }
  } catch (error) {
    throw error instanceof TypeMismatch ? error.inside(parts.step(at)) : error;
  }
  return parts.done();
}

async function decodedLater(
  turns: Turns,
  from: number,
  count: number,
  parts: Parts,
  begun?: Promise<unknown>,
): Promise<unknown> {
  let at = from;
  try {
    if (begun !== undefined) {
      parts.keep(at, await begun);
      at += 1;
    }
    for (; at < count; at++) {
      if (at === from || turns.isOverAfterSteps) await turns.next();
      const value = parts.decode(at);
      parts.keep(at, value instanceof Promise ? await value : value);
    }
  } catch (error) {
    throw error instanceof TypeMismatch ? error.inside(parts.step(at)) : error;
  }
  return parts.done();
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new TypeMismatch(`expected object, got ${typeName(value)}`);
}
