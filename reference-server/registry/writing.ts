// What the stages of a write share: the request and its context, and the state after each stage.
import type { Resource } from '../../matrix/api/index.js';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { DecodedObject, KubeObject, ObjectKey } from '../schema/object.js';
import type { Entry, Storage, StorageWrite } from '../storage/storage.js';
import type { Steps } from '../turns.js';
import type { Admission, Origin, ShownPart } from './admission.js';
import type { Manager, OwnedTypes } from './fields.js';
import type { Part, Strategy } from './strategy.js';

/** Makes the new object from the current one. */
export interface ObjectChange {
  apply(current: KubeObject): Steps<DecodedObject>;
  /** Whether the change is costly even for a small object. */
  readonly isLong?: boolean;
}

export interface WriteRequest {
  /**
   * The server itself makes internal writes, and the marks of a delete: they may change fields that clients may not,
   * and are not validated.
   */
  readonly kind: 'create' | 'update' | 'internal' | 'delete';
  readonly key: ObjectKey;
  readonly part: Part;
  readonly dryRun: boolean;
  /** Whether the contents of the object are removed, or no controller removes contents. */
  readonly emptied: boolean;
  /** Who becomes the owner of the changed fields; absent if the owners stay. */
  readonly manager?: Manager;
  /** Whether an object to create has a resourceVersion, which only stored ones have. */
  readonly isVersioned?: boolean;
  /** Whether the change is an apply, which says itself who owns what. */
  readonly applies?: boolean;
  /** Who asks for the write; absent for a write that the server makes for itself. */
  readonly origin?: Origin;
  readonly shown?: ShownPart;
}

/** The context that all writes of a resource share. */
export interface WriteContext {
  readonly resource: Resource;
  /** The resource whose version objects are stored in. */
  readonly stored: Resource;
  readonly strategy: Strategy;
  readonly hasStatus: boolean;
  readonly storage: Storage;
  readonly admission: Admission;
  /** The largest object that clients may write, in bytes of JSON. */
  /** Whether objects have a `metadata.selfLink`. */
  readonly selfLinks: boolean;
  readonly maxObjectSize: number;
  /** Absent if the server does not keep track of the owners of fields. */
  readonly types?: OwnedTypes;
}

/** A write before it has looked for the current object. */
export interface Begun {
  readonly context: WriteContext;
  readonly request: WriteRequest;
  readonly now: Date;
}

export interface WriteInProgress extends Begun {
  /** The entry that the write replaces; undefined for a new object. */
  readonly before: Entry | undefined;
}

export interface Update extends WriteInProgress {
  readonly before: Entry;
}

/** The object that the request means, in the stored version. */
export interface Decoded {
  readonly decoded: DecodedObject;
  readonly given?: readonly ObjectOf<'ManagedFieldsEntry'>[] | undefined;
}

export interface Defaulted {
  readonly desired: DecodedObject;
  readonly given?: readonly ObjectOf<'ManagedFieldsEntry'>[] | undefined;
}

/** The entries of managedFields to store; undefined if those of the current object stay. */
interface WithEntries {
  readonly entries?: readonly ObjectOf<'ManagedFieldsEntry'>[] | undefined;
}

export interface Tracked extends WithEntries {
  readonly desired: DecodedObject;
}

export interface Mutated extends WithEntries {
  readonly next: DecodedObject;
  /** The object that an update changes, as readers see it. */
  readonly current?: KubeObject;
}

export interface Valid extends WithEntries {
  readonly valid: DecodedObject;
}

/** The request to the storage about an object. */
export interface Decided {
  readonly object: DecodedObject;
  readonly decision: StorageWrite;
}
