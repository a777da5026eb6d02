// The contract of a codec: one media type, values to bytes and back, events to frames.

/** Any object of the API in its JSON form. */
export type ApiObject = { readonly [field: string]: unknown };

/** What an object is, or has to be. */
export interface GroupVersionKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface Codec {
  readonly mediaType: string;
  /** Only objects of a kind have a form. */
  readonly needsKind?: true;
  /** The media type of a stream, where it is another one. */
  readonly streamType?: string;
  /** Bytes before each frame that part it from others in a stream of bytes: a WebSocket's messages come without. */
  readonly framePrefix?: number;
  /** Writes one value; `pretty` where the format knows the difference. Throws 406 where the format has no form of it. */
  encode(value: ApiObject, pretty: boolean): Uint8Array;
  /** Writes what is long from its JSON: others are served meanwhile. Absent where `encode` costs little. */
  encodeInTurns?(json: Uint8Array): Promise<Uint8Array>;
  /**
   * Reads one value; `expected` is what it is where a format needs to know and the input does not say it. Throws a
   * StatusError (400) that says where the input is wrong.
   */
  decode(bytes: Uint8Array, expected?: GroupVersionKind): unknown;
  /** The same for what is long: others are served meanwhile. Absent where it costs little. */
  decodeInTurns?(bytes: Uint8Array, expected?: GroupVersionKind): Promise<unknown>;
  /**
   * Writes an object without its apiVersion and kind: an item of a typed list, as `joinList` wants it. It is the form
   * that is kept, and the object is made from it. All three are absent where lists cannot be concatenated.
   */
  encodeItem?(apiVersion: string, kind: string, item: ApiObject): Uint8Array;
  /** The object, as `encode` writes it, from its item. */
  wholeOf?(apiVersion: string, kind: string, item: Uint8Array): Uint8Array;
  /** Joins a list from its envelope and the bytes of its items. */
  joinList?(envelope: ApiObject, items: readonly Uint8Array[]): readonly Uint8Array[];
  /** Writes a typed list item by item, as `encode` writes it; absent where `joinList` does all there is to do. */
  listInParts?(envelope: ApiObject, items: Iterable<ApiObject>, pretty: boolean): Iterable<Uint8Array>;
  /** Frames one event around an encoded object; absent where the format has no stream. */
  frame?(type: string, object: Uint8Array): Uint8Array;
}

/** A value of more bytes is decoded in turns: a shorter one takes a few milliseconds. */
const longBytes = 32 * 1024;

/** Whether so many bytes are decoded in turns. */
export const isLong = (bytes: Uint8Array): boolean => bytes.length > longBytes;

/** Reads a value by a codec; a long one in turns. */
export async function decodeBytes(codec: Codec, bytes: Uint8Array, expected?: GroupVersionKind): Promise<unknown> {
  return codec.decodeInTurns && isLong(bytes) ? codec.decodeInTurns(bytes, expected) : codec.decode(bytes, expected);
}
