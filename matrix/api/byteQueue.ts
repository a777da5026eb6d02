// Bytes that have arrived in chunks and wait for the rest of what they belong to.

/** Keeps the bytes of a stream that are not used yet. A chunk costs as much as its own bytes, however many wait. */
export class ByteQueue {
  #buffer: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  /** The bytes that wait. They do not change when others arrive. */
  get bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  get length(): number {
    return this.#end - this.#start;
  }

  /** Adds a chunk, which must not change later. */
  push(chunk: Uint8Array): void {
    if (this.length === 0) {
      this.#buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      [this.#start, this.#end] = [0, chunk.length];
      return;
    }
    if (this.#end + chunk.length > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (this.length + chunk.length));
      const waiting = this.bytes.copy(larger);
      this.#buffer = larger;
      [this.#start, this.#end] = [0, waiting];
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Removes the first bytes. */
  drop(count: number): void {
    this.#start += Math.min(count, this.length);
  }
}
