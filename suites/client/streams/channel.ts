// One stream of bytes within an upgraded connection: the received bytes, the end, and the way to send.
import type { Changes } from './changes.js';

/** How a channel sends bytes and its end. */
export interface Sending {
  write(content: Buffer): void;
  /** Sends the end of the channel, if the protocol can express it. */
  end(): void;
}

export class Channel {
  #chunks: Buffer[] = [];
  #listener: ((content: Buffer | undefined) => void) | undefined;
  #end: 'whole' | 'reset' | 'gone' | undefined;

  constructor(
    readonly id: number,
    readonly sending: Sending,
    readonly changes: Changes,
  ) {}

  /** The bytes that were received so far. */
  get bytes(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }

  /** How the channel ended: closed by the backend, reset by it, or lost with the connection; undefined while open. */
  get end(): 'whole' | 'reset' | 'gone' | undefined {
    return this.#end;
  }

  /** Calls the listener with the received bytes, with later bytes, and with `undefined` at the end. */
  listen(listener: (content: Buffer | undefined) => void): void {
    this.#listener = listener;
    if (this.#chunks.length > 0) listener(this.bytes);
    if (this.#end !== undefined) listener(undefined);
  }

  /** Adds received bytes. */
  take(content: Buffer): void {
    this.#chunks.push(content);
    this.#listener?.(content);
    this.changes.happened();
  }

  /** Ends the channel. The first end counts. */
  over(how: 'whole' | 'reset' | 'gone'): void {
    if (this.#end !== undefined) return;
    this.#end = how;
    this.#listener?.(undefined);
    this.changes.happened();
  }
}
