// The record of a history: every request with its times and its response, the order of the server, and the watches.
import { at, isObject, type Json, type JsonObject } from '../client/json.js';
import type { Side, What } from './plan.js';

export const historyLabel = 'kube-api-conformance/history';
export const sideLabel = 'kube-api-conformance/side';
export const stepAnnotation = 'kube-api-conformance/step';
/** The finalizer that `hold` adds. */
export const holdFinalizer = 'kube-api-conformance/hold';

/** A request and its response. Times are as returned by `performance.now()`. */
export interface Entry {
  readonly what: What;
  readonly client: number;
  /** The namespace; empty for cluster-scoped kinds. */
  readonly place: string;
  /** The object; absent for a list, and for a generated name without a response. */
  readonly name?: string;
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly sentBody?: JsonObject | readonly Json[];
  readonly sent: number;
  readonly answered: number;
  /** Undefined if the response was lost. */
  readonly status?: number;
  readonly reply?: unknown;
  /** The value of the annotation that only this write writes. */
  readonly step?: string;
  /** The version that the write is on condition of. */
  readonly base?: string;
  /** The uid that a delete is on condition of. */
  readonly uid?: string;
  /** For a list: the side that it selects. */
  readonly side?: Side;
  /** For a list: the version that it must show. */
  readonly exact?: string;
  /** For a write: whether it changes more than metadata. */
  readonly changed?: boolean;
  /** For pages: the lists of all pages. */
  readonly pages?: readonly unknown[];
}

/** A change in the order of the server. The first change of a place has the index 1. */
export interface Change {
  readonly index: number;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly object: JsonObject;
}

/** A watch of a client: a connection, and the events on it. */
export interface WatchSeen {
  readonly request: string;
  readonly place: string;
  readonly status: number;
  /** The version that the watch begins after; absent if it begins with what is there. */
  readonly from?: string;
  readonly side?: Side;
  /** The object that is watched alone. */
  readonly name?: string;
  readonly events: readonly Omit<Change, 'index'>[];
  /** Whether the connection was closed before the marker came. */
  readonly isCut: boolean;
  /** Whether the server said that it no longer has the version, or gave up the watch. */
  readonly isOver: boolean;
}

/** The objects of one place before the first change, and the changes. */
export interface Ordered {
  readonly place: string;
  readonly request: string;
  readonly version: string;
  readonly start: readonly JsonObject[];
  readonly changes: readonly Change[];
  /** Whether the marker came, which the history writes last. */
  readonly isComplete: boolean;
}

export interface History {
  readonly seed: number;
  readonly entries: readonly Entry[];
  readonly orders: readonly Ordered[];
  readonly watches: readonly WatchSeen[];
  /** The name of the object that is created last. */
  readonly marker: string;
  /** The kinds of objects that controllers may delete. */
  readonly isRemovedByOthers: boolean;
}

export const nameOf = (object: unknown): string => String(at(object, 'metadata', 'name') ?? '');
export const versionOf = (object: unknown): string => String(at(object, 'metadata', 'resourceVersion') ?? '');
export const stepIn = (object: unknown): unknown => at(object, 'metadata', 'annotations', stepAnnotation);
export const sideIn = (object: unknown): unknown => at(object, 'metadata', 'labels', sideLabel);
export const isDone = ({ status }: Entry): boolean => status !== undefined && status < 300;
export const isRefused = ({ status }: Entry): boolean => status !== undefined && status >= 400 && status < 500;

/** Returns an object without the fields that items of a list lack. */
export function bare(object: unknown): JsonObject {
  if (!isObject(object)) return {};
  const { kind: _kind, apiVersion: _version, ...rest } = object;
  return rest;
}

/** Returns an entry in one line: the request, its times and its response. */
export function told(entry: Entry, begin: number): string {
  const { client, method, path, sent, answered, status, step, base } = entry;
  const times = `${(sent - begin).toFixed(1)}–${(answered - begin).toFixed(1)} ms`;
  const marks = [step && `step ${step}`, base && `on condition of version ${base}`].filter(Boolean).join(', ');
  const came =
    status === undefined
      ? 'no response'
      : `${status}${versionOf(entry.reply) && `, version ${versionOf(entry.reply)}`}`;
  return `client ${client} at ${times}: ${method} ${path}${marks && ` (${marks})`} → ${came}`;
}
