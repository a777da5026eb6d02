// The owners of fields: what a write does to `metadata.managedFields`.

import type { Resource } from '../../../matrix/api/index.js';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Manager, Owned, OwnedChange, OwnedTypes, OwnedWrite } from '../../registry/fields.js';
import { timestamp } from '../../registry/metadata.js';
import { isRecord, own } from '../../schema/object.js';
import { runTimeKindOf } from '../../schema/runTimeKind.js';
import type { Steps } from '../../turns.js';
import { toVersion } from '../../versions/views.js';
import type { Operation } from './entries.js';
import { converted, resourceIn, shapeOf, versionOf } from './kinds.js';

import { BadItem } from './steps.js';
import { type OwnedFieldsChange, updatedEntries, type Version } from './update.js';

/** The manager of a request as its entries name it. */
export const keyOfManager = ({ name, subresource }: Manager, operation: Operation, apiVersion: string) => ({
  manager: name,
  operation,
  apiVersion,
  ...(subresource !== undefined && { subresource }),
});

/** The version in which the server itself writes: that of present controllers. */
function ownVersion(context: Owned): Resource {
  const { stored } = context;
  const preferred: Readonly<Record<string, string>> = { extensions: 'apps/v1', autoscaling: 'autoscaling/v2' };
  const apiVersion = preferred[stored.groupVersion.group];
  return (apiVersion === undefined ? undefined : resourceIn(context, apiVersion)) ?? stored;
}

/** Returns the entries of an object after a write by a manager; undefined if no one keeps track. */
function* trackedEntries(
  context: Owned,
  { kind, part, manager }: OwnedWrite,
  { before, after, given, now }: OwnedChange,
): Steps<readonly ObjectOf<'ManagedFieldsEntry'>[] | undefined> {
  const resource = kind === 'internal' ? ownVersion(context) : context.resource;
  const version = versionOf(resource, part, context);
  if (version === undefined || manager === undefined) return undefined;
  // A scale has no managers, and gets none, if no one owns the replicas.
  if (manager.subresource === 'scale' && !(before?.metadata.managedFields ?? []).some(ownsAt(replicasPathOf(resource))))
    return undefined;
  const changeIn = (view: Resource, shown: Version): Omit<OwnedFieldsChange, 'in'> => ({
    version: shown,
    ...(before !== undefined && { before: toVersion(view, before) }),
    after: toVersion(view, after),
  });
  let isUnconverted = false;
  const change: OwnedFieldsChange = {
    ...changeIn(resource, version),
    *in(apiVersion) {
      const other = resourceIn(context, apiVersion);
      const shown = other && versionOf(other, part, context);
      if (other === undefined || shown === undefined) return undefined;
      try {
        yield* converted(other, before === undefined ? [after] : [before, after]);
      } catch (error) {
        isUnconverted = true;
        throw error;
      }
      return changeIn(other, shown);
    },
  };
  const key = keyOfManager(manager, 'Update', version.apiVersion);
  try {
    return yield* updatedEntries(change, { manager: key, given, now: timestamp(now) });
  } catch (error) {
    if (!isUnconverted && !(error instanceof BadItem)) throw error;
    // As on real servers, an object whose fields cannot be told apart has no owners; perhaps it is invalid too.
    return [];
  }
}

const replicasPathOf = (resource: Resource): readonly string[] =>
  runTimeKindOf(resource)?.scale?.replicas ?? ['spec', 'replicas'];

/** Makes a function that reports whether an entry has the field on a path. */
const ownsAt =
  (path: readonly string[]) =>
  ({ fieldsV1 }: ObjectOf<'ManagedFieldsEntry'>): boolean =>
    path.reduce((value: unknown, name) => (isRecord(value) ? own(value, `f:${name}`) : undefined), fieldsV1) !==
    undefined;

export const fieldOwners: OwnedTypes = { areOwned: (resource) => shapeOf(resource) !== undefined, trackedEntries };
