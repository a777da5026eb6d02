// One stream of bytes within an upgraded connection: what came, whether it ended, and what is sent.
import type { Changes } from './changes.js';

/** How a channel sends: bytes, or that nothing more follows. */
export interface Sending {
  write(content: Buffer): void;
  /** Says that nothing more follows, where the protocol has a way to. */
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

  /** What came so far. */
  get bytes(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }

  /** Whether the other end has said that it is over, has refused it, or is gone; undefined while it goes on. */
  get end(): 'whole' | 'reset' | 'gone' | undefined {
    return this.#end;
  }

  /** Hands over what came and what comes, and `undefined` at the end. */
  listen(listener: (content: Buffer | undefined) => void): void {
    this.#listener = listener;
    if (this.#chunks.length > 0) listener(this.bytes);
    if (this.#end !== undefined) listener(undefined);
  }

  /** Takes what came. */
  take(content: Buffer): void {
    this.#chunks.push(content);
    this.#listener?.(content);
    this.changes.happened();
  }

  /** Takes the end; the first one counts. */
  over(how: 'whole' | 'reset' | 'gone'): void {
    if (this.#end !== undefined) return;
    this.#end = how;
    this.#listener?.(undefined);
    this.changes.happened();
  }
}
