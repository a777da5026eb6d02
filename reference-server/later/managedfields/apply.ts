// Server-side apply: merges a configuration into an object, and says who owns what afterwards.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { kindInGo } from '../../schema/goText.js';
import { equal, isRecord, type KubeObject } from '../../schema/object.js';
import { StatusError } from '../../statusError.js';
import type { Steps } from '../../turns.js';
import { changedPaths, compare } from './compare.js';
import { entriesOf, idOf, type Managed, type ManagerKey, type Managers, managersOf, withoutOldest } from './entries.js';
import { difference, type FieldSet, fieldsNamed, intersection, isEmpty, pathsOf, union, unionOf } from './fieldSet.js';
import { agreedWithLastApplied, syncedLastApplied } from './lastApplied.js';
import { merge, withNamedFields, withoutPaths } from './merge.js';
import { appliedPaths } from './owned.js';
import type { Shape } from './shape.js';
import { pathText } from './steps.js';
import { type Conflict, emptyObject, type OwnedFieldsChange, takenByChange, type Version } from './update.js';
import { mistakesIn } from './validate.js';

/** The most conflicts that a response has as causes. */
const mostCauses = 1000;

/** 409 with a cause for each field. */
function applyConflict(conflicts: readonly Conflict[]): StatusError {
  const groups = conflicts
    .map(({ managed, paths }) => ({
      who: nameOf(managed),
      fields: [...pathsOf(paths)].map((steps) => pathText(steps)),
    }))
    .sort((one, other) => (one.who < other.who ? -1 : 1));
  const causes = groups.flatMap(({ who, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict' as const, message: `conflict with ${who}`, field })),
  );
  const [only] = causes;
  const list = groups.map(({ who, fields }) => [`conflicts with ${who}:`, ...fields.map((field) => `- ${field}`)]);
  const message =
    causes.length === 1 && only !== undefined
      ? `Apply failed with 1 conflict: ${only.message}: ${only.field}`
      : `Apply failed with ${causes.length} conflicts: ${list.flat().join('\n')}`;
  return new StatusError(409, 'Conflict', message, { causes: causes.slice(0, mostCauses) });
}

function nameOf({ manager, operation, apiVersion, subresource }: Conflict['managed']): string {
  const through = subresource === undefined ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(manager)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

/** A configuration, as the body of a request has it. */
export type Config = Readonly<Record<string, unknown>>;

/** An apply of a configuration to an object, in the version of the request. */
export interface Application {
  readonly version: Version;
  /** Absent if the apply creates the object. */
  readonly live?: KubeObject;
  readonly config: Config;
  readonly manager: ManagerKey;
  readonly force: boolean;
  /** The time of the request, as in objects. */
  readonly now: string;
  /** Returns the change in another version, for the managers of that version. */
  inVersion(after: KubeObject, apiVersion: string): Steps<Omit<OwnedFieldsChange, 'in'> | undefined>;
  /** Returns a version whose fields may have other names; absent if they have the same names in all versions. */
  otherNames?(apiVersion: string): OtherNames | undefined;
}

/** A version, and the conversion of objects to it and from it, without defaults. */
interface OtherNames {
  readonly version: Version;
  there(object: KubeObject): Steps<KubeObject>;
  back(object: KubeObject): Steps<KubeObject>;
}

export interface Applied {
  /** The object with the configuration, not decoded; the live object if nothing changes. */
  readonly object: KubeObject;
  readonly managedFields: readonly ObjectOf<'ManagedFieldsEntry'>[];
}

/** The metadata stay: they have fields that no one owns. */
const metadataItself = fieldsNamed(['metadata']);

/** The manager of the fields that an object had before its first manager. */
const beforeFirst = 'before-first-apply';

/** The manager that may take over what a client-side apply has written. */
const kubectl = 'kubectl';

/**
 * Applies a configuration. Throws 500 for one that does not fit its type, as servers do, and 409 if it changes fields of
 * others without force.
 */
export function* applied(application: Application): Steps<Applied> {
  const { version, live, config, manager, now } = application;
  const { shape } = version;
  yield* requireFitting(shape, config);
  const current = yield* currentManagers(application);
  const id = idOf(manager);
  const last = current.get(id);
  const set = yield* appliedPaths(shape, config);
  const managers: Managers = new Map(current).set(id, { ...last, ...manager, set });
  const merged = yield* merge(shape, live ?? { metadata: {} }, config);
  const object = (yield* prunedAsApplied(application, merged as KubeObject, managers, last)) as KubeObject;
  const change: OwnedFieldsChange = {
    version,
    ...(live !== undefined && { before: live }),
    after: object,
    in: (apiVersion) => application.inVersion(object, apiVersion),
  };
  const { managers: left, conflicts } = yield* takenByChange(change, managers, id);
  if (conflicts.length > 0) yield* requireAllowed(application, conflicts);
  const isChanged = live === undefined || !equal(live, object);
  const own = left.get(id);
  if (isEmpty(set)) left.delete(id);
  else if (own !== undefined && isChanged) left.set(id, { ...own, time: now });
  const managedFields = yield* entriesOf(withoutOldest(left));
  const isKubectl = manager.manager === kubectl;
  return { object: isKubectl ? syncedLastApplied(object, config) : object, managedFields };
}

function* currentManagers({ version, live, now }: Application): Steps<Managers> {
  if (live === undefined) return new Map();
  const managers = yield* managersOf(live.metadata.managedFields ?? []);
  if (managers !== undefined && managers.size > 0) return managers;
  const first: ManagerKey = { manager: beforeFirst, operation: 'Update', apiVersion: version.apiVersion };
  const set = changedPaths(yield* compare(version.shape, emptyObject(version.shape), live));
  return new Map(isEmpty(set) ? [] : [[idOf(first), { ...first, time: now, set }]]);
}

/** Throws 500 for a configuration that does not fit its type: the status of servers. */
function* requireFitting(shape: Shape, config: Config): Steps<void> {
  const mistakes = yield* mistakesIn(shape, config);
  if (mistakes.length === 0) return;
  const { apiVersion, kind } = config;
  const { namespace = '', name = '' } = (isRecord(config.metadata) ? config.metadata : {}) as KubeObject['metadata'];
  const list = mistakes.length === 1 ? mistakes[0] : `errors:${mistakes.map((each) => `\n  ${each}`).join('')}`;
  const what = `${namespace}/${name}; ${kindInGo(apiVersion, kind)}`;
  throw new StatusError(500, '', `failed to create typed patch object (${what}): ${list}`);
}

/** Throws 409 unless the request has force, or kubectl takes over what its client-side apply has written. */
function* requireAllowed(application: Application, conflicts: readonly Conflict[]): Steps<void> {
  const { force, manager, live, version } = application;
  if (force) return;
  if (manager.manager !== kubectl || live === undefined) throw applyConflict(conflicts);
  const agreed = yield* agreedWithLastApplied(live, version);
  const left = conflicts
    .map(({ managed, paths }) => ({ managed, paths: difference(paths, agreed) }))
    .filter(({ paths }) => !isEmpty(paths));
  if (left.length > 0) throw applyConflict(left);
}

/** Prunes in the version of the last apply, in which its fields have the names of then. */
function* prunedAsApplied(
  { version, otherNames }: Application,
  merged: KubeObject,
  managers: Managers,
  last: Managed | undefined,
): Steps<unknown> {
  const { shape, apiVersion } = version;
  if (last === undefined) return merged;
  const other = last.apiVersion === apiVersion ? undefined : otherNames?.(last.apiVersion);
  if (other === undefined) return yield* pruned(shape, merged, managers, last.set);
  const whole = yield* other.there(merged);
  const ofThen = new Map([...managers].filter(([, managed]) => managed.apiVersion === last.apiVersion));
  const less = (yield* pruned(other.version.shape, whole, ofThen, last.set)) as KubeObject;
  if (less === whole) return merged;
  const kept = yield* appliedPaths(shape, yield* other.back(less));
  const all = unionOf([...managers.values()].map(({ set }) => set));
  const named = (set: FieldSet) => difference(withNamedFields(shape, set), metadataItself);
  const gone = difference(named(yield* appliedPaths(shape, merged)), named(union(kept, all)));
  const left = (yield* withoutPaths(shape, merged, gone)) as KubeObject;
  // The way through that version fills what has lost all of its parts.
  return yield* other.back(yield* other.there(left));
}

/**
 * Takes out what the manager applied last time and no one owns now. An item with parts that others own, or that no one
 * owned before, stays.
 */
function* pruned(shape: Shape, merged: unknown, managers: Managers, last: FieldSet): Steps<unknown> {
  if (isEmpty(last)) return merged;
  const all = unionOf([...managers.values()].map(({ set }) => set));
  if (isEmpty(difference(last, all))) return merged;
  const named = (set: FieldSet) => difference(withNamedFields(shape, set), metadataItself);
  const mergedSet = named(yield* appliedPaths(shape, merged));
  yield;
  const without = yield* withoutPaths(shape, merged, named(last));
  const kept = union(named(yield* appliedPaths(shape, without)), named(all));
  yield;
  const owned = yield* withoutPaths(shape, merged, difference(mergedSet, kept));
  const ownedSet = named(yield* appliedPaths(shape, owned));
  yield;
  return yield* withoutPaths(shape, merged, intersection(difference(mergedSet, ownedSet), named(last)));
}
