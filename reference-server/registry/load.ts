// Stores an object as it is given, with its status and its metadata: no plug-in and no quota looks at it.
import { nextInteger } from '../exactJson.js';
import { Causes } from '../schema/causes.js';
import type { DecodedObject, KubeObject, ObjectMeta } from '../schema/object.js';
import type { Entry } from '../storage/storage.js';
import { doInTurns } from '../turns.js';
import { selfLinkOf } from '../versions/addresses.js';
import { toStorageVersion, toVersion } from '../versions/views.js';
import { areEntries } from './fields.js';
import { createdMetadata, orderedMetadata } from './metadata.js';
import {
  allocate,
  completed,
  decide,
  invalidObject,
  setDefaults,
  setInitialStatus,
  storageKeyOf,
  storeNew,
  validate,
  withEndings,
} from './stages.js';
import { completeStatus, firstGeneration, increasesGeneration, isFinalized } from './update.js';
import type { WriteContext, WriteInProgress, WriteRequest } from './writing.js';

/** An object that is ready to be stored. */
export interface Loadable {
  /** The metadata that the object will have, for references to it. */
  readonly metadata: Readonly<ObjectMeta>;
  /** Sets the owners of the object. */
  own(owners: NonNullable<ObjectMeta['ownerReferences']>): void;
  /** Throws 422 if the object is invalid. */
  check(): Promise<void>;
  /** Stores the object, or replaces the one of its name. Throws 404 for an absent namespace, 422 for a taken address. */
  store(): Promise<Entry>;
}

/**
 * Makes an object ready. An object that exists keeps its uid, its creation time and its status, unless others are given;
 * its generation counts the change.
 */
export async function loadable(
  context: WriteContext,
  namespace: string | undefined,
  object: DecodedObject,
  now: Date,
): Promise<Loadable> {
  const { resource, stored, strategy, hasStatus, storage } = context;
  const given = object.metadata;
  const made = createdMetadata(given, {
    namespace: stored.namespaced ? namespace : undefined,
    generation: firstGeneration(strategy, undefined),
    now,
    hasSelfLink: context.selfLinks,
  });
  const key = { namespace, name: made.name ?? '' };
  const request: WriteRequest = { kind: 'create', key, part: 'main', dryRun: false, emptied: false };
  const begun = { context, request, now };
  const write = { ...begun, before: await storage.get(storageKeyOf(begun)) };
  const metadata = orderedMetadata({ ...made, ...ownFields(write.before?.value.metadata), ...ownFields(given) }, given);
  if (context.types !== undefined && given.managedFields) metadata.managedFields = given.managedFields;
  const existing = write.before?.value;
  const status = object.status ?? (hasStatus && existing ? toVersion(resource, existing).status : undefined);
  const whole = { ...object, metadata, ...(status !== undefined && { status }) };
  const decoded = toStorageVersion(resource, completed(context, request, whole));
  const { desired } = await doInTurns(setDefaults(write, { decoded }));
  if (hasStatus) {
    if (object.status !== undefined) desired.status = completeStatus(desired, strategy);
    else if (existing === undefined) setInitialStatus(desired, strategy);
    else desired.status = (strategy.prepareUpdate?.(desired, existing) ?? desired).status;
    if (desired.status === undefined) delete desired.status;
  }
  strategy.prepareCreate?.(desired);
  if (context.selfLinks) desired.metadata.selfLink = selfLinkOf(stored, namespace, key.name);
  if (existing !== undefined && given.generation === undefined) countChange(desired, existing, context);
  return {
    metadata: desired.metadata,
    own(owners) {
      desired.metadata.ownerReferences = owners;
    },
    async check() {
      await doInTurns(validate(begun, { next: desired }));
      const causes = new Causes();
      if (hasStatus && desired.status !== undefined) strategy.validateStatus?.(desired, desired, causes, 'status');
      const { deletionTimestamp, managedFields = [] } = desired.metadata;
      if (isFinalized(desired, strategy, false))
        causes.invalid(
          'metadata.deletionTimestamp',
          deletionTimestamp,
          'nothing holds the object back: add a finalizer',
        );
      if (!areEntries(managedFields))
        causes.invalid('metadata.managedFields', managedFields, 'these are not entries that a server writes');
      if (causes.list.length > 0) throw invalidObject(resource, desired, causes);
    },
    store: () => storeLoaded(write, desired),
  };
}

/** Counts the change of an object that is replaced, as an update would. */
function countChange(desired: DecodedObject, before: KubeObject, { strategy, hasStatus }: WriteContext): void {
  const next = hasStatus ? { ...desired, status: before.status } : desired;
  const { generation = 0 } = before.metadata;
  if (increasesGeneration(next, before, strategy)) desired.metadata.generation = nextInteger(generation);
}

async function storeLoaded(write: WriteInProgress, object: DecodedObject): Promise<Entry> {
  const { before } = write;
  const decided = decide(write, { valid: object });
  if (before !== undefined && decided.decision === 'keep') return before;
  const { entry } = await withEndings(write, async (endings) => {
    const allocated = await allocate(write, decided, endings);
    if (before === undefined) return storeNew(write, allocated);
    return write.context.storage.guaranteedUpdate(storageKeyOf(write), () => allocated.decision);
  });
  return entry;
}

/** The fields of metadata that only servers set, and that fixtures keep. */
function ownFields(metadata: Readonly<ObjectMeta> | undefined): ObjectMeta {
  const { uid, creationTimestamp, generation, deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  return {
    ...(uid && { uid }),
    ...(creationTimestamp && { creationTimestamp }),
    ...(generation !== undefined && { generation }),
    ...(deletionTimestamp && { deletionTimestamp }),
    ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
  };
}
