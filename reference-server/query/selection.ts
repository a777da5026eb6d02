// The objects of a collection that a request selects: selectors, pages and revisions.
import type { Resource } from '../../matrix/api/index.js';
import { badRequest, expired, invalid, revisionTooLarge } from '../errors.js';
import { Causes } from '../schema/causes.js';
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
import { type AsyncSteps, doAsyncInTurns, doInTurns, mayPause, type Steps } from '../turns.js';
import { collectionLinkOf, prefixOf, storageResource } from '../versions/addresses.js';
import { type ListMeta, sharedView } from '../versions/views.js';
import { type Continuation, continueExpired, continueToken, parseContinueToken } from './continuation.js';
import { integer, resourceVersionOf } from './parameters.js';

export type Selector = (object: KubeObject) => boolean;

/**
 * Returns the selector of a query: both of its selectors must match. Returns undefined if it selects everything. Throws
 * 400 for an invalid selector.
 */
export function selectorOf(resource: Resource, query: URLSearchParams): Selector | undefined {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '', resource);
  if (labels === undefined) return fields;
  return fields === undefined
    ? ({ metadata }) => labels(metadata.labels)
    : (object) => labels(object.metadata.labels) && fields(object);
}

/** Throws 504 if the revision of a query is not reached yet. */
export async function requireReached(query: URLSearchParams, storage: Pick<Storage, 'revision'>): Promise<void> {
  const newest = await storage.revision();
  // A number may not be exact where the text is.
  if (resourceVersionOf(query) > newest)
    throw revisionTooLarge(BigInt(query.get('resourceVersion') ?? 0).toString(), String(newest));
}

export interface Selection {
  readonly metadata: ListMeta;
  readonly entries: readonly Entry[];
}

/**
 * Reads the objects that a list selects, and makes the metadata of the list. Throws 400 or 422 for invalid parameters, 410 if the revision is no longer in
 * history, and 504 if it is not reached yet.
 */
export async function select(
  storage: Pick<Storage, 'list' | 'revision'>,
  resource: Resource,
  namespace: string | undefined,
  query: URLSearchParams,
  selfLinks = true,
): Promise<Selection> {
  const selection = (range: Range, isSelected = false): Selection => ({
    entries: range.entries,
    metadata: {
      ...(selfLinks && { selfLink: collectionLinkOf(resource, namespace) }),
      ...placeOf(range, isSelected),
    },
  });
  const prefix = prefixOf(storageResource(resource), namespace);
  if (query.size === 0) return selection(await storage.list(prefix));
  integer(query, 'timeoutSeconds');
  const selector = selectorOf(resource, query);
  const limit = Math.max(0, integer(query, 'limit') ?? 0);
  const page = pageOf(query, limit, prefix);
  if (page.from === undefined) await requireReached(query, storage);
  const options = {
    ...(page.from && { after: page.from.after }),
    ...(page.exactly !== undefined && { revision: page.exactly }),
  };
  try {
    if (selector === undefined) {
      return selection(await storage.list(prefix, { ...options, limit }));
    }
    const range =
      limit > 0
        ? await doAsyncInTurns(scan((more) => storage.list(prefix, more), resource, options, selector, limit))
        : await doInTurns(filtered(resource, await storage.list(prefix, options), selector, limit));
    return selection(range, true);
  } catch (error) {
    if (error instanceof FutureRevision) throw revisionTooLarge(String(error.asked), String(error.current));
    if (error instanceof Compacted) throw page.from ? continueExpired(page.from) : expired(tooOld);
    throw error;
  }
}

/** The number of entries to read at a time for a selector. */
const scanned = 500;

/**
 * Returns the first selected entries of one revision, up to a limit, and whether there are more. Stops reading at the
 * first selected entry beyond the limit.
 */
async function* scan(
  read: (options: ListOptions) => Promise<Range>,
  resource: Resource,
  options: ListOptions,
  selector: Selector,
  limit: number,
): AsyncSteps<Range> {
  const entries: Entry[] = [];
  let { after, revision } = options;
  try {
    for (;;) {
      const range = await read({
        ...(after !== undefined && { after }),
        ...(revision !== undefined && { revision }),
        limit: scanned,
      });
      revision = range.revision;
      for (const entry of range.entries) {
        if (!selector(sharedView(resource, entry).object)) continue;
        if (entries.length === limit) return { entries, revision, remaining: 1 };
        entries.push(entry);
      }
      after = range.entries.at(-1)?.key;
      if (range.remaining === 0) return { entries, revision, remaining: 0 };
      yield;
    }
  } catch (error) {
    if (!(error instanceof Compacted) || options.revision !== undefined) throw error;
    // Many writes during the scan removed the revision from history. The client did not ask for an exact revision, so
    // start again.
    return yield* filtered(resource, await read(options), selector, limit);
  }
}

/** The selected entries of a range, up to a limit. */
function* filtered(resource: Resource, range: Range, selector: Selector, limit: number): Steps<Range> {
  const entries: Entry[] = [];
  for (const entry of range.entries) {
    if (selector(sharedView(resource, entry).object)) entries.push(entry);
    if (limit > 0 && entries.length > limit) return { ...range, entries: entries.slice(0, limit), remaining: 1 };
    if (mayPause()) yield;
  }
  return { ...range, entries, remaining: 0 };
}

const tooOld = 'The resourceVersion for the provided list is too old.';

/** The revision of a list, and where it goes on. */
function placeOf({ entries, revision, remaining }: Range, isSelected: boolean): ListMeta {
  const last = remaining > 0 ? entries.at(-1)?.key : undefined;
  return {
    resourceVersion: String(revision),
    ...(last !== undefined && { continue: continueToken({ after: last, revision }) }),
    // The number of remaining entries that match a selector is unknown.
    ...(last !== undefined && !isSelected && { remainingItemCount: remaining }),
  };
}

interface Page {
  /** The page starts after this key. */
  readonly from?: Continuation;
  /** The exact revision to read. */
  readonly exactly?: number | undefined;
}

function pageOf(query: URLSearchParams, limit: number, prefix: string): Page {
  const token = query.get('continue') ?? '';
  const revision = resourceVersionOf(query);
  const match = matchOf(query);
  if (token !== '') {
    const from = parseContinueToken(token, prefix);
    if (revision !== 0) throw badRequest('specifying resource version is not allowed when using continue');
    return { from, exactly: from.revision };
  }
  const exact = match === 'Exact' || (match === undefined && limit > 0 && revision > 0);
  return exact ? { exactly: revision } : {};
}

/** Returns `resourceVersionMatch`. Throws 422 for contradictory options, or options that are only for watches. */
function matchOf(query: URLSearchParams): 'Exact' | 'NotOlderThan' | undefined {
  const match = query.get('resourceVersionMatch') ?? '';
  const initialEvents = query.get('sendInitialEvents');
  if (match === '' && initialEvents === null) return undefined;
  const field = 'resourceVersionMatch';
  const causes = new Causes();
  const revision = query.get('resourceVersion') ?? '';
  if (match !== '') {
    if (revision === '')
      causes.forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
    if (query.get('continue')) causes.forbidden(field, 'resourceVersionMatch is forbidden when continue is provided');
    if (match !== 'Exact' && match !== 'NotOlderThan') causes.notSupported(field, match, ['Exact', 'NotOlderThan', '']);
    if (match === 'Exact' && revision === '0')
      causes.forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  if (initialEvents !== null) causes.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  if (causes.list.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes.list);
  return match as 'Exact' | 'NotOlderThan';
}
