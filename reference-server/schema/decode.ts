// Decoding by the field table: checks JSON, drops unknown fields, orders the fields and sets defaults.
import {
  type Field,
  fieldsOf,
  isTypeName,
  type Scalar,
  type Type,
  type TypeName,
  typeOf,
} from '../../matrix/api/modern/index.js';
import { mayPause, type Steps } from '../turns.js';
import { additions, type Default, defaults, finishers } from './defaults.js';
import { setOwn } from './object.js';
import { roundedToMilli } from './quantity.js';
import { scalars, TypeMismatch, typeName, zeroItems, zeroValues } from './scalars.js';
import { isSettled } from './settled.js';

/**
 * Decodes a value of a type into a new value, which the caller owns but for its settled parts. Throws TypeMismatch. One loop decodes all nested
 * values, so that a small object costs no more than with recursion and a large one can pause anywhere.
 */
export function* decodeValue(type: Type, value: unknown): Steps<unknown> {
  if (madeAfter !== additions) {
    decoders = new WeakMap();
    madeAfter = additions;
  }
  const root = decoderOf(type)(value) as Container;
  for (let paused = decodeOn(root); paused !== undefined; paused = decodeOn(paused)) yield;
  return root.whole();
}

/** Decodes from a container to the end of the root. Returns the container at which it pauses before. */
function decodeOn(begun: Container): Container | undefined {
  let inner = begun;
  try {
    for (;;) {
      const next = inner.advance();
      if (next === inner) return inner;
      if (next !== undefined) {
        next.parent = inner;
        inner = next;
      } else {
        const { parent } = inner;
        if (parent === undefined) return undefined;
        parent.add(inner.whole());
        inner = parent;
        if (mayPause()) return inner;
      }
    }
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    for (let each: Container | undefined = inner; each !== undefined; each = each.parent) error.inside(each.step);
    throw error;
  }
}

/** Returns the decoded value of a scalar, or a settled object. Another object, list or map is opened: its parts are decoded later. */
type Decoder = (value: unknown) => unknown;

/** An object, list or map whose parts are decoded one after the other. */
abstract class Container {
  /** The container that this one is the current part of. */
  parent: Container | undefined;
  /** The index of the current part. */
  protected at = 0;

  /** The current part in the path of an error. */
  abstract readonly step: string | number;
  /** Decodes parts. Returns the next nested container, this one for a pause, or undefined at the end. */
  abstract advance(): Container | undefined;
  /** Adds the current part, which is decoded, and goes on to the next one. */
  abstract add(value: unknown): void;
  /** The result after all parts are added; undefined for an empty list or map that equals an absent one. */
  abstract whole(): unknown;
}

class ObjectContainer extends Container {
  private readonly result: Record<string, unknown> = {};

  constructor(
    private readonly fields: readonly FieldDecoder[],
    private readonly source: Readonly<Record<string, unknown>>,
    private readonly finish: ((object: Record<string, unknown>) => void) | undefined,
  ) {
    super();
  }

  get step(): string {
    return (this.fields[this.at] as FieldDecoder).name;
  }

  advance(): Container | undefined {
    const { fields, source, result } = this;
    for (let { at } = this; at < fields.length; at += 1) {
      const { name, decode, fallback, nothing } = fields[at] as FieldDecoder;
      const given = source[name];
      let value: unknown;
      if (given === undefined || given === null || given === nothing) {
        value = typeof fallback === 'function' ? fallback(result) : fallback;
      } else {
        this.at = at;
        value = decode(given);
        if (value instanceof Container) return value;
      }
      if (value !== undefined) result[name] = value;
    }
    return undefined;
  }

  add(value: unknown): void {
    if (value !== undefined) this.result[this.step] = value;
    this.at += 1;
  }

  whole(): unknown {
    this.finish?.(this.result);
    return this.result;
  }
}

class ListContainer extends Container {
  private readonly items: unknown[] = [];

  constructor(
    private readonly source: readonly unknown[],
    private readonly decode: Decoder,
    private readonly keepsEmpty: boolean,
  ) {
    super();
  }

  get step(): number {
    return this.at;
  }

  advance(): Container | undefined {
    const { source, decode, items } = this;
    while (this.at < source.length) {
      const item = decode(source[this.at]);
      if (item instanceof Container) return item;
      items.push(item);
      this.at += 1;
      if (mayPause()) return this;
    }
    return undefined;
  }

  add(item: unknown): void {
    this.items.push(item);
    this.at += 1;
  }

