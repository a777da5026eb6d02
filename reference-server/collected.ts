// The bytes of a body while it arrives. Each chunk costs far more memory than a byte, and some bodies come byte by byte.

/** The number of chunks that are joined. */
const together = 1024;

export class Collected {
  readonly #joined: Buffer[] = [];
  #chunks: Buffer[] = [];
  #size = 0;

  /** The number of all bytes. */
  get size(): number {
    return this.#size;
  }

  /** The number of buffers that hold them. */
  get buffers(): number {
    return this.#joined.length + this.#chunks.length;
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    if (this.#chunks.length < together) return;
    this.#joined.push(Buffer.concat(this.#chunks));
    this.#chunks = [];
  }

  bytes(): Buffer {
    const all = [...this.#joined, ...this.#chunks];
    return all.length === 1 ? (all[0] as Buffer) : Buffer.concat(all, this.#size);
  }
}
