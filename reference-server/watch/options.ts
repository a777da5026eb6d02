// The options of a watch: its objects and their scope, start, duration and bookmarks.

import type { Resource } from '../../matrix/api/index.js';
import { longestDelay } from '../../matrix/api/longestDelay.js';
import { badRequest, invalid } from '../errors.js';
import { integer, isSet, resourceVersionOf } from '../query/parameters.js';
import { type Selector, selectorOf } from '../query/selection.js';
import { Causes } from '../schema/causes.js';
import { prefixOf, storageResource } from '../versions/addresses.js';

/** What a watch is about. */
export interface WatchScope {
  /** The resource in whose version the objects are shown. */
  readonly resource: Resource;
  /** The key prefix of the objects. */
  readonly prefix: string;
  /** The selector; undefined selects all objects under the prefix. */
  readonly selects: Selector | undefined;
  /** Scopes of one resource with the same id have the same objects. */
  readonly id: string;
}

interface WatchedPath {
  readonly namespace?: string;
  readonly name?: string;
}

/** The start of a watch: the current state, the next change, or the first change after a revision. */
type Beginning = { readonly state: { readonly atLeast: number } } | 'now' | { readonly after: number };

export interface WatchOptions {
  readonly scope: WatchScope;
  readonly beginning: Beginning;
  readonly bookmarks: boolean;
  /** Whether a bookmark marks the end of the initial events. */
  readonly endsInitialEvents: boolean;
  /** The fields in the metadata of a bookmark beside its version. */
  readonly markedWith: object;
  /** The duration of the watch, in milliseconds. If it is not positive, the watch ends at once. */
  readonly millis: number;
}

/**
 * The shortest default duration. Defaults vary between half an hour and an hour, so that clients do not all reconnect
 * together.
 */
const shortestMillis = 30 * 60 * 1000;

/** Since this version, each watch that begins with the current state marks its end, and no bookmark has a time of null. */
const marksSince = 34;

/**
 * Reads the query of a watch of a server of a minor version. Throws 400 for an invalid value, 422 for contradictory
 * options.
 */
export function watchOptionsOf(resource: Resource, path: WatchedPath, query: URLSearchParams, minor = 0): WatchOptions {
  const isLate = minor >= marksSince;
  const initialEvents = initialEventsOf(query);
  const beginning = beginningOf(resourceVersionOf(query), initialEvents);
  const bookmarks = isSet(query.get('allowWatchBookmarks'));
  const seconds = integer(query, 'timeoutSeconds') ?? 0;
  return {
    scope: scopeOf(resource, path, query),
    beginning,
    bookmarks,
    endsInitialEvents:
      bookmarks && (initialEvents ?? (isLate && typeof beginning === 'object' && 'state' in beginning)),
    markedWith: isLate ? {} : { creationTimestamp: null },
    millis: Math.min(seconds === 0 ? shortestMillis * (1 + Math.random()) : seconds * 1000, longestDelay),
  };
}

function beginningOf(revision: number, initialEvents: boolean | undefined): Beginning {
  if (initialEvents === true) return { state: { atLeast: revision } };
  if (revision > 0) return { after: revision };
  return initialEvents === false ? 'now' : { state: { atLeast: 0 } };
}

/** Returns `sendInitialEvents`, or undefined if it is absent. Throws 422 if it contradicts `resourceVersionMatch`. */
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

function scopeOf(resource: Resource, { namespace, name }: WatchedPath, query: URLSearchParams): WatchScope {
  const selector = selectorOf(resource, query);
  const [labels, fields] = [query.get('labelSelector') ?? '', query.get('fieldSelector') ?? ''];
  const selected = oneName.exec(fields)?.[1];
  if (name !== undefined && fields !== '' && selected !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  // A single name is a single key, so the watch looks at no other objects, however many there are.
  const only = name ?? (namespace !== undefined || !resource.namespaced ? selected : undefined);
  return {
    resource,
    prefix: prefixOf(storageResource(resource), namespace) + (only ?? ''),
    selects: only === undefined ? selector : named(only, selector),
    id: JSON.stringify([namespace, name, labels, fields]),
  };
}

const oneName = /^metadata\.name==?([^,=!\\]+)$/;

function named(name: string, selector: Selector | undefined): Selector {
  return (object) => object.metadata.name === name && (selector === undefined || selector(object));
}
