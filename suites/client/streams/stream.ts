// A stream that is read as it arrives: its events with their times, and its end.

import type { Readable } from 'node:stream';
import { defined } from '../../../matrix/api/index.js';
import type { StreamEvent } from '../../requirements/index.js';
import type { Redactor } from '../evidence/redaction.js';
import { recordedEvent } from '../evidence/writer.js';
import type { Health } from '../health.js';
import type { Reply } from '../reply.js';
import { Changes } from './changes.js';
import { type EventReader, eventReader, lineReader, type Piece } from './sequences.js';

export interface Streamed {
  /** Milliseconds since the request was sent. */
  readonly at: number;
  readonly bytes: Buffer;
  /** Whether a newline follows the event directly. */
  readonly endsLine: boolean;
  /** The decoded event; undefined if it cannot be decoded. */
  readonly value: unknown;
}

/**
 * How a stream ended. `complete`: regularly. `broken`: the connection failed. `cut`: closed by the reader. `rest` is
 * the bytes after the last whole event.
 */
export interface StreamEnd {
  readonly how: 'complete' | 'broken' | 'cut';
  readonly at: number;
  readonly rest: Buffer;
  readonly why?: string;
}

interface Opened {
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The time of the request, as returned by `Date.now()`. */
  readonly started: number;
  readonly body: Readable;
  /** Milliseconds that the reader waits for events that must come at once. */
  readonly timeout: number;
  /** Records whether events that must come at once do. */
  readonly health?: Health;
  /** The whole response, if it is a refusal. No events follow. */
  readonly refusal?: Reply;
  /** The reader closes the connection after this number of bytes. */
  readonly cutAfter?: number;
  /** The content of the stream: JSON objects when absent. */
  readonly of?: 'objects' | 'lines';
  /** Translates the bytes of an event of that Content-Type before they are decoded; the identity when absent. */
  readonly rename?: (contentType: string | undefined, bytes: Buffer) => Buffer;
}

/** Limits per stream: events, undecodable events, bytes, and bytes of an incomplete event. More breaks the stream. */
const most = { events: 50_000, unreadable: 1_000, bytes: 128 * 1024 * 1024, rest: 16 * 1024 * 1024 } as const;

/** A stream of events, JSON or protobuf by its Content-Type, or of lines of text. Reading begins at once. */
export class Stream {
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal: Reply | undefined;
  /** Milliseconds between the request and the head of the response. */
  readonly headAt: number;
  readonly #events: Streamed[] = [];
  readonly #reader: EventReader;
  readonly #rename: (bytes: Buffer) => Buffer;
  readonly #body: Readable;
  readonly #started: number;
  readonly #timeout: number;
  readonly #health: Health | undefined;
  readonly #changes = new Changes();
  #left: number;
  #bytes = 0;
  #unreadable = 0;
  #end: StreamEnd | undefined;

  constructor({
    request,
    status,
    headers,
    started,
    body,
    timeout,
    health,
    refusal,
    cutAfter = Number.POSITIVE_INFINITY,
    of = 'objects',
    rename = (_, bytes) => bytes,
  }: Opened) {
    this.request = request;
    this.status = status;
    this.headers = headers;
    this.refusal = refusal;
    this.#reader = of === 'lines' ? lineReader() : eventReader(headers['content-type']);
    this.#rename = (bytes) => rename(headers['content-type'], bytes);
    this.#body = body;
    this.#started = started;
    this.#timeout = timeout;
    this.#health = health;
    this.#left = cutAfter;
    this.headAt = this.#now();
    body.on('data', (chunk: Buffer) => this.#take(chunk));
    body.on('end', () => this.#finish('complete'));
    body.on('error', (error) => this.#finish('broken', error.message));
    body.on('close', () => this.#finish('broken', 'the connection closed before the answer was whole'));
    if (refusal !== undefined) this.#finish('complete');
  }

  get events(): readonly Streamed[] {
    return this.#events;
  }

  /** How the stream ended; undefined while it goes on. */
  get end(): StreamEnd | undefined {
    return this.#end;
  }

  /** Waits until `settled` holds, the stream ends or the deadline passes. Reports whether `settled` holds. */
  async until(settled: (events: readonly Streamed[]) => boolean, deadline?: number): Promise<boolean> {
    const begun = Date.now();
    const held = await this.#changes.until(
      () => settled(this.#events),
      () => this.#end !== undefined,
      deadline ?? this.#timeout,
    );
    const waited = Date.now() - begun;
    if (held) this.#health?.responded(waited);
    else if (deadline === undefined) this.#waitedInVain(waited);
    return held;
  }

  /** Waits for the end; undefined if the stream has not ended before the deadline. */
  async ended(deadline?: number): Promise<StreamEnd | undefined> {
    await this.until(() => this.#end !== undefined, deadline);
    return this.#end;
  }

  /** Stops reading, so that later events fill the buffers of the server. */
  pause(): void {
    this.#body.pause();
  }

  resume(): void {
    this.#body.resume();
  }

  /** Closes the connection. */
  cut(): void {
    this.#finish('cut');
    this.#body.destroy();
  }

  /** Returns the events for the evidence: the first and the last ones, redacted. */
  recorded(redactor: Redactor): StreamEvent[] {
    const events = this.#events;
    const kept = events.length <= 50 ? events : [...events.slice(0, 30), ...events.slice(-20)];
    return kept.map(({ at, bytes, value }) => recordedEvent(redactor, at, bytes, value));
  }

  #take(chunk: Buffer): void {
    if (this.#end !== undefined) return;
    const taken = chunk.subarray(0, this.#left);
    this.#left -= taken.length;
    const at = this.#now();
    for (const piece of this.#reader.sequence.push(taken)) {
      this.#events.push(this.#streamed(at, piece));
      if (this.#unreadable > most.unreadable) break;
    }
    this.#bytes += taken.length;
    if (this.#left === 0) this.cut();
    else if (this.#isTooMuch()) {
      this.#finish('broken', `too much came: ${this.#events.length} events, ${this.#bytes} bytes`);
      this.#body.destroy();
    }
    this.#changes.happened();
  }

  #isTooMuch(): boolean {
    const { events, unreadable, bytes, rest } = most;
    return (
      this.#unreadable > unreadable ||
      this.#events.length > events ||
      this.#bytes > bytes ||
      this.#reader.sequence.rest.length > rest
    );
  }

  #waitedInVain(waited: number): void {
    const what = `${this.request}: events that must come at once`;
    if (this.#end === undefined) this.#health?.timedOut(what, waited);
    else if (this.#end.how === 'complete' && this.refusal === undefined) this.#health?.lost(what);
  }

  #finish(how: StreamEnd['how'], why?: string): void {
    if (this.#end !== undefined) return;
    if (how === 'broken') this.#health?.disconnected(`${this.request}: ${why ?? 'the connection failed'}`);
    this.#end = { how, at: this.#now(), rest: this.#reader.sequence.rest, ...defined({ why }) };
    this.#changes.happened();
  }

  /** Returns an event. `endsLine` is a getter because the newline may arrive later than the object. */
  #streamed(at: number, piece: Piece): Streamed {
    let value: unknown;
    try {
      value = this.#reader.decode(this.#rename(piece.bytes));
    } catch {
      value = undefined;
      this.#unreadable += 1;
    }
    return {
      at,
      bytes: piece.bytes,
      value,
      get endsLine() {
        return piece.endsLine;
      },
    };
  }

  #now(): number {
    return Date.now() - this.#started;
  }
}
