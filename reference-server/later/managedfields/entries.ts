// The entries of `metadata.managedFields`, and the sets that they stand for.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Steps } from '../../turns.js';
import { type FieldSet, unionOf } from './fieldSet.js';
import { fieldsOfSet, setOfFields } from './fieldsV1.js';

export type Operation = 'Apply' | 'Update';

/** Who owns fields: a manager with an operation, in a version of the object, perhaps through a subresource. */
export interface ManagerKey {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  /** Absent for the object itself. */
  readonly subresource?: string;
}

export interface Managed extends ManagerKey {
  readonly time?: string;
  readonly set: FieldSet;
}

/** The managers of an object, by `idOf`. */
export type Managers = Map<string, Managed>;

/** The most managers of updates. The fields of older ones have one common manager. */
const mostUpdaters = 10;
const ancient = 'ancient-changes';

/** Returns the text that identifies a manager. Who applies is the same in all versions. */
export function idOf({ manager, operation, apiVersion, subresource = '' }: ManagerKey): string {
  return JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]);
}

/** Reads entries. Returns undefined if one of them is malformed. */
export function* managersOf(entries: readonly ObjectOf<'ManagedFieldsEntry'>[]): Steps<Managers | undefined> {
  const managers: Managers = new Map();
  for (const { manager = '', operation, apiVersion = '', time, fieldsType, fieldsV1, subresource = '' } of entries) {
    if ((operation !== 'Apply' && operation !== 'Update') || apiVersion === '' || fieldsType !== 'FieldsV1') {
      return undefined;
    }
    const set = yield* setOfFields(fieldsV1 ?? {});
    if (set === undefined) return undefined;
    const key: ManagerKey = { manager, operation, apiVersion, ...(subresource !== '' && { subresource }) };
    managers.set(idOf(key), { ...key, ...(time !== undefined && { time }), set });
  }
  return managers;
}

/** Returns the entries of managers, in the order of servers: who applies comes first, then the oldest. */
export function* entriesOf(managers: Managers): Steps<readonly ObjectOf<'ManagedFieldsEntry'>[]> {
  const entries: ObjectOf<'ManagedFieldsEntry'>[] = [];
  for (const managed of [...managers.values()].sort(inOrder)) entries.push(yield* entryOf(managed));
  return entries;
}

/** Returns the entry of a manager. */
export function* entryOf({
  manager,
  operation,
  apiVersion,
  time,
  set,
  subresource,
}: Managed): Steps<ObjectOf<'ManagedFieldsEntry'>> {
  return {
    manager,
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: yield* fieldsOfSet(set),
    ...(subresource !== undefined && { subresource }),
  };
}

function inOrder(one: Managed, other: Managed): number {
  return (
    compareText(one.operation, other.operation) ||
    compareText(one.time ?? '', other.time ?? '') ||
    compareText(one.manager, other.manager) ||
    compareText(one.apiVersion, other.apiVersion) ||
    compareText(one.subresource ?? '', other.subresource ?? '')
  );
}

const compareText = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** Merges the oldest managers of updates into one for each version, so that no more than ten are left. */
export function withoutOldest(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  let left = updaters.length;
  if (left <= mostUpdaters) return managers;
  const capped: Managers = new Map(managers);
  const age = ([id, { time = '' }]: [string, Managed]) => [time, id] as const;
  updaters.sort((one, other) => compareText(age(one)[0], age(other)[0]) || compareText(age(one)[1], age(other)[1]));
  const first = new Map<string, string>();
  const buckets = new Map<string, { readonly key: ManagerKey; readonly sets: FieldSet[]; time: string | undefined }>();
  for (const [id, { apiVersion, set, time }] of updaters) {
    if (left <= mostUpdaters) break;
    const before = first.get(apiVersion);
    if (before === undefined) {
      first.set(apiVersion, id);
      continue;
    }
    const key: ManagerKey = { manager: ancient, operation: 'Update', apiVersion };
    // The bucket is also one of the managers, if an earlier write has made it.
    const isBucket = id === idOf(key);
    let bucket = buckets.get(apiVersion);
    if (bucket === undefined) {
      const collected = capped.has(idOf(key)) && !isBucket ? idOf(key) : before;
      bucket = { key, sets: [(capped.get(collected) as Managed).set], time };
      buckets.set(apiVersion, bucket);
      capped.delete(collected);
    } else if (isBucket) continue;
    bucket.sets.push(set);
    bucket.time = time;
    capped.delete(id);
    left -= 1;
  }
  for (const { key, sets, time } of buckets.values()) {
    capped.set(idOf(key), { ...key, ...(time !== undefined && { time }), set: unionOf(sets) });
  }
  return capped;
}
