// Splits a stream into JSON objects, lines or protobuf frames, for any boundaries of chunks, and decodes them.
import { ByteQueue } from '../../../matrix/api/byteQueue.js';
import { isProtobuf } from '../decoders.js';
import { readJson, utf8Of } from '../json.js';
import { decodeEvent } from '../protobuf/envelope.js';

/** An object, a line or a frame of a stream. */
export interface Piece {
  readonly bytes: Buffer;
  /** Whether a newline follows directly. Set when the next byte arrives. */
  endsLine: boolean;
}

const [quote, backslash, newline] = [0x22, 0x5c, 0x0a];
const opens = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === newline;

/** Takes chunks, and returns JSON objects, by their brackets: any bytes may be between them. */
export class JsonSequence {
  readonly #held = new ByteQueue();
  /** The position up to which `#held` has been read, and the brackets that are open there. */
  #at = 0;
  #start = -1;
  #depth = 0;
  #inString = false;
  #last: Piece | undefined;

  /** The bytes of an incomplete object. */
  get rest(): Buffer {
    return this.#start === -1 ? Buffer.alloc(0) : this.#held.bytes.subarray(this.#start);
  }

  /** Adds a chunk and returns the objects that it completes. Their `endsLine` is set when the next byte arrives. */
  push(chunk: Uint8Array): Piece[] {
    this.#held.push(chunk);
    const held = this.#held.bytes;
    const pieces: Piece[] = [];
    for (; this.#at < held.length; this.#at += 1) {
      const byte = held[this.#at] as number;
      if (this.#start === -1) this.#between(byte);
      else if (this.#inString) this.#insideString(byte);
      else if (byte === quote) this.#inString = true;
      else if (opens(byte)) this.#depth += 1;
      else if (closes(byte)) this.#depth -= 1;
      if (this.#start !== -1 && this.#depth <= 0 && !this.#inString) pieces.push(this.#complete(held));
    }
    this.#forget();
    return pieces;
  }

  #between(byte: number): void {
    if (this.#last !== undefined) this.#last.endsLine = byte === newline;
    this.#last = undefined;
    if (isSpace(byte)) return;
    this.#start = this.#at;
    // A byte that opens nothing is a piece of its own, which does not decode to an object.
    this.#depth = opens(byte) ? 1 : 0;
  }

  #insideString(byte: number): void {
    if (byte === backslash) this.#at += 1;
    else if (byte === quote) this.#inString = false;
  }

  #complete(held: Buffer): Piece {
    const piece: Piece = { bytes: held.subarray(this.#start, this.#at + 1), endsLine: false };
    this.#start = -1;
    this.#last = piece;
    return piece;
  }

  #forget(): void {
    const from = this.#start === -1 ? this.#at : this.#start;
    this.#held.drop(from);
    this.#at -= from;
    if (this.#start !== -1) this.#start = 0;
  }
}

/** Takes chunks, and returns lines without their newlines. */
export class LineSequence {
  readonly #held = new ByteQueue();

  /** The bytes after the last newline. */
  get rest(): Buffer {
    return this.#held.bytes;
  }

  push(chunk: Uint8Array): Piece[] {
    const old = this.#held.length;
    this.#held.push(chunk);
    const bytes = this.#held.bytes;
    const pieces: Piece[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline, old); end >= 0; end = bytes.indexOf(newline, start)) {
      pieces.push({ bytes: bytes.subarray(start, end), endsLine: true });
      start = end + 1;
    }
    this.#held.drop(start);
    return pieces;
  }
}

/** The number of bytes of the length of a frame. */
const head = 4;
/** The maximum size of a frame, in bytes. A longer frame is held up to this size and never returned. */
const longest = 64 * 1024 * 1024;

/** Takes chunks, and returns frames of protobuf: a length of four bytes, big endian, then that number of bytes. */
export class FrameSequence {
  readonly #held = new ByteQueue();

  /** The bytes of a frame that is incomplete or too long. */
  get rest(): Buffer {
    return this.#held.bytes;
  }

  push(chunk: Uint8Array): Piece[] {
    if (this.#held.length > longest) return [];
    this.#held.push(chunk);
    const bytes = this.#held.bytes;
    const pieces: Piece[] = [];
    let start = 0;
    while (bytes.length >= start + head) {
      const end = start + head + bytes.readUInt32BE(start);
      if (bytes.length < end) break;
      pieces.push({ bytes: bytes.subarray(start + head, end), endsLine: false });
      start = end;
    }
    this.#held.drop(start);
    return pieces;
  }
}

/** Reads the events of a stream. */
export interface EventReader {
  /** Takes chunks, and returns events as bytes. */
  readonly sequence: JsonSequence | FrameSequence | LineSequence;
  /** Throws if the bytes are not an event. */
  readonly decode: (bytes: Uint8Array) => unknown;
}

const decodeJson = (bytes: Uint8Array): unknown => readJson(utf8Of(bytes));

/** Returns the reader for a Content-Type: frames of protobuf, or JSON for all others. */
export function eventReader(contentType: string | undefined): EventReader {
  return isProtobuf(contentType)
    ? { sequence: new FrameSequence(), decode: decodeEvent }
    : { sequence: new JsonSequence(), decode: decodeJson };
}

/** Returns the reader for a stream of text: lines, which are not decoded. */
export const lineReader = (): EventReader => ({ sequence: new LineSequence(), decode: () => undefined });
