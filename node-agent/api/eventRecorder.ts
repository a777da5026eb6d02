// Writes Events about objects: in the background, one at a time. An Event that cannot be written is dropped.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { type ApiClient, isStatus } from './apiClient.js';
import { type OnError, toError } from './backoff.js';
import { formatSeconds } from './time.js';
import type { ApiObject } from './types.js';

export type EventType = 'Normal' | 'Warning';

interface WaitingEvent {
  readonly object: ApiObject;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  readonly source: ObjectOf<'EventSource'>;
  readonly fieldPath?: string;
}

/** The most Events that wait to be written; more are dropped. */
const mostWaiting = 1000;
/** The most Events whose repetition is counted in the Event itself. */
const mostKnown = 4096;

export class EventSink {
  readonly #waiting: WaitingEvent[] = [];
  /** The path and the count of the Event that was written last, by what it says. */
  readonly #known = new Map<string, { readonly path: string; count: number }>();
  #isWriting = false;
  #written = 0;

  /** Nothing is written after the signal. */
  constructor(
    readonly client: ApiClient,
    readonly signal: AbortSignal,
    readonly onError: OnError,
  ) {}

  add(event: WaitingEvent): void {
    if (this.#waiting.length >= mostWaiting) return;
    this.#waiting.push(event);
    if (!this.#isWriting) void this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      if (this.signal.aborted) break;
      try {
        await this.#write(event);
      } catch (error) {
        // The namespace may be gone or going.
        if (!isStatus(error, 403, 404, 409)) this.onError(toError(error));
      }
    }
    this.#isWriting = false;
  }

  async #write(event: WaitingEvent): Promise<void> {
    const { object, type, reason, message, source, fieldPath = '' } = event;
    const { name, namespace = 'default', uid = '' } = object.metadata;
    const id = JSON.stringify([uid, namespace, name, type, reason, message, source.component, fieldPath]);
    const now = new Date();
    const known = this.#known.get(id);
    if (known !== undefined) {
      const count = known.count + 1;
      try {
        await this.client.patch(known.path, { count, lastTimestamp: formatSeconds(now) });
        known.count = count;
        return;
      } catch (error) {
        if (!isStatus(error, 404)) throw error;
      }
    }
    const events = `/api/v1/namespaces/${namespace}/events`;
    const eventName = `${name}.${(BigInt(now.getTime()) * 1_000_000n + BigInt(this.#written++ % 1_000_000)).toString(16)}`;
    await this.client.create(events, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: eventName, namespace },
      involvedObject: referenceTo(object, fieldPath),
      type,
      reason,
      message,
      source,
      firstTimestamp: formatSeconds(now),
      lastTimestamp: formatSeconds(now),
      count: 1,
    });
    this.#known.delete(id);
    this.#known.set(id, { path: `${events}/${eventName}`, count: 1 });
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest);
  }
}

export class EventRecorder {
  /** Without a sink, it records nothing. */
  constructor(
    readonly source: ObjectOf<'EventSource'>,
    readonly sink: EventSink | undefined,
  ) {}

  /** `fieldPath` names the part of the object that the Event is about. */
  record(object: ApiObject, type: EventType, reason: string, message: string, fieldPath?: string): void {
    this.sink?.add({ object, type, reason, message, source: this.source, ...(fieldPath && { fieldPath }) });
  }
}

function referenceTo({ apiVersion = 'v1', kind = 'Pod', metadata }: ApiObject, fieldPath: string): object {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion, kind, name, namespace, uid, resourceVersion, ...(fieldPath && { fieldPath }) };
}
