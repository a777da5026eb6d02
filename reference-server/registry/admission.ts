// The interface that the registry needs from admission, for two stages of a write. The plug-ins are in layers above.
import type { Resource } from '../../matrix/api/index.js';
import type { DecodedObject, KubeObject } from '../schema/object.js';

/** The user for whom a request of a client writes. */
export interface Sender {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

interface WriteAttributes {
  /** The resource as the request names it; errors name it the same way. */
  readonly resource: Resource;
  /** `group/plural` of the storage version. */
  readonly stored: string;
  readonly namespace: string | undefined;
  readonly dryRun: boolean;
  /** Absent if the server itself writes. */
  readonly sender?: Sender;
}

/** A new object before its validation. Plug-ins may set its own fields. */
export interface Creation extends WriteAttributes {
  readonly object: DecodedObject;
}

/** A valid object before it is stored. */
export interface Writing extends WriteAttributes {
  readonly object: KubeObject;
  /** The stored object that an update replaces; absent for a create. */
  readonly before?: KubeObject;
}

/** Ends a reservation after the write: keeps it if the object was stored, gives it back otherwise. */
export type Ending = (written: boolean) => Promise<void>;

export interface Admission {
  /** Completes a new object. Throws the Status that refuses it. */
  mutate(creation: Creation): Promise<void>;
  /** Reports whether plug-ins see updates of a stored resource. They always see creates. */
  admitsUpdates(stored: string): boolean;
  /**
   * Reserves the quota that a write uses, and adds the function that ends each reservation to `endings`. Throws the
   * Status that refuses the write.
   */
  reserve(writing: Writing, endings: Ending[]): Promise<void>;
}
