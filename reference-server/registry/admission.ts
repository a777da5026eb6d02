// The interface that the registry needs from admission, for two stages of a write. The plug-ins are in layers above.
import type { Resource } from '../../matrix/api/index.js';
import type { Expected } from '../schema/body.js';
import type { DecodedObject, KubeObject } from '../schema/object.js';
import type { Part } from './strategy.js';

/** The user for whom a request of a client writes. */
export interface Sender {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Who asks for a write: a client with its request, or the controllers of the server. */
export interface Origin {
  readonly user: Sender;
  /** The parameters of the request. */
  readonly query: URLSearchParams;
  /** Aborts when the sender no longer waits for the answer. */
  readonly left: AbortSignal;
  /** Tells the client something about the object. */
  warn(text: string): void;
  /** Adds an annotation to the audit event of the request. */
  annotate(key: string, value: string): void;
}

/** A subresource whose requests have a kind of its own, such as a Scale, and how it shows and sets a part of an object. */
export interface ShownPart {
  readonly subresource: string;
  readonly expected: Expected;
  /** Both objects are in the version of the request. */
  of(object: KubeObject): KubeObject;
  into(object: KubeObject, shown: DecodedObject): DecodedObject;
}

interface WriteAttributes {
  /** The resource as the request names it; errors name it the same way. */
  readonly resource: Resource;
  /** `group/plural` of the storage version. */
  readonly stored: string;
  readonly namespace: string | undefined;
  readonly dryRun: boolean;
  /** Who asks for the write; absent if the server itself writes. */
  readonly origin?: Origin;
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

/** What a request changes, for plug-ins that show it to others. Objects are in the stored version. */
export interface Change extends WriteAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** The name in the request; empty if a create lets the server choose it, and for each object of a collection. */
  readonly name: string;
  readonly part: Part;
  readonly shown?: ShownPart;
  readonly origin: Origin;
  /** The options of a delete. */
  readonly options?: object;
  /** The object after the change; absent for a delete. */
  readonly object?: KubeObject;
  /** The object before the change; absent for a create. */
  readonly before?: KubeObject;
  /** Returns an object that was decoded in the version of a resource in the stored version, with its defaults. */
  complete(view: Resource, object: DecodedObject): Promise<KubeObject>;
}

export interface Revised {
  readonly object: KubeObject;
  /**
   * Shows the object once more to those that ask for it, if any plug-in has changed it. `isOthers` says that others have
   * changed it since.
   */
  again?(object: KubeObject, isOthers: boolean): Promise<KubeObject>;
}

/** Ends a reservation after the write: keeps it if the object was stored, gives it back otherwise. */
export type Ending = (written: boolean) => Promise<void>;

export interface Admission {
  /** Completes a new object. Throws the Status that refuses it. */
  mutate(creation: Creation): Promise<void>;
  /** Reports whether plug-ins show changes of a stored resource to others: then updates and deletes wait for them. */
  shows(stored: string): boolean;
  /** Returns the object of a change as it shall be. Throws the Status that refuses the change. */
  revise(change: Change): Promise<Revised>;
  /** Throws the Status that refuses a change to a finished object. */
  review(change: Change): Promise<void>;
  /** Reports whether plug-ins see updates of a stored resource. They always see creates. */
  admitsUpdates(stored: string): boolean;
  /**
   * Reserves the quota that a write uses, and adds the function that ends each reservation to `endings`. Throws the
   * Status that refuses the write.
   */
  reserve(writing: Writing, endings: Ending[]): Promise<void>;
}
