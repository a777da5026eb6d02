// Finds the frames of a protobuf stream: a length of four bytes, high byte first, then as many bytes.
import type { Piece } from '../jsonSequence.js';

const head = 4;
/** A longer frame is no event: what comes from there on is kept apart up to this length, and never whole. */
const longest = 64 * 1024 * 1024;

/** Takes chunks, gives frames without their lengths. */
export class FrameSequence {
  #held = Buffer.alloc(0);

  /** The bytes of a frame that has not come whole, or that is too long. */
  get rest(): Buffer {
    return this.#held;
  }

  /** The frames that a chunk completes. */
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
