// Which objects of a collection a request means: selectors, pages, revisions.
import type { Resource } from '../../matrix/api/index.js';
import { badRequest, expired, invalid, revisionTooLarge } from '../errors.js';
import { collectionLinkOf } from '../registry/addresses.js';
import { Causes } from '../registry/causes.js';
import type { Store } from '../registry/store.js';
import { type ListMeta, shownOnce } from '../registry/views.js';
import type { KubeObject } from '../schema/object.js';
import { parseFieldSelector } from '../selectors/fields.js';
import { parseLabelSelector } from '../selectors/labels.js';
import {
  Compacted,
  type Entry,
  FutureRevision,
  type ListOptions,
  type Range,
  type Storage,
} from '../storage/storage.js';
import { Turns } from '../turns.js';
import { integer } from './context.js';
import { type Continuation, continueExpired, continueToken, parseContinueToken } from './continuation.js';

/** Whether an object is selected; undefined selects all. */
export type Selector = (object: KubeObject) => boolean;

/** The selectors of a query, both of which must hold. Throws 400 for one that is not understood. */
export function selectorOf(resource: Resource, query: URLSearchParams): Selector | undefined {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '', resource);
  if (labels === undefined) return fields;
  return fields === undefined
    ? ({ metadata }) => labels(metadata.labels)
    : (object) => labels(object.metadata.labels) && fields(object);
}

/** A revision of a query: 0 and none are any. */
export function revisionOf(query: URLSearchParams): number {
  const text = query.get('resourceVersion') ?? '';
  if (text === '') return 0;
  if (!/^\d+$/.test(text)) {
    throw badRequest(`resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`);
  }
  return Number(text);
}

/** A revision that is still to come cannot be read: 504. */
export async function requireReached(revision: number, storage: Storage): Promise<void> {
  const newest = await storage.revision();
  if (revision > newest) throw revisionTooLarge(String(revision), String(newest));
}

export interface Selection {
  readonly metadata: ListMeta;
  readonly entries: readonly Entry[];
}

/** Reads the objects that a list means. */
export async function select(store: Store, namespace: string | undefined, query: URLSearchParams): Promise<Selection> {
  const { resource } = store;
  if (query.size === 0) return selection(resource, namespace, await store.list(namespace));
  integer(query, 'timeoutSeconds');
  const selector = selectorOf(resource, query);
  const limit = Math.max(0, integer(query, 'limit') ?? 0);
  const prefix = store.prefix(namespace);
  const page = pageOf(query, limit, prefix);
  await requireReached(page.atLeast, store.registry.storage);
  const options = {
    ...(page.from && { after: page.from.after }),
    ...(page.exactly !== undefined && { revision: page.exactly }),
  };
  try {
    if (selector === undefined) {
      return selection(resource, namespace, await store.list(namespace, { ...options, limit }));
    }
    const range =
      limit > 0
        ? await scan(store, namespace, options, selector, limit)
        : await filtered(resource, await store.list(namespace, options), selector, limit);
    return selection(resource, namespace, range, true);
  } catch (error) {
    if (error instanceof FutureRevision) throw revisionTooLarge(String(error.asked), String(error.current));
    if (error instanceof Compacted) throw page.from ? continueExpired(page.from) : expired(tooOld);
    throw error;
  }
}

/** So many entries at a time are read to find what a selector selects. */
const scanned = 500;

/**
 * The first that are selected, up to a limit, of one state; and whether there are more. It reads no further than to the
 * one after them.
 */
async function scan(
  store: Store,
  namespace: string | undefined,
  options: ListOptions,
  selector: Selector,
  limit: number,
): Promise<Range> {
  const turns = new Turns();
  const entries: Entry[] = [];
  let { after, revision } = options;
  try {
    for (;;) {
      const range = await store.list(namespace, {
        ...(after !== undefined && { after }),
        ...(revision !== undefined && { revision }),
        limit: scanned,
      });
      revision = range.revision;
      for (const entry of range.entries) {
        if (!selector(shownOnce(store.resource, entry).object)) continue;
        if (entries.length === limit) return { entries, revision, remaining: 1 };
        entries.push(entry);
      }
      after = range.entries.at(-1)?.key;
      if (range.remaining === 0) return { entries, revision, remaining: 0 };
      if (turns.isOver) await turns.next();
    }
  } catch (error) {
    if (!(error instanceof Compacted) || options.revision !== undefined) throw error;
    // So much was written meanwhile that the state is forgotten; nobody has asked for that one.
    return filtered(store.resource, await store.list(namespace, options), selector, limit);
  }
}

/** What is selected of a range, up to a limit. */
async function filtered(resource: Resource, range: Range, selector: Selector, limit: number): Promise<Range> {
  const turns = new Turns();
  const entries: Entry[] = [];
  for (const [index, entry] of range.entries.entries()) {
    if (selector(shownOnce(resource, entry).object)) entries.push(entry);
    if (limit > 0 && entries.length > limit) return { ...range, entries: entries.slice(0, limit), remaining: 1 };
    if (index % 100 === 99 && turns.isOver) await turns.next();
  }
  return { ...range, entries, remaining: 0 };
}

const tooOld = 'The resourceVersion for the provided list is too old.';

function selection(
  resource: Resource,
  namespace: string | undefined,
  { entries, revision, remaining }: Range,
  isSelected = false,
): Selection {
  const last = remaining > 0 ? entries.at(-1)?.key : undefined;
  return {
    entries,
    metadata: {
      selfLink: collectionLinkOf(resource, namespace),
      resourceVersion: String(revision),
      ...(last !== undefined && { continue: continueToken({ after: last, revision }) }),
      // How many of them a selector would let pass is not known.
      ...(last !== undefined && !isSelected && { remainingItemCount: remaining }),
    },
  };
}

interface Page {
  /** What is continued: only keys after its own. */
  readonly from?: Continuation;
  /** The state at this revision. */
  readonly exactly?: number | undefined;
  /** The newest state, which must be this new. */
  readonly atLeast: number;
}

function pageOf(query: URLSearchParams, limit: number, prefix: string): Page {
  const token = query.get('continue') ?? '';
  const revision = revisionOf(query);
  const match = matchOf(query);
  if (token !== '') {
    if (revision !== 0) throw badRequest('specifying resource version is not allowed when using continue');
    const from = parseContinueToken(token, prefix);
    return { from, exactly: from.revision, atLeast: 0 };
  }
  const exact = match === 'Exact' || (match === undefined && limit > 0 && revision > 0);
  return { ...(exact && { exactly: revision }), atLeast: revision };
}

/** `resourceVersionMatch`. Throws 422 for options that contradict, or that only a watch has. */
function matchOf(query: URLSearchParams): 'Exact' | 'NotOlderThan' | undefined {
  const match = query.get('resourceVersionMatch') ?? '';
  const initialEvents = query.get('sendInitialEvents');
  if (match === '' && initialEvents === null) return undefined;
  const field = 'resourceVersionMatch';
  const causes = new Causes();
  const revision = query.get('resourceVersion') ?? '';
  if (initialEvents !== null) causes.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  else if (revision === '')
    causes.forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
  else if (match !== 'Exact' && match !== 'NotOlderThan') {
    causes.notSupported(field, match, ['Exact', 'NotOlderThan']);
  } else if (match === 'Exact' && revision === '0') {
    causes.forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  if (causes.list.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes.list);
  return match as 'Exact' | 'NotOlderThan';
}
