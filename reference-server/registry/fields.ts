// The owners of fields, as the registry sees them: a part beside the core keeps track of them, or nobody does.
import type { Resource } from '../../matrix/api/index.js';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { equal, isRecord, type KubeObject } from '../schema/object.js';
import type { Steps } from '../turns.js';
import type { Part, Strategy } from './strategy.js';

/** A resource whose fields have owners. */
export interface Owned {
  readonly resource: Resource;
  /** The resource whose version objects are stored in. */
  readonly stored: Resource;
  readonly strategy: Strategy;
  readonly hasStatus: boolean;
  readonly types?: OwnedTypes;
}

/** Who writes, and through which subresource. */
export interface Manager {
  readonly name: string;
  readonly subresource?: string;
}

/** A write, as far as it concerns the owners. */
export interface OwnedWrite {
  readonly kind: string;
  readonly part: Part;
  readonly manager?: Manager;
}

/** An object before and after a write. `given` are the entries in the request. */
export interface OwnedChange {
  readonly before?: KubeObject;
  readonly after: KubeObject;
  readonly given?: readonly ObjectOf<'ManagedFieldsEntry'>[];
  readonly now: Date;
}

type Entries = readonly ObjectOf<'ManagedFieldsEntry'>[];

/** Keeps track of the owners of fields. */
export interface OwnedTypes {
  /** Whether the fields of a resource have owners. */
  areOwned(resource: Resource): boolean;
  /** Returns the entries of an object after a write, in steps; undefined if they stay. */
  trackedEntries(context: Owned, write: OwnedWrite, change: OwnedChange): Steps<Entries | undefined>;
}

/** Returns the entries of an object after a write by a manager; undefined if no one keeps track. */
export function* trackedEntries(context: Owned, write: OwnedWrite, change: OwnedChange): Steps<Entries | undefined> {
  return context.types && (yield* context.types.trackedEntries(context, write, change));
}

export function withEntries<Kind extends KubeObject>(object: Kind, entries: Entries): Kind {
  const { managedFields: _before, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(entries.length > 0 && { managedFields: entries }) } };
}

/** Reports whether values that others have written can be entries. */
export const areEntries = (entries: Entries): boolean =>
  entries.every(
    ({ apiVersion, operation, fieldsType, fieldsV1 }) =>
      Boolean(apiVersion) &&
      (operation === 'Apply' || operation === 'Update') &&
      fieldsType === 'FieldsV1' &&
      isRecord(fieldsV1),
  );

/** Reports whether a write changes nothing but the times of entries. */
export const changesTimesOnly = (entries: Entries, { metadata: { managedFields } }: KubeObject): boolean =>
  sameButTimes(entries, managedFields);

/** Reports whether two lists of entries differ in their times at most. */
function sameButTimes(
  one: readonly ObjectOf<'ManagedFieldsEntry'>[] = [],
  other: readonly ObjectOf<'ManagedFieldsEntry'>[] = [],
): boolean {
  if (one === other) return true;
  return (
    one.length === other.length &&
    one.every((entry, at) => {
      const { time: _time, ...match } = other[at] as ObjectOf<'ManagedFieldsEntry'>;
      const { time: _other, ...own } = entry;
      return equal(own, match);
    })
  );
}
