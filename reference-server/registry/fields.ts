// The owners of fields: what a write does to `metadata.managedFields`.
import { apiVersionOf, type Resource } from '../../matrix/api/index.js';
import { serverResources } from '../../matrix/api/modern/resources.js';
import { type Operation, sameButTimes } from '../managedfields/entries.js';
import { type ObjectShape, wholeObject } from '../managedfields/shape.js';
import { BadItem } from '../managedfields/steps.js';
import { type Change, updatedEntries, type Version } from '../managedfields/update.js';
import { isRecord, type KubeObject, type ManagedFieldsEntry, own } from '../schema/object.js';
import { runTimeKindOf } from '../schema/runTimeKind.js';
import type { Steps } from '../turns.js';
import { storageResource } from '../versions/addresses.js';
import { toVersion } from '../versions/views.js';
import { timestamp } from './metadata.js';
import type { Strategy } from './strategy.js';
import type { Part } from './update.js';

/** What the owners of fields need to know about the resources. */
export interface OwnedTypes {
  /** Returns the shape of the objects of a resource; undefined if no one keeps track of their fields. */
  shapeOf(resource: Resource): ObjectShape | undefined;
  /** Returns the version of a stored resource that was made while the server runs, by apiVersion. */
  madeIn(stored: Resource, apiVersion: string): Resource | undefined;
}

/** A resource whose fields have owners. */
export interface Owned {
  /** The resource as the request names it. */
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

/** The manager of a request as its entries name it. */
export const keyOfManager = ({ name, subresource }: Manager, operation: Operation, apiVersion: string) => ({
  manager: name,
  operation,
  apiVersion,
  ...(subresource !== undefined && { subresource }),
});

/** The fields that a write of a part leaves as they are, by part: no one becomes their owner. */
function unownedIn(part: Part, { hasStatus, strategy }: Owned): readonly string[] {
  if (part === 'status') return strategy.statusKeepsLabels ? ['spec', 'metadata.labels'] : ['spec'];
  return hasStatus ? ['status'] : [];
}

const shapes = new WeakMap<ObjectShape, Map<string, ObjectShape>>();

/** Returns a version as a write of a part sees it; undefined if no one keeps track of its fields. */
export function versionOf(resource: Resource, part: Part, context: Owned): Version | undefined {
  const shape = context.types?.shapeOf(resource);
  if (shape === undefined) return undefined;
  const unowned = unownedIn(part, context);
  const known = shapes.get(shape) ?? new Map<string, ObjectShape>();
  shapes.set(shape, known);
  const whole = known.get(unowned.join()) ?? wholeObject(shape, unowned);
  known.set(unowned.join(), whole);
  return { apiVersion: apiVersionOf(resource.groupVersion), shape: whole };
}

const served = new Map<string, Resource>();

/** Returns the resource of another version of the same objects, by apiVersion. */
export function resourceIn(
  { stored, types }: Pick<Owned, 'stored' | 'types'>,
  apiVersion: string,
): Resource | undefined {
  if (served.size === 0) {
    for (const each of serverResources) {
      served.set(
        `${apiVersionOf(each.groupVersion)} ${storageResource(each).plural} ${storageResource(each).kind}`,
        each,
      );
    }
  }
  const found = served.get(`${apiVersion} ${stored.plural} ${stored.kind}`);
  return found !== undefined && storageResource(found) === stored ? found : types?.madeIn(stored, apiVersion);
}

/** The version in which the server itself writes: that of present controllers. */
function ownVersion(context: Owned): Resource {
  const { stored } = context;
  const preferred: Readonly<Record<string, string>> = { extensions: 'apps/v1', autoscaling: 'autoscaling/v2' };
  const apiVersion = preferred[stored.groupVersion.group];
  return (apiVersion === undefined ? undefined : resourceIn(context, apiVersion)) ?? stored;
}

/** Returns the entries of an object after a write by a manager; undefined if no one keeps track. */
export function* trackedEntries(
  context: Owned,
  { kind, part, manager }: { readonly kind: string; readonly part: Part; readonly manager?: Manager },
  {
    before,
    after,
    given,
    now,
  }: { before?: KubeObject; after: KubeObject; given?: readonly ManagedFieldsEntry[]; now: Date },
): Steps<readonly ManagedFieldsEntry[] | undefined> {
  const resource = kind === 'internal' ? ownVersion(context) : context.resource;
  const version = versionOf(resource, part, context);
  if (version === undefined || manager === undefined) return undefined;
  // A scale has no managers, and gets none, if no one owns the replicas.
  if (manager.subresource === 'scale' && !(before?.metadata.managedFields ?? []).some(ownsAt(replicasPathOf(resource))))
    return undefined;
  const changeIn = (view: Resource, shown: Version): Omit<Change, 'in'> => ({
    version: shown,
    ...(before !== undefined && { before: toVersion(view, before) }),
    after: toVersion(view, after),
  });
  const change: Change = {
    ...changeIn(resource, version),
    in(apiVersion) {
      const other = resourceIn(context, apiVersion);
      const shown = other && versionOf(other, part, context);
      return other && shown && changeIn(other, shown);
    },
  };
  const key = keyOfManager(manager, 'Update', version.apiVersion);
  try {
    return yield* updatedEntries(change, { manager: key, given, now: timestamp(now) });
  } catch (error) {
    if (!(error instanceof BadItem)) throw error;
    // As on real servers, an object whose fields cannot be told apart has no owners; perhaps it is invalid too.
    return [];
  }
}

const replicasPathOf = (resource: Resource): readonly string[] =>
  runTimeKindOf(resource)?.scale?.replicas ?? ['spec', 'replicas'];

/** Makes a function that reports whether an entry has the field on a path. */
const ownsAt =
  (path: readonly string[]) =>
  ({ fieldsV1 }: ManagedFieldsEntry): boolean =>
    path.reduce((value: unknown, name) => (isRecord(value) ? own(value, `f:${name}`) : undefined), fieldsV1) !==
    undefined;

/** Returns an object with its entries, or without any. */
export function withEntries<Kind extends KubeObject>(object: Kind, entries: readonly ManagedFieldsEntry[]): Kind {
  const { managedFields: _before, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(entries.length > 0 && { managedFields: entries }) } };
}

/** Reports whether a write changes nothing but the times of entries. */
export const changesTimesOnly = (
  entries: readonly ManagedFieldsEntry[],
  { metadata: { managedFields } }: KubeObject,
): boolean => sameButTimes(entries, managedFields);
