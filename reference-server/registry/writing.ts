// What the stages of a write share: the request, its context, and the write in progress.
import type { Resource } from '../../matrix/api/index.js';
import type { DecodedObject, KubeObject, ManagedFieldsEntry, ObjectKey } from '../schema/object.js';
import type { Entry, Storage, Write as StorageWrite, Written } from '../storage/storage.js';
import type { Admission, Ending } from './admission.js';
import type { Manager, OwnedTypes } from './fields.js';
import type { Strategy } from './strategy.js';
import type { Part } from './update.js';

/** Computes the new object from the current one. */
export interface Change {
  now(current: KubeObject): DecodedObject;
  /** Does the same in turns with other requests, for a large object. */
  inTurns(current: KubeObject): Promise<DecodedObject>;
  /** Whether the change is costly even for a small object. */
  readonly isLong?: boolean;
}

/** A requested write. */
export interface WriteRequest {
  /** The server itself makes internal writes: they may change fields that clients may not, and are not validated. */
  readonly kind: 'create' | 'update' | 'internal';
  readonly key: ObjectKey;
  readonly change: Change;
  readonly part: Part;
  readonly dryRun: boolean;
  /** Whether the contents of the object are removed, or no controller removes contents. */
  readonly emptied: boolean;
  /** Who becomes the owner of the changed fields; absent if the owners stay. */
  readonly manager?: Manager;
  /** Whether the change is an apply, which says itself who owns what. */
  readonly applies?: boolean;
}

/** The context that all writes of a resource share. */
export interface WriteContext {
  /** The resource as the request names it. */
  readonly resource: Resource;
  /** The resource whose version objects are stored in. */
  readonly stored: Resource;
  readonly strategy: Strategy;
  readonly hasStatus: boolean;
  readonly storage: Storage;
  readonly admission: Admission;
  /** Absent if the server does not keep track of the owners of fields. */
  readonly types?: OwnedTypes;
}

/** A write in progress. Each stage sets fields for later stages. */
export interface Write {
  readonly context: WriteContext;
  readonly request: WriteRequest;
  readonly now: Date;
  /** Whether the object is made in turns with other requests. */
  inTurns: boolean;
  /** The entry that the write replaces; absent for a create. */
  before?: Entry;
  /** The object to store. */
  object: DecodedObject;
  /** The entries of managedFields in the request. */
  given?: readonly ManagedFieldsEntry[] | undefined;
  /** The entries to store; absent if those of the current object stay. */
  entries?: readonly ManagedFieldsEntry[] | undefined;
  /** The request to the storage. */
  decision?: StorageWrite;
  /** The result of the storage. */
  written?: Written;
  /** Functions that end reservations and allocations. */
  readonly endings: Ending[];
}

/** Only writes in turns and creates may return promises. */
export type Stage = (write: Write) => void | Promise<void>;
