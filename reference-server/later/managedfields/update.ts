// What a write does to the managers of an object: who changes a field owns it, and all others lose it.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { KubeObject } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import { type Comparison, changedPaths, compare, unchanged } from './compare.js';
import { addedBy } from './created.js';
import {
  entriesOf,
  entryOf,
  idOf,
  type Managed,
  type ManagerKey,
  type Managers,
  managersOf,
  withoutOldest,
} from './entries.js';
import { difference, type FieldSet, intersection, isEmpty, union } from './fieldSet.js';
import type { ObjectShape } from './shape.js';

/** One version of a resource: the shape of its objects, and the conversion from the version of the request. */
export interface Version {
  readonly apiVersion: string;
  readonly shape: ObjectShape;
}

/** An object before and after a write, in the version of the request, and their conversion to other versions. */
export interface OwnedFieldsChange {
  readonly version: Version;
  /** Absent for a create. */
  readonly before?: KubeObject;
  readonly after: KubeObject;
  /** Returns the change in another version; undefined if the server does not have the version. */
  in(apiVersion: string): Steps<Omit<OwnedFieldsChange, 'in'> | undefined>;
}

/** Returns the object without fields that a create changes. */
export function emptyObject(shape: ObjectShape): KubeObject {
  const known = empties.get(shape) ?? { ...emptyFields(shape), metadata: {} };
  empties.set(shape, known);
  return known;
}

const empties = new WeakMap<ObjectShape, KubeObject>();

function emptyFields(shape: ObjectShape): Record<string, unknown> {
  const empty = (name: string) => {
    const field = shape.field(name);
    // An object with one owner is equal to another without fields.
    if (field?.kind === 'leaf') return field.inside?.kind === 'object' ? {} : undefined;
    return field?.kind === 'object'
      ? emptyFields(field)
      : field?.kind === 'list' || field?.kind === 'any'
        ? null
        : undefined;
  };
  return { ...shape.zeros?.(), ...Object.fromEntries((shape.present?.() ?? []).map((name) => [name, empty(name)])) };
}

/** The paths that a manager has and that others set to other values. */
export interface Conflict {
  readonly managed: Managed;
  readonly paths: FieldSet;
}

interface Outcome {
  readonly managers: Managers;
  readonly conflicts: readonly Conflict[];
  readonly comparison: Comparison;
}

/** Takes the changed fields from all managers but one. */
export function* takenByChange(change: OwnedFieldsChange, managers: Managers, except?: string): Steps<Outcome> {
  const { version, before = emptyObject(version.shape), after } = change;
  const comparison = yield* compare(version.shape, before, after);
  if (comparison === unchanged && managers.size === 0) return { managers, conflicts: [], comparison };
  const comparisons = new Map<string, Comparison | undefined>([[version.apiVersion, comparison]]);
  const left: Managers = new Map();
  const conflicts: Conflict[] = [];
  for (const [id, managed] of managers) {
    if (id === except) {
      left.set(id, managed);
      continue;
    }
    const { apiVersion } = managed;
    if (!comparisons.has(apiVersion)) {
      const other = yield* change.in(apiVersion);
      comparisons.set(
        apiVersion,
        other && (yield* compare(other.version.shape, other.before ?? emptyObject(other.version.shape), other.after)),
      );
    }
    const own = comparisons.get(apiVersion);
    // The fields of a version that the server no longer has cannot be followed.
    if (own === undefined) continue;
    yield;
    const paths = own === unchanged ? undefined : intersection(managed.set, changedPaths(own));
    if (paths !== undefined && !isEmpty(paths)) conflicts.push({ managed, paths });
    const kept = paths === undefined ? managed.set : difference(difference(managed.set, paths), own.removed);
    if (!isEmpty(kept)) left.set(id, kept === managed.set ? managed : { ...managed, set: kept });
  }
  return { managers: left, conflicts, comparison };
}

/**
 * Returns the entries of an object after an update. `given` are the entries in the request; an empty list, or one with
 * an empty entry, resets them. Objects whose fields have no manager stay so.
 */
export function* updatedEntries(
  change: OwnedFieldsChange,
  {
    manager,
    given,
    now,
  }: { manager: ManagerKey; given: readonly ObjectOf<'ManagedFieldsEntry'>[] | undefined; now: string },
): Steps<readonly ObjectOf<'ManagedFieldsEntry'>[]> {
  const current = change.before?.metadata.managedFields ?? [];
  const managers = yield* managersBefore(current, manager.subresource === undefined ? given : undefined);
  if (managers.size === 0) {
    const { version, before, after } = change;
    if (before !== undefined) return [];
    const set = yield* addedBy(version.shape, emptyObject(version.shape), after);
    return isEmpty(set) ? [] : [yield* entryOf({ ...manager, time: now, set })];
  }
  const { managers: left, comparison } = yield* takenByChange(change, managers);
  const isGiven = given !== undefined && given !== current;
  if (comparison === unchanged && !isGiven) return current;
  const changed = changedPaths(comparison);
  if (isEmpty(changed)) return yield* entriesOf(left);
  const id = idOf(manager);
  const set = union(left.get(id)?.set ?? changed, changed);
  left.set(id, { ...manager, time: now, set });
  return yield* entriesOf(withoutOldest(left));
}

/** The managers that a request begins with: those that it gives, or those of the current object. */
function* managersBefore(
  current: readonly ObjectOf<'ManagedFieldsEntry'>[],
  given: readonly ObjectOf<'ManagedFieldsEntry'>[] | undefined,
): Steps<Managers> {
  if (given !== undefined && given !== current) {
    if (isReset(given)) return new Map();
    const managers = yield* managersOf(given);
    if (managers !== undefined && managers.size > 0) return managers;
  }
  return current.length === 0 ? new Map() : ((yield* managersOf(current)) ?? new Map());
}

function isReset(given: readonly ObjectOf<'ManagedFieldsEntry'>[]): boolean {
  return given.length === 0 || (given.length === 1 && Object.keys(given[0] ?? {}).length === 0);
}
