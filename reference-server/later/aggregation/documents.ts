// Reads what the servers of other APIs say of them in OpenAPI, beside all requests.

import { firstOf } from '../../../matrix/api/signals.js';
import { isRecord } from '../../schema/object.js';
import type { RemoteDocument } from '../openapi/remotes.js';

/** Reads JSON from the server of an API. Throws if there is no whole answer. */
export type ReadFrom = (
  path: string,
  signal: AbortSignal,
  tag?: string,
) => Promise<{ readonly status: number; readonly text: string; readonly tag?: string }>;

/** How long a server may take for all, in milliseconds. */
const patience = 10_000;

interface Known {
  readonly document: RemoteDocument;
  /** The tag of its document of OpenAPI 2. */
  readonly tag?: string | undefined;
}

export class Documents {
  /** By the name of the APIService. */
  readonly #known = new Map<string, Known>();
  readonly #reading = new Map<string, AbortController>();
  #all: readonly RemoteDocument[] = [];
  #isClosed = false;

  get all(): readonly RemoteDocument[] {
    return this.#all;
  }

  /** Begins to read the documents of an API, unless that is being done. What cannot be read stays as it was. */
  refresh(name: string, path: string, read: ReadFrom): void {
    if (this.#isClosed || this.#reading.has(name)) return;
    const reading = new AbortController();
    this.#reading.set(name, reading);
    const signal = firstOf(reading.signal, AbortSignal.timeout(patience));
    this.#read(name, path, read, signal)
      .catch(() => {})
      .finally(() => {
        reading.abort();
        if (this.#reading.get(name) === reading) this.#reading.delete(name);
      });
  }

  async #read(name: string, path: string, read: ReadFrom, signal: AbortSignal): Promise<void> {
    const before = this.#known.get(name);
    const hash = await read('/openapi/v3', signal).then(
      ({ status, text }) => (status === 200 ? hashIn(text, path) : undefined),
      () => before?.document.hash,
    );
    const v2 = await read('/openapi/v2', signal, before?.tag).catch(() => undefined);
    if (signal.aborted && v2 === undefined) return;
    const isNew = v2?.status === 200;
    const text = isNew ? v2.text : before?.document.v2;
    const tag = isNew ? v2.tag : before?.tag;
    if (before !== undefined && before.document.hash === hash && before.document.v2 === text) return;
    this.#known.set(name, {
      document: { path, ...(hash !== undefined && { hash }), ...(text !== undefined && { v2: text }) },
      tag,
    });
    this.#changed();
  }

  delete(name: string): void {
    this.#reading.get(name)?.abort();
    this.#reading.delete(name);
    if (this.#known.delete(name)) this.#changed();
  }

  close(): void {
    this.#isClosed = true;
    for (const reading of this.#reading.values()) reading.abort();
  }

  #changed(): void {
    this.#all = [...this.#known.values()].map(({ document }) => document);
  }
}

/** Returns the hash of a document in an index of OpenAPI 3, empty if its URL has none; undefined if it is not there. */
function hashIn(text: string, path: string): string | undefined {
  const index: unknown = JSON.parse(text);
  const paths = isRecord(index) && isRecord(index.paths) ? index.paths : {};
  const entry = Object.hasOwn(paths, path) ? paths[path] : undefined;
  if (!isRecord(entry) || typeof entry.serverRelativeURL !== 'string') return undefined;
  return /[?&]hash=([\w-]{1,256})/.exec(entry.serverRelativeURL)?.[1] ?? '';
}
