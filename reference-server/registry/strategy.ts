// The differences of a resource from the default behaviour. Every member is optional; an absent one means the default.

import type { Resource } from '../../matrix/api/index.js';
import type { Causes } from '../schema/causes.js';
import type { Format } from '../schema/formats.js';
import type { DecodedObject, KubeObject } from '../schema/object.js';
import type { Storage } from '../storage/storage.js';
import type { Steps } from '../turns.js';

/** The storage of claims: one key for each value that only one object may have, such as an address. */
export type ClaimStorage = Pick<Storage, 'get' | 'create' | 'delete'>;

/** The inputs of an allocation. */
export interface Preparation {
  readonly storage: ClaimStorage;
  readonly now: Date;
  /** Whether the write is a dry run, which must leave no claims. */
  readonly dryRun: boolean;
}

/** The parts of a spec that a subresource of that name writes. */
type SpecPart = 'ephemeralcontainers' | 'resize';

/** The subresources that write the status; an approval writes its conditions. */
export type StatusPart = 'status' | 'approval';

/** The part of an object that a write changes: all but the status, only the status, or less. */
export type Part = 'main' | 'finalize' | StatusPart | SpecPart;

export const isOfStatus = (part: Part): part is StatusPart => part === 'status' || part === 'approval';

/** How a subresource writes a part of the spec. */
interface WrittenSpec {
  /** Returns the spec to store; all but the part is that of the current object. */
  written(desired: object, current: object): object;
  validate(next: KubeObject, current: KubeObject, causes: Causes): void;
}

interface Reallocated {
  readonly object: KubeObject;
  undo(): Promise<void>;
}

export interface Strategy {
  /** The format of `metadata.name`. The default is a DNS subdomain. */
  readonly name?: Format;
  /**
   * Whether `metadata.generation` counts changes of the spec; 'annotations' counts changes of annotations too, 'content'
   * those of all fields but the metadata. It begins at 1; with 'changes' a new object has none.
   */
  readonly generation?: true | 'annotations' | 'content' | 'changes';
  /** The status of a new object. With 'given', the client sets it. */
  readonly initialStatus?: 'given' | ((object: DecodedObject) => object);
  /** What each status holds at least; the initial status by default. */
  readonly leastStatus?: object;
  /** Whether a replace creates an absent object. */
  readonly createOnReplace?: true;
  /** Whether a delete without a propagation policy, in a version of the resource, orphans dependents. */
  orphansByDefault?(view: Resource): boolean;
  /** Whether a delete returns the object instead of a Status. */
  readonly deleteAnswersObject?: true;
  /** Whether a status update keeps the labels. */
  readonly statusKeepsLabels?: true;
  /** Whether an update has to name the resourceVersion of the object that it changes. */
  readonly needsRevision?: true;
  /** Whether finalizers may be names without a domain, as those of other kinds may not. */
  readonly plainFinalizers?: true;
  /** Whether a status update keeps all metadata, or all but the finalizers. */
  readonly statusKeepsMetadata?: true | 'notFinalizers';

  /** Sets defaults that the field types cannot express. May set the object's own fields. Returns steps if it takes long. */
  defaults?(object: DecodedObject): Steps<void> | void;
  /** Returns the object of a request, in its own version, with what every server fills in. */
  complete?(object: DecodedObject, view: Resource): DecodedObject;
  /** Removes what a client says of the status of a new object, where the initial status does not replace it. */
  clearStatus?(object: DecodedObject): void;
  /** Changes a new object just before its validation. */
  prepareCreate?(object: DecodedObject): void;
  /** Returns the updated object to validate and store. */
  prepareUpdate?(next: KubeObject, current: KubeObject): KubeObject;
  /** The same for a write through a subresource of the status. */
  prepareStatus?(next: KubeObject, current: KubeObject, part: StatusPart, now: Date): KubeObject;
  /** `view` is the resource as the request names it: later versions have stricter rules. */
  validate?(object: KubeObject, causes: Causes, view: Resource): void;
  /** Checks the object of a request in its own version, for what its stored version may not show. */
  validateGiven?(object: DecodedObject, causes: Causes, view: Resource): void;
  /** The same for what holds only for a new object. */
  validateCreate?(object: KubeObject, causes: Causes, view: Resource): void;
  /** Checks an object against the schema of its resource. `current` is the object that an update changes. */
  validateSchema?(object: KubeObject, current: KubeObject | undefined, causes: Causes, part: Part): Steps<void>;
  validateUpdate?(next: KubeObject, current: KubeObject, causes: Causes, view: Resource): void;
  /** The parts of the spec that subresources write. */
  readonly specParts?: Readonly<Record<SpecPart, WrittenSpec>>;
  validateStatus?(next: KubeObject, current: KubeObject, causes: Causes, part: StatusPart | 'finalize'): void;
  /** Claims addresses and ports for a new object. Returns a function that releases them. */
  allocate?(object: DecodedObject, preparation: Preparation): Promise<() => Promise<void>>;
  /**
   * Claims addresses and ports for an updated object. Returns the object to store and a function that releases the
   * claims.
   */
  reallocate?(next: KubeObject, current: KubeObject, preparation: Preparation): Promise<Reallocated>;
  /** Releases the claims of a removed object, or the claims that an updated object no longer has. */
  release?(object: KubeObject, storage: ClaimStorage, successor?: KubeObject): Promise<void>;
  /** Returns what a server says about an object that it takes. `current` is the object of which an update changes a part. */
  warnings?(object: KubeObject, current: KubeObject | undefined, part: Part): readonly string[];
  /** Throws if the object may not be deleted. */
  checkDelete?(object: KubeObject): void;
  /** The grace period of a deletion, in seconds. */
  graceOf?(object: KubeObject, asked: number | undefined): number;
  /** Returns the object in the state that shows its deletion. */
  terminating?(object: KubeObject): KubeObject;
  /**
   * Reports whether a deleted object waits for more than its finalizers. `emptied` says that its contents are removed,
   * or that no controller removes contents.
   */
  waits?(object: KubeObject, emptied: boolean): boolean;
}

/** A requested value cannot be claimed. The registry adds the object and responds with 422. */
export class Unavailable extends Error {
  constructor(
    readonly field: string,
    readonly value: unknown,
    message: string,
  ) {
    super(message);
  }
}
