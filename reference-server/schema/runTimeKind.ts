// How objects of a resource that was made while the server runs differ from those of the field table.
import type { Resource } from '../../matrix/api/index.js';
import type { Steps } from '../turns.js';
import type { DecodedObject, KubeObject } from './object.js';

/** The body of a kind that is not in the field table. */
export interface BodyType {
  /**
   * Decodes an object of the kind: drops unknown fields, and nulls that the schema does not allow unless `keepsNulls`, and
   * sets defaults. Throws TypeMismatch.
   */
  decode(object: Readonly<Record<string, unknown>>, keepsNulls?: boolean): Steps<DecodedObject>;
  /** Returns the paths of the fields that `decode` drops. */
  unknownFields(object: unknown): Steps<readonly string[]>;
}

export interface ScalePaths {
  readonly replicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** A selector as text; absent if the scale has none. */
  readonly selector?: readonly string[];
}

/** A kind that was made while the server runs. */
export interface RunTimeKind {
  readonly body: BodyType;
  readonly scale?: ScalePaths;
  /** The paths of the fields that field selectors may name, by their names there. */
  readonly selectable: ReadonlyMap<string, readonly string[]>;
  /** The warning of each request to the resource, if its version is deprecated. */
  readonly deprecation?: string;
  /** Aborts when the server no longer serves the resource in this form. */
  readonly ended: AbortSignal;
  /** Returns a stored object of any version of the resource as this one. */
  read(stored: KubeObject): KubeObject;
}

const kinds = new WeakMap<Resource, RunTimeKind>();

export function setRunTimeKind(resource: Resource, kind: RunTimeKind): void {
  kinds.set(resource, kind);
}

/** Returns the kind of a resource that was made while the server runs; undefined for a resource of the table. */
export function runTimeKindOf(resource: Resource): RunTimeKind | undefined {
  return kinds.get(resource);
}
