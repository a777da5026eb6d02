// Splits a stream into JSON objects by their brackets, for any boundaries of chunks and any bytes between the objects.

/** One object of a stream, as bytes. */
export interface Piece {
  readonly bytes: Buffer;
  /** Whether a newline follows the object directly. Set when the next byte arrives. */
  endsLine: boolean;
}

const [quote, backslash, newline] = [0x22, 0x5c, 0x0a];
const opens = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === newline;

/** Takes chunks, and returns objects. */
export class JsonSequence {
  #held = Buffer.alloc(0);
  /** The position up to which `#held` has been read, and the brackets that are open there. */
  #at = 0;
  #start = -1;
  #depth = 0;
  #inString = false;
  #last: Piece | undefined;

  /** The bytes of an incomplete object. */
  get rest(): Buffer {
    return this.#start === -1 ? Buffer.alloc(0) : this.#held.subarray(this.#start);
  }

  /** Adds a chunk and returns the objects that it completes. Their `endsLine` is set when the next byte arrives. */
  push(chunk: Uint8Array): Piece[] {
    this.#held = Buffer.concat([this.#held, chunk]);
    const pieces: Piece[] = [];
    for (; this.#at < this.#held.length; this.#at += 1) {
      const byte = this.#held[this.#at] as number;
      if (this.#start === -1) this.#between(byte);
      else if (this.#inString) this.#insideString(byte);
      else if (byte === quote) this.#inString = true;
      else if (opens(byte)) this.#depth += 1;
      else if (closes(byte)) this.#depth -= 1;
      if (this.#start !== -1 && this.#depth <= 0 && !this.#inString) pieces.push(this.#complete());
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

  #complete(): Piece {
    const piece: Piece = { bytes: this.#held.subarray(this.#start, this.#at + 1), endsLine: false };
    this.#start = -1;
    this.#last = piece;
    return piece;
  }

  #forget(): void {
    const from = this.#start === -1 ? this.#at : this.#start;
    this.#held = this.#held.subarray(Math.min(from, this.#held.length));
    this.#at -= from;
    if (this.#start !== -1) this.#start = 0;
  }
}
