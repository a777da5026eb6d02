// What a resource may do differently from all others. Absent is the rule; a strategy only states exceptions.

import type { Draft, KubeObject } from '../schema/object.js';
import type { Storage } from '../storage/storage.js';
import type { Causes } from './causes.js';
import type { Format } from './formats.js';
import type { Registry } from './registry.js';

/** What a strategy may use while it prepares a write. */
export interface Preparation {
  readonly storage: Storage;
  readonly now: Date;
  /** A write that is only tried out: it must leave nothing behind. */
  readonly dryRun: boolean;
}

interface Reallocated {
  readonly object: KubeObject;
  undo(): Promise<void>;
}

export interface Strategy {
  /** The format of `metadata.name`; a DNS subdomain otherwise. */
  readonly name?: Format;
  /** Counts the changes of the spec in `metadata.generation`; those of annotations too, where it says so. */
  readonly generation?: true | 'annotations';
  /** The status of a new object; the client's own where it says 'given'. */
  readonly initialStatus?: 'given' | (() => object);
  /** A replace of an absent object creates it. */
  readonly createOnReplace?: true;
  /** Dependents are left alone by a delete that does not say what to do with them. */
  readonly orphansByDefault?: true;
  /** A delete answers the object instead of a Status. */
  readonly deleteAnswersObject?: true;
  /** A status write may not touch the labels. */
  readonly statusKeepsLabels?: true;

  /** Defaults that need more than one field's own type; the draft may be written to. */
  defaults?(draft: Draft): void;
  /** Last step before a new object is validated. */
  prepareCreate?(draft: Draft): void;
  /** Last step before a changed object is validated; returns what to store. */
  prepareUpdate?(next: KubeObject, current: KubeObject): KubeObject;
  validate?(object: KubeObject, causes: Causes): void;
  validateUpdate?(next: KubeObject, current: KubeObject, causes: Causes): void;
  validateStatus?(next: KubeObject, current: KubeObject, causes: Causes): void;
  /** Takes what a new object needs for itself alone (addresses, ports) and answers how to give it back. */
  allocate?(draft: Draft, preparation: Preparation): Promise<() => Promise<void>>;
  /** Same, for a change of an object; answers the object to store, and how to give back what it was given. */
  reallocate?(next: KubeObject, current: KubeObject, preparation: Preparation): Promise<Reallocated>;
  /** Gives back what an object had that is gone, or that has been changed and no longer needs it all. */
  release?(object: KubeObject, storage: Storage, successor?: KubeObject): Promise<void>;
  /** What comes with a new object, before anybody is told of it. */
  created?(object: KubeObject, registry: Registry): Promise<void>;
  /** Refuses a delete, by throwing. */
  checkDelete?(object: KubeObject): void;
  /** The seconds that a deleted object is left to end by itself. */
  graceOf?(object: KubeObject, asked: number | undefined): number;
  /** The state of an object that is being deleted. */
  terminating?(object: KubeObject): KubeObject;
  /**
   * Whether a deleted object waits for more than its finalizers. `emptied` says that what is in the object has been
   * removed, or that no controller does so.
   */
  waits?(object: KubeObject, emptied: boolean): boolean;
}

/** A value that an object wants for itself and cannot have. The registry knows the object and answers 422. */
export class Unavailable extends Error {
  constructor(
    readonly field: string,
    readonly value: string,
    message: string,
  ) {
    super(message);
  }
}
