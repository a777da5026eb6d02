// The contract of a codec: one media type, the encoding of values, and the framing of events.
import type { RepeatedField, RepeatedFields } from './fieldPaths.js';

/** Any object of the API in its JSON form. */
export type ApiObject = { readonly [field: string]: unknown };

export interface GroupVersionKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A decoded body: its media type without parameters, and its unchecked value. */
export interface DecodedBody {
  readonly mediaType: string;
  readonly value: unknown;
  /** Whether the body is long, and so handled in turns. */
  readonly isLong?: true;
  /** The fields that occur more than once, if the request allows them. */
  readonly duplicates?: readonly RepeatedField[];
  /**
   * Returns the value of a short body of JSON as a `writtenValue`: an integer may not be written as 3.0 or 1e3. Absent if
   * nothing is.
   */
  readonly written?: () => unknown;
}

/** Parts that are made one after the other: a list of them all may be longer than the memory. */
export interface Parts extends Iterable<Uint8Array> {
  /** Whether a cache keeps the parts, so that it costs little to make them twice. */
  readonly areKept?: boolean;
}

export type Encoded = Uint8Array | Parts;

/** A value that a codec can encode. It may cache the bytes. */
export interface Encodable {
  encode(codec: Codec, pretty: boolean): Encoded;
  /** Encodes a long object in turns with other requests. Absent if `encode` costs little, or makes parts. */
  encodeInTurns?(codec: Codec, pretty: boolean): Promise<Uint8Array> | undefined;
}

/** Makes all parts, and joins them. */
export const joined = (encoded: Encoded): Uint8Array =>
  encoded instanceof Uint8Array ? encoded : Buffer.concat([...encoded]);

export type ListField = 'items' | 'rows';

export interface Codec {
  readonly mediaType: string;
  /** Whether the handler judges repeated fields, so that they are no errors of the format. */
  readonly allowsDuplicates?: true;
  /** Whether the format requires a kind. */
  readonly needsKind?: true;
  /** The media type of a stream, if different. */
  readonly streamType?: string;
  /** The length of the bytes before each frame of a stream; WebSocket messages omit these bytes. */
  readonly framePrefix?: number;
  /** Encodes one value. `pretty` has no effect in some formats. Throws 406 if the format cannot represent the value. */
  encode(value: ApiObject, pretty: boolean): Uint8Array;
  /** Encodes a long value from its JSON in turns with other requests. Absent if `encode` costs little. */
  encodeInTurns?(json: Uint8Array): Promise<Uint8Array>;
  /**
   * Decodes one value. `expected` is the kind of input that names none, for formats that need a kind. Throws 400 with
   * the position of the error. A repeated field is an error without `duplicates`; with it, the last one counts.
   */
  decode(bytes: Uint8Array, expected?: GroupVersionKind, duplicates?: RepeatedFields): unknown;
  /** Decodes a long value in turns with other requests. Absent if `decode` costs little. */
  decodeInTurns?(bytes: Uint8Array, expected?: GroupVersionKind, duplicates?: RepeatedFields): Promise<unknown>;
  /**
   * Encodes an object without apiVersion and kind, as an item of a typed list for `joinList`. The cache keeps items and
   * makes whole objects from them. All three methods are absent if lists cannot be concatenated.
   */
  encodeItem?(apiVersion: string, kind: string, item: ApiObject): Uint8Array;
  /**
   * Returns the encoded object from its item, equal to the result of `encode`; with `inList`, as an item of `joinList`
   * that names its kind.
   */
  wholeOf?(apiVersion: string, kind: string, item: Uint8Array, inList?: boolean): Uint8Array;
  /**
   * Joins a list from its envelope and its encoded items, which are in `field`: `items` by default. Each call of `items`
   * makes them anew: a format may need their length first.
   */
  joinList?(envelope: ApiObject, items: () => Iterable<Uint8Array>, field?: ListField): Iterable<Uint8Array>;
  /**
   * Encodes a typed list item by item, with the same result as `encode`. Absent if `joinList` suffices. The items are in
   * `field`: `items` by default.
   */
  listInParts?(
    envelope: ApiObject,
    items: Iterable<ApiObject>,
    pretty: boolean,
    field?: ListField,
  ): Iterable<Uint8Array>;
  /** Frames one event around an encoded object. Absent if the format has no streams. */
  frame?(type: string, object: Uint8Array): Uint8Array;
}

/** Longer values, in bytes, are decoded in turns: shorter ones take a few milliseconds. */
const longBytes = 32 * 1024;

/** Reports whether bytes are decoded in turns. */
export const isLong = (bytes: Uint8Array): boolean => bytes.length > longBytes;

/** Decodes a value with a codec, in turns if it is long. Throws like `Codec.decode`. */
export async function decodeBytes(
  codec: Codec,
  bytes: Uint8Array,
  expected?: GroupVersionKind,
  duplicates?: RepeatedFields,
): Promise<unknown> {
  return codec.decodeInTurns && isLong(bytes)
    ? codec.decodeInTurns(bytes, expected, duplicates)
    : codec.decode(bytes, expected, duplicates);
}