  whole(): unknown {
    return this.items.length > 0 || this.keepsEmpty ? this.items : undefined;
  }
}

class MapContainer extends Container {
  private readonly result: Record<string, unknown> = {};
  private readonly keys: readonly string[];
  private isEmpty = true;

  constructor(
    private readonly source: Readonly<Record<string, unknown>>,
    private readonly decode: Decoder,
    private readonly keepsEmpty: boolean,
  ) {
    super();
    this.keys = Object.keys(source);
  }

  get step(): string {
    return this.keys[this.at] as string;
  }

  advance(): Container | undefined {
    const { keys, source, decode } = this;
    while (this.at < keys.length) {
      const given = source[keys[this.at] as string];
      const value = given === undefined ? undefined : decode(given);
      if (value instanceof Container) return value;
      this.add(value);
      if (mayPause()) return this;
    }
    return undefined;
  }

  add(value: unknown): void {
    if (value !== undefined) {
      setOwn(this.result, this.step, value);
      this.isEmpty = false;
    }
    this.at += 1;
  }

  whole(): unknown {
    return this.isEmpty && !this.keepsEmpty ? undefined : this.result;
  }
}

/** The decoders of types, and how many additions of defaults they know. */
let decoders = new WeakMap<Type, Decoder>();
let madeAfter = additions;

/** Returns the decoder of a type, whose values are containers. Decoders are made on first use. */
function decoderOf(type: Type): Decoder {
  const known = decoders.get(type);
  if (known) return known;
  const decoder = type.bare ? shaped(type.bare.type, 'list', true) : objectDecoder(type);
  decoders.set(type, decoder);
  return decoder;
}

interface FieldDecoder {
  readonly name: string;
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
  return (value) => {
    const source = record(value);
    if (isSettled(type, source)) return source;
    fields ??= fieldsOf(type).map((field) => fieldDecoder(type, field));
    return new ObjectContainer(fields, source, finish);
  };
}

function fieldDecoder(type: Type, field: Field): FieldDecoder {
  const { name, shape, required, presence } = field;
  const zero = shape ? undefined : zeroValues[field.type as Scalar];
  const empty = !shape && field.type === 'bytes' ? '' : zero;
  const isWritten = required === true || (zero === null && presence !== true);
  const fallback = defaults[type.name as TypeName]?.[name] ?? (isWritten ? (zero as Default) : undefined);
  const item = field.type === 'quantity' && !hasExactQuantities(type) ? inList : itemDecoder;
  const decode = orElse(field, shaped(field.type, shape, required === true, item));
  return { name, decode, fallback, nothing: required || presence ? undefined : empty };
}

/** Returns the decoder of a field that keeps values of its other type. */
function orElse({ or }: Field, decode: Decoder): Decoder {
  if (or === undefined) return decode;
  const isOther = or === 'list' ? Array.isArray : (value: unknown) => typeof value === 'boolean';
  return (value) => (isOther(value) ? value : decode(value));
}

function scalarOrType(type: Scalar | TypeName): Decoder {
  return isTypeName(type) ? decoderOf(typeOf(type)) : scalars[type];
}

/** Returns the decoder of the items of a list or map: `null` is the zero value of their type, as on real servers. */
function itemDecoder(type: Scalar | TypeName): Decoder {
  const decode = scalarOrType(type);
  if (!isTypeName(type)) {
    const zero = zeroItems[type];
    return (value) => (value === null ? zero : decode(value));
  }
  const zero = typeOf(type).bare ? [] : {};
  return (value) => decode(value ?? zero);
}

/** Types of groups whose maps of quantities servers do not round. */
const hasExactQuantities = ({ name }: Type): boolean => /^(?:node|resource)\./.test(name);

/** Decodes a quantity in a list of resources. */
const inList: typeof itemDecoder = (type) => {
  const decode = itemDecoder(type);
  return (value) => roundedToMilli(decode(value) as string);
};

function shaped(
  type: Scalar | TypeName,
  shape: 'list' | 'map' | undefined,
  keepsEmpty: boolean,
  itemOf = itemDecoder,
): Decoder {
  if (shape === undefined) return scalarOrType(type);
  const decode = itemOf(type);
  if (shape === 'map') return (value) => new MapContainer(record(value), decode, keepsEmpty);
  return (value) => {
    if (Array.isArray(value)) return new ListContainer(value, decode, keepsEmpty);
    throw new TypeMismatch(`expected array, got ${typeName(value)}`);
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new TypeMismatch(`expected object, got ${typeName(value)}`);
}
