// Follows a collection: a list, then a watch from it; both again where that ends, so that nothing is missed.
import { type ApiClient, ApiError, type ApiObject, isStatus } from './apiClient.js';
import { Backoff } from './backoff.js';

/** What a follower is told. */
export interface Follower<Kind> {
  /** The whole collection as it is: what is not in it is gone. */
  replaced(items: readonly Kind[]): void;
  /** Added, or changed. */
  changed(item: Kind): void;
  removed(item: Kind): void;
}

interface Event {
  readonly type: string;
  readonly object: ApiObject & { readonly code?: number; readonly message?: string };
}

/** The seconds after which a watch begins anew by itself. */
const watchSeconds = 300;

/**
 * Follows `path` until the signal; resolves then. Trouble is told and tried again, later and later.
 * `query` holds selectors.
 */
export async function follow<Kind extends ApiObject>(
  client: ApiClient,
  { path, query = {} }: { readonly path: string; readonly query?: Readonly<Record<string, string>> },
  follower: Follower<Kind>,
  signal: AbortSignal,
  trouble: (error: Error) => void,
): Promise<void> {
  const backoff = new Backoff();
  let version: string | undefined;
  while (!signal.aborted) {
    try {
      if (version === undefined) {
        const list = await client.get<{ metadata: { resourceVersion?: string }; items: Kind[] }>(
          `${path}?${new URLSearchParams(query)}`,
        );
        if (signal.aborted) return;
        follower.replaced(list.items ?? []);
        version = list.metadata.resourceVersion ?? '';
      }
      const started = Date.now();
      for await (const event of watch(client, path, { ...query, resourceVersion: version }, signal)) {
        backoff.reset();
        version = event.object.metadata.resourceVersion ?? version;
        if (event.type === 'DELETED') follower.removed(event.object as unknown as Kind);
        else if (event.type !== 'BOOKMARK') follower.changed(event.object as unknown as Kind);
      }
      // a watch that ends at once would otherwise be asked for without rest
      if (Date.now() - started < 1000) await backoff.wait(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (isStatus(error, 410)) version = undefined;
      else trouble(error instanceof Error ? error : new Error(String(error)));
      await backoff.wait(signal);
    }
  }
}

async function* watch(
  client: ApiClient,
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncGenerator<Event, void, void> {
  const parameters = new URLSearchParams({
    ...query,
    watch: 'true',
    allowWatchBookmarks: 'true',
    timeoutSeconds: String(watchSeconds),
  });
  for await (const line of client.lines(`${path}?${parameters}`, signal)) {
    if (line === '') continue;
    const event = JSON.parse(line) as Event;
    if (event.type === 'ERROR') {
      const { code = 500, message = 'the watch failed' } = event.object;
      throw new ApiError(code, '', message);
    }
    yield event;
  }
}
