// Finds the JSON objects of a stream by their brackets, wherever its chunks are cut and whatever stands between them.

/** One object of a stream, as bytes. */
export interface Piece {
  readonly bytes: Buffer;
  /** Whether nothing but a newline stood between it and the next byte that was seen. */
  endsLine: boolean;
}

const [quote, backslash, newline] = [0x22, 0x5c, 0x0a];
const [open, close] = [new Set([0x7b, 0x5b]), new Set([0x7d, 0x5d])];
const space = new Set([0x20, 0x09, 0x0d, newline]);

/** Takes chunks, gives objects. */
export class JsonSequence {
  #held = Buffer.alloc(0);
  /** How far `#held` has been read, and what was open there. */
  #at = 0;
  #start = -1;
  #depth = 0;
  #inString = false;
  #last: Piece | undefined;

  /** The bytes of an object that has not come whole, or that are none. */
  get rest(): Buffer {
    return this.#start === -1 ? Buffer.alloc(0) : this.#held.subarray(this.#start);
  }

  /** The objects that a chunk completes. A newline that follows an object is noted in it when it comes. */
  push(chunk: Uint8Array): Piece[] {
    this.#held = Buffer.concat([this.#held, chunk]);
    const pieces: Piece[] = [];
    for (; this.#at < this.#held.length; this.#at += 1) {
      const byte = this.#held[this.#at] as number;
      if (this.#start === -1) this.#between(byte);
      else if (this.#inString) this.#insideString(byte);
      else if (byte === quote) this.#inString = true;
      else if (open.has(byte)) this.#depth += 1;
      else if (close.has(byte)) this.#depth -= 1;
      if (this.#start !== -1 && this.#depth <= 0 && !this.#inString) pieces.push(this.#complete());
    }
    this.#forget();
    return pieces;
  }

  #between(byte: number): void {
    if (this.#last !== undefined) this.#last.endsLine = byte === newline;
    this.#last = undefined;
    if (space.has(byte)) return;
    this.#start = this.#at;
    // What opens nothing is a piece of its own, of one byte: no JSON object, and seen as such.
    this.#depth = open.has(byte) ? 1 : 0;
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
