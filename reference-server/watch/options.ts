// What a watch is asked for: which objects, from where on, for how long, with which bookmarks.

import { isSet } from '../edge/query.js';
import { badRequest, invalid } from '../errors.js';
import { Causes } from '../registry/causes.js';
import type { Store } from '../registry/store.js';
import type { PathParameters } from '../request.js';
import { integer } from '../verbs/context.js';
import { revisionOf, type Selector, selectorOf } from '../verbs/selection.js';
import type { Scope } from './scope.js';

/** Where a watch begins: with what is there, with what comes, or with the first change after a revision. */
type Beginning = { readonly state: { readonly atLeast: number } } | 'now' | { readonly after: number };

export interface WatchOptions {
  readonly scope: Scope;
  readonly beginning: Beginning;
  readonly bookmarks: boolean;
  /** A bookmark says where the initial events end. */
  readonly endsInitialEvents: boolean;
  /** How long it lasts, in milliseconds; it is over at once when that is not positive. */
  readonly millis: number;
}

/** Between half an hour and an hour, so that the clients of a server do not all come back together. */
const shortestMillis = 30 * 60 * 1000;
const longestTimer = 2 ** 31 - 1;

/** Reads the query of a watch. Throws 400 for a value that is not understood, 422 for options that contradict. */
export function watchOptionsOf(store: Store, path: PathParameters, query: URLSearchParams): WatchOptions {
  const initialEvents = initialEventsOf(query);
  const bookmarks = isSet(query.get('allowWatchBookmarks'));
  const seconds = integer(query, 'timeoutSeconds') ?? 0;
  return {
    scope: scopeOf(store, path, query),
    beginning: beginningOf(revisionOf(query), initialEvents),
    bookmarks,
    endsInitialEvents: bookmarks && initialEvents === true,
    millis: Math.min(seconds === 0 ? shortestMillis * (1 + Math.random()) : seconds * 1000, longestTimer),
  };
}

function beginningOf(revision: number, initialEvents: boolean | undefined): Beginning {
  if (initialEvents === true) return { state: { atLeast: revision } };
  if (revision > 0) return { after: revision };
  return initialEvents === false ? 'now' : { state: { atLeast: 0 } };
}

/** `sendInitialEvents`, which may be absent. Throws 422 where it and `resourceVersionMatch` do not go together. */
function initialEventsOf(query: URLSearchParams): boolean | undefined {
  const value = query.get('sendInitialEvents');
  const match = query.get('resourceVersionMatch') ?? '';
  const field = 'resourceVersionMatch';
  const causes = new Causes();
  if (value !== null && match !== 'NotOlderThan') {
    causes.forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if (match !== '') {
    if (value === null) {
      causes.forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
    }
    if (match !== 'NotOlderThan') causes.notSupported(field, match, ['NotOlderThan']);
    if (query.get('continue')) causes.forbidden(field, 'resourceVersionMatch is forbidden when continue is provided');
  }
  if (causes.list.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes.list);
  return value === null ? undefined : isSet(value);
}

function scopeOf(store: Store, { namespace, name }: PathParameters, query: URLSearchParams): Scope {
  const { resource } = store;
  const selector = selectorOf(resource, query);
  const [labels, fields] = [query.get('labelSelector') ?? '', query.get('fieldSelector') ?? ''];
  const selected = oneName.exec(fields)?.[1];
  if (name !== undefined && fields !== '' && selected !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  // One name is one key: nothing else is looked at, however many there are and however often they change.
  const only = name ?? (namespace !== undefined || !resource.namespaced ? selected : undefined);
  return {
    resource,
    prefix: store.prefix(namespace) + (only ?? ''),
    selects: only === undefined ? selector : named(only, selector),
    id: JSON.stringify([namespace, name, labels, fields]),
  };
}

const oneName = /^metadata\.name==?([^,=!\\]+)$/;

function named(name: string, selector: Selector | undefined): Selector {
  return (object) => object.metadata.name === name && (selector === undefined || selector(object));
}
