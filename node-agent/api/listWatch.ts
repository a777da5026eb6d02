// Follows a collection like informers: a list, then a watch from its resourceVersion, and both again if it expires.
import { type ApiClient, ApiError, isStatus } from './apiClient.js';
import { Backoff, type OnError, toError } from './backoff.js';
import type { ApiObject } from './types.js';

export interface ResourceEventHandler<Kind> {
  /** Receives the whole collection: an object that is not among `items` is deleted. */
  replaced(items: readonly Kind[]): void;
  /** For an added or a modified object. */
  updated(item: Kind): void;
  deleted(item: Kind): void;
}

interface Collection {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

interface WatchEvent {
  readonly type: string;
  readonly object: ApiObject & { readonly code?: number; readonly message?: string };
}

/** The duration of a watch, in seconds, after which it is requested again. */
const watchSeconds = 300;

/** Follows a collection until the signal, then resolves. Retries after errors with a backoff. */
export async function listAndWatch<Kind extends ApiObject>(
  client: ApiClient,
  { path, query = {} }: Collection,
  handler: ResourceEventHandler<Kind>,
  signal: AbortSignal,
  onError: OnError,
): Promise<void> {
  const backoff = new Backoff();
  let resourceVersion: string | undefined;
  while (!signal.aborted) {
    try {
      if (resourceVersion === undefined) {
        const list = await client.get<{ metadata: { resourceVersion?: string }; items: Kind[] }>(
          `${path}?${new URLSearchParams(query)}`,
        );
        if (signal.aborted) return;
        handler.replaced(list.items ?? []);
        resourceVersion = list.metadata.resourceVersion ?? '';
      }
      const started = Date.now();
      for await (const { type, object } of watch(client, path, { ...query, resourceVersion }, signal)) {
        backoff.reset();
        resourceVersion = object.metadata.resourceVersion ?? resourceVersion;
        if (type === 'DELETED') handler.deleted(object as unknown as Kind);
        else if (type !== 'BOOKMARK') handler.updated(object as unknown as Kind);
      }
      // Without a delay, a server that ends each watch at once would get continuous requests.
      if (Date.now() - started < 1000) await backoff.wait(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (isStatus(error, 410)) resourceVersion = undefined;
      else onError(toError(error));
      await backoff.wait(signal);
    }
  }
}

/** Yields the events of one watch. Throws ApiError for an ERROR event. */
async function* watch(
  client: ApiClient,
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent, void, void> {
  const parameters = new URLSearchParams({
    ...query,
    watch: 'true',
    allowWatchBookmarks: 'true',
    timeoutSeconds: String(watchSeconds),
  });
  for await (const line of client.lines(`${path}?${parameters}`, signal)) {
    if (line === '') continue;
    const event = JSON.parse(line) as WatchEvent;
    if (event.type === 'ERROR') {
      const { code = 500, message = 'the watch failed' } = event.object;
      throw new ApiError(code, '', message);
    }
    yield event;
  }
}
