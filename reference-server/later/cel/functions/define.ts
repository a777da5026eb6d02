// A function of the language: its types, what it does, and what it costs.
import { type Signature, signatureOf, type Type } from '../types.js';
import {
  Duration,
  EvaluationError,
  List,
  Mapping,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../values.js';

/** The bounds of a size or a cost. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** One way to call a function. */
export interface Overload extends Signature {
  readonly run: (...args: never[]) => Value;
  /** The cost by the sizes of the arguments. */
  readonly cost: (...sizes: number[]) => number;
  /** The size of the result by those of the arguments, if that can be told. */
  readonly size?: ((...sizes: Range[]) => Range) | undefined;
  /** Reports whether values have the types of the parameters. */
  takes(args: readonly Value[]): boolean;
}

type Cost = Overload['cost'];
type Size = Overload['size'];

/**
 * Makes a function. The types of `run` must be those of the signature, which is read when the function is first looked
 * at: most servers are asked for no expression.
 */
export const define = <Args extends readonly Value[]>(
  signature: string,
  run: (...args: Args) => Value,
  cost: Cost = () => 1,
  size?: Size,
): Overload => new Defined(signature, run as unknown as Overload['run'], cost, size);

class Defined implements Overload {
  readonly #text: string;
  #signature: Signature | undefined;
  #tests: readonly ((value: Value) => boolean)[] | undefined;

  constructor(
    text: string,
    readonly run: Overload['run'],
    readonly cost: Cost,
    readonly size: Size | undefined,
  ) {
    this.#text = text;
  }

  get #types(): Signature {
    this.#signature ??= signatureOf(this.#text);
    return this.#signature;
  }

  get name(): string {
    return this.#types.name;
  }

  get isMember(): boolean {
    return this.#types.isMember;
  }

  get parameters(): readonly Type[] {
    return this.#types.parameters;
  }

  get result(): Type {
    return this.#types.result;
  }

  takes(args: readonly Value[]): boolean {
    this.#tests ??= this.parameters.map(testOf);
    return args.length === this.#tests.length && this.#tests.every((test, index) => test(args[index] as Value));
  }
}

const tests: Partial<Record<Type['kind'], (value: Value) => boolean>> = {
  bool: (value) => typeof value === 'boolean',
  bytes: (value) => value instanceof Uint8Array,
  double: (value) => typeof value === 'number',
  duration: (value) => value instanceof Duration,
  int: (value) => typeof value === 'bigint',
  list: (value) => value instanceof List,
  map: (value) => value instanceof Mapping,
  null: (value) => value === null,
  optional: (value) => value instanceof Optional,
  string: (value) => typeof value === 'string',
  timestamp: (value) => value instanceof Timestamp,
  type: (value) => value instanceof TypeValue,
  uint: (value) => value instanceof Uint,
};

function testOf(type: Type): (value: Value) => boolean {
  if (type.kind === 'opaque') return (value) => value instanceof Opaque && value.typeName === type.name;
  return tests[type.kind] ?? (() => true);
}

/** Returns the size by which functions cost: characters, bytes, items; 1 for the rest. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return characters(value);
  if (value instanceof Uint8Array) return value.length;
  return value instanceof List || value instanceof Mapping ? value.size : 1;
}

/** The characters of long texts: an expression may ask for those of one text many times. */
const counted = new Map<string, number>();
const longText = 256;
const mostCounted = 50;

/** Returns the number of characters of a text, not of its UTF-16 units. */
export function characters(text: string): number {
  if (text.length < longText) return count(text);
  const known = counted.get(text);
  if (known !== undefined) return known;
  const size = count(text);
  if (counted.size >= mostCounted) counted.clear();
  counted.set(text, size);
  return size;
}

function count(text: string): number {
  let size = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0xd800 && code <= 0xdbff) size -= 1;
  }
  return size;
}

export const fail = (message: string): never => {
  throw new EvaluationError(message);
};

/** The cost of reading a text of a size. */
export const readCost: Cost = (size = 0) => Math.ceil(size * 0.1);
/** The cost of one step for each item. */
export const itemsCost: Cost = (size = 0) => size;
/** The cost of a pattern on a text. */
export const matchCost: Cost = (text = 0, pattern = 0) => Math.ceil((text + 1) * 0.1) * Math.ceil(pattern * 0.25);
/** The cost of looking for one text in another. */
export const searchCost: Cost = (text = 0, part = 0) => Math.ceil(text * 0.1) * Math.ceil(part * 0.1);
/** The result is as large as the first argument. */
export const sameSize = (first: Range): Range => first;
/** The result is at most as large as the first argument. */
export const notLarger = (first: Range): Range => ({ least: 0, most: first.most });
