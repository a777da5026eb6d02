// Splits a stream of text into lines, for any boundaries of chunks.
import type { Piece } from './jsonSequence.js';

const newline = 0x0a;

/** Takes chunks, and returns lines without their newlines. */
export class LineSequence {
  #held = Buffer.alloc(0);

  /** The bytes after the last newline. */
  get rest(): Buffer {
    return this.#held;
  }

  /** Adds a chunk and returns the lines that it completes. */
  push(chunk: Uint8Array): Piece[] {
    const bytes = Buffer.concat([this.#held, chunk]);
    const pieces: Piece[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      pieces.push({ bytes: bytes.subarray(start, end), endsLine: true });
      start = end + 1;
    }
    this.#held = bytes.subarray(start);
    return pieces;
  }
}
