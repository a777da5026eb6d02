// The owners of fields: what a write does to `metadata.managedFields`.

import type { Resource } from '../../../matrix/api/index.js';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Manager, Owned, OwnedChange, OwnedTypes, OwnedWrite } from '../../registry/fields.js';
import { timestamp } from '../../registry/metadata.js';
import type { Part } from '../../registry/strategy.js';
import { isRecord, type KubeObject, own } from '../../schema/object.js';
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

const preferred: Readonly<Record<string, string>> = { extensions: 'apps/v1', autoscaling: 'autoscaling/v2' };

/** The version in which the server itself writes: that of present controllers. */
function ownVersion(context: Owned): Resource {
  const { stored } = context;
  const apiVersion = preferred[stored.groupVersion.group];
  return (apiVersion === undefined ? undefined : resourceIn(context, apiVersion)) ?? stored;
}

/** A write of a part in the version of its resource, and in those of the managers of the object. */
class TrackedChange implements OwnedFieldsChange {
  readonly before?: KubeObject;
  readonly after: KubeObject;
  /** Whether the object could not be converted. */
  isUnconverted = false;

  constructor(
    readonly context: Owned,
    readonly part: Part,
    readonly stored: Pick<OwnedChange, 'before' | 'after'>,
    resource: Resource,
    readonly version: Version,
  ) {
    if (stored.before !== undefined) this.before = toVersion(resource, stored.before);
    this.after = toVersion(resource, stored.after);
  }

  *in(apiVersion: string): Steps<Omit<OwnedFieldsChange, 'in'> | undefined> {
    const { context, part, stored } = this;
    const other = resourceIn(context, apiVersion);
    const version = other && versionOf(other, part, context);
    if (other === undefined || version === undefined) return undefined;
    try {
      yield* converted(other, stored.before === undefined ? [stored.after] : [stored.before, stored.after]);
    } catch (error) {
      this.isUnconverted = true;
      throw error;
    }
    return new TrackedChange(context, part, stored, other, version);
  }
}

/** Returns the entries of an object after a write by a manager; undefined if no one keeps track. */
function* trackedEntries(
  context: Owned,
  { kind, part, manager }: OwnedWrite,
  written: OwnedChange,
): Steps<readonly ObjectOf<'ManagedFieldsEntry'>[] | undefined> {
  const resource = kind === 'internal' ? ownVersion(context) : context.resource;
  const version = versionOf(resource, part, context);
  if (version === undefined || manager === undefined) return undefined;
  // A scale has no managers, and gets none, if no one owns the replicas.
  const { before, given, now } = written;
  if (manager.subresource === 'scale' && !(before?.metadata.managedFields ?? []).some(ownsAt(replicasPathOf(resource))))
    return undefined;
  const change = new TrackedChange(context, part, written, resource, version);
  const key = keyOfManager(manager, 'Update', version.apiVersion);
  try {
    return yield* updatedEntries(change, { manager: key, given, now: timestamp(now) });
  } catch (error) {
    if (!change.isUnconverted && !(error instanceof BadItem)) throw error;
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
