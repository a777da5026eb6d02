// Splits a protobuf stream into frames: a length of four bytes, big endian, then that number of bytes.
import type { Piece } from '../streams/jsonSequence.js';

const head = 4;
/** The maximum size of a frame, in bytes. A longer frame is held up to this size and never returned. */
const longest = 64 * 1024 * 1024;

/** Takes chunks, and returns frames without their lengths. */
export class FrameSequence {
  #held = Buffer.alloc(0);

  /** The bytes of a frame that is incomplete or too long. */
  get rest(): Buffer {
    return this.#held;
  }

  /** Adds a chunk and returns the frames that it completes. */
  push(chunk: Uint8Array): Piece[] {
    if (this.#held.length > longest) return [];
    this.#held = Buffer.concat([this.#held, chunk]);
    const pieces: Piece[] = [];
    while (this.#held.length >= head) {
      const end = head + this.#held.readUInt32BE(0);
      if (this.#held.length < end) break;
      pieces.push({ bytes: this.#held.subarray(head, end), endsLine: false });
      this.#held = this.#held.subarray(end);
    }
    return pieces;
  }
}
