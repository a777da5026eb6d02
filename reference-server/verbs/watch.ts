// Watches: the changes of what is selected, from a revision on, until the time is up.
import { expired, type StatusError } from '../errors.js';
import type { Store } from '../registry/store.js';
import { encodable, viewOf } from '../registry/views.js';
import type { Answer, Encodable, WatchEvent } from '../request.js';
import type { KubeObject } from '../schema/object.js';
import { type Change, Compacted } from '../storage/storage.js';
import { integer, type MakeHandler, resourceOf, storeOf } from './context.js';
import { revisionOf, type Selector, selectorOf } from './selection.js';

const shortestSeconds = 30;
const jitterSeconds = 30;
const longestTimer = 2 ** 31 - 1;

/** A watch of a collection; of one object where the path names one. */
export const watch: MakeHandler = (dependencies) => async (request) => {
  const { query, path } = request;
  const store = storeOf(request, dependencies);
  const revision = revisionOf(query);
  const millis = Math.ceil(
    (integer(query, 'timeoutSeconds') || shortestSeconds + Math.random() * jitterSeconds) * 1000,
  );
  const selector = both(selectorOf(resourceOf(request), query), path.name);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(Math.max(0, Math.min(millis, longestTimer)))]);
  return {
    status: 200,
    watch: events({ store, namespace: path.namespace, revision, selector, signal }),
  } satisfies Answer;
};

interface Watched {
  readonly store: Store;
  readonly namespace: string | undefined;
  /** Changes after this one; 0 asks for what is there, and then for changes. */
  readonly revision: number;
  readonly selector: Selector | undefined;
  readonly signal: AbortSignal;
}

function both(selector: Selector | undefined, name: string | undefined): Selector | undefined {
  if (name === undefined) return selector;
  return (object) => object.metadata.name === name && (selector === undefined || selector(object));
}

async function* events({
  store,
  namespace,
  revision,
  selector,
  signal,
}: Watched): AsyncGenerator<readonly WatchEvent[]> {
  const selects = selector ?? (() => true);
  let after = revision;
  if (revision === 0) {
    const range = await store.list(namespace);
    const added = range.entries.map((entry) => viewOf(store.resource, entry)).filter(({ object }) => selects(object));
    if (added.length > 0) yield added.map((object) => ({ type: 'ADDED', object }));
    after = range.revision;
  }
  try {
    for await (const changes of store.registry.storage.watch(store.prefix(namespace), after, signal)) {
      const batch = changes.flatMap((change) => eventOf(store, change, selects) ?? []);
      if (batch.length > 0) yield batch;
    }
  } catch (error) {
    if (!(error instanceof Compacted)) throw error;
    yield [{ type: 'ERROR', object: statusOf(expired(`too old resource version: ${error.asked} (${error.oldest})`)) }];
  }
}

/** What a change is to somebody who sees only what is selected. */
function eventOf({ resource }: Store, { type, entry, previous }: Change, selects: Selector): WatchEvent | undefined {
  const was = previous !== undefined && selects(viewOf(resource, previous).object);
  const object = viewOf(resource, entry);
  if (type === 'remove') return was ? { type: 'DELETED', object } : undefined;
  if (selects(object.object)) return { type: was ? 'MODIFIED' : 'ADDED', object };
  // It leaves as it was last seen, at the revision of the change.
  return was && previous
    ? { type: 'DELETED', object: leaving(viewOf(resource, previous).object, entry.revision) }
    : undefined;
}

function leaving(object: KubeObject, revision: number): Encodable {
  return encodable({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
}

const statusOf = (error: StatusError): Encodable => encodable(error.toStatus());
