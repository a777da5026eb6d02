// The stages of a write, one function each. write.ts has their order.
import { type Resource, resourceId } from '../../matrix/api/index.js';
import { alreadyExists, invalid, notFound } from '../errors.js';
import { Causes, collectedInSteps } from '../schema/causes.js';
import { type DecodedObject, equal, internalOf, type KubeObject, withInternal } from '../schema/object.js';
import { type Entry, KeyExists, type Storage, type Write as StorageWrite } from '../storage/storage.js';
import { doAll, doInTurns } from '../turns.js';
import { keyOf, selfLinkOf } from '../versions/addresses.js';
import { asRead, toStorageVersion, toVersion } from '../versions/views.js';
import type { Creation } from './admission.js';
import { dryStorage } from './dryRun.js';
import { changesTimesOnly, trackedEntries, withEntries } from './fields.js';
import { createdMetadata, orderedMetadata } from './metadata.js';
import { namespaceFence } from './namespaceFence.js';
import { type Preparation, Unavailable } from './strategy.js';
import { isFinalized, merged, requireSame } from './update.js';
import { causesOf } from './validation.js';
import type { Stage, Write, WriteContext, WriteRequest } from './writing.js';

/** Thrown if the object has changed since the write began. */
export const staleObject = Symbol('moved');

/**
 * Makes the new object from the current one, in the stored version. Throws 400, 409 or 422 if the update means another
 * object.
 */
export const decode: Stage = (write) => {
  const { request, before, context, inTurns } = write;
  const { change, kind } = request;
  if (kind === 'internal') {
    write.object = change.now(required(write, before).value);
    return;
  }
  const current = before === undefined ? absent : toVersion(context.resource, before.value);
  if (!inTurns || kind === 'create') return accept(write, change.now(current));
  return change.inTurns(current).then((decoded) => accept(write, decoded));
};

/** The current object of a create, which ignores it. */
const absent: KubeObject = { metadata: {} };

function accept(write: Write, decoded: DecodedObject): void {
  const { request, before, context, now } = write;
  const { resource, stored, strategy } = context;
  const { namespace } = request.key;
  write.given = decoded.metadata.managedFields;
  if (before !== undefined) {
    requireSame(resource, request.key, decoded, before.value);
    write.object = toStorageVersion(resource, { ...decoded, metadata: { ...decoded.metadata } });
    return;
  }
  const metadata = createdMetadata(decoded.metadata, {
    namespace: stored.namespaced ? namespace : undefined,
    generation: strategy.generation ? 1 : undefined,
    now,
  });
  write.object = toStorageVersion(resource, { ...decoded, metadata });
}

export const setDefaults: Stage = ({ request, context, object, inTurns }) => {
  if (request.kind === 'internal') return;
  // Views of later groups set no defaults that depend on other fields: apps/v1 requires a selector.
  const isLaterView = context.resource.modern === true && context.resource !== context.stored;
  const steps = isLaterView ? undefined : context.strategy.defaults?.(object);
  if (!steps) return;
  if (inTurns || request.kind === 'create') return doInTurns(steps);
  doAll(steps);
};

/**
 * Finds out who owns which fields after the write. What plug-ins and the strategy change later has no owner, as on real
 * servers.
 */
export const track: Stage = (write) => {
  const { request, context, before, object, inTurns, given, now } = write;
  if (context.types === undefined || request.manager === undefined) return;
  if (request.applies === true) {
    write.entries = given;
    return;
  }
  const change = { ...(before && { before: before.value }), after: object as KubeObject, ...(given && { given }), now };
  const steps = trackedEntries(context, request, change);
  if (!inTurns && request.kind !== 'create') {
    write.entries = doAll(steps);
    return;
  }
  return doInTurns(steps).then((entries) => {
    write.entries = entries;
  });
};

/** Completes a new object with plug-ins and its strategy. For an update, restores the fields that it may not change. */
export const mutate: Stage = (write) => {
  const { request, context, before, object } = write;
  if (request.kind === 'create') return mutateNew(write);
  write.object =
    request.kind === 'internal'
      ? { ...object, metadata: orderedMetadata(object.metadata) }
      : merged(
          object,
          currentOf(write) ?? required(write, before).value,
          request.part,
          context.strategy,
          context.hasStatus,
        );
};

async function mutateNew(write: Write): Promise<void> {
  const { context, request, object } = write;
  const { strategy, stored, admission, hasStatus } = context;
  await admission.mutate(creationOf(write));
  if (hasStatus && strategy.initialStatus !== 'given') object.status = strategy.initialStatus?.(object) ?? {};
  strategy.prepareCreate?.(object);
  object.metadata.selfLink = selfLinkOf(stored, request.key.namespace, object.metadata.name ?? '');
}

/** Throws 422 with all causes if the object is invalid. */
export const validate: Stage = (write) => {
  const { request, context, object, inTurns } = write;
  if (request.kind === 'internal') return;
  const { strategy, resource } = context;
  const requireNone = (causes: Causes): void => {
    if (causes.list.length > 0) throw invalidObject(resource, object, causes);
  };
  const current = currentOf(write);
  const causes = causesOf(object, current, request.part, strategy, resource);
  const { validateInSteps } = strategy;
  if (validateInSteps === undefined) return requireNone(causes);
  const steps = collectedInSteps(causes, () => validateInSteps(object, current, causes, request.part));
  if (!inTurns && request.kind !== 'create') return requireNone(doAll(steps));
  return doInTurns(steps).then(requireNone);
};

/** Returns the object that an update changes, as readers see it. */
const currentOf = ({ before, context }: Write): KubeObject | undefined =>
  before === undefined ? undefined : asRead(context.stored, before.value);

/**
 * Decides to store the object, to remove it if nothing holds back its deletion any longer, or to keep the stored one.
 */
export const decide: Stage = (write) => {
  const { request, context, before, entries } = write;
  const kept = before && request.kind === 'update' ? internalOf(before.value) : undefined;
  if (kept !== undefined) write.object = withInternal(write.object as KubeObject, kept);
  const isSame = before !== undefined && equal(write.object, before.value);
  if (entries !== undefined && !(isSame && changesTimesOnly(entries, before.value))) {
    write.object = withEntries(write.object as KubeObject, entries);
  }
  const { object } = write;
  if (before !== undefined && isFinalized(object, context.strategy, request.emptied)) {
    write.decision = { remove: object };
  } else
    write.decision =
      isSame && object.metadata.managedFields === before.value.metadata.managedFields ? 'keep' : { put: object };
};

/** Reports whether a write runs plug-ins and allocates: every create does, and the updates of some kinds do. */
export function takesSomething({ strategy, admission, stored }: WriteContext, { kind, part }: WriteRequest): boolean {
  if (kind !== 'update' || part !== 'main') return kind === 'create';
  return strategy.reallocate !== undefined || admission.admitsUpdates(resourceId(stored));
}

/** Lets plug-ins check the finished object and reserve its quota. */
export const reserve: Stage = async (write) => {
  const { context, request, before, endings } = write;
  if (!takesSomething(context, request)) return;
  const writing = creationOf(write);
  await context.admission.reserve(before === undefined ? writing : { ...writing, before: before.value }, endings);
};

/** Claims addresses and ports, which only one object may have. Throws 422 if a requested value is unavailable. */
export const allocate: Stage = async (write) => {
  const { context, request, before, object, decision } = write;
  const { strategy, storage, resource } = context;
  const preparation: Preparation = { storage, now: write.now, dryRun: request.dryRun };
  try {
    if (before === undefined) {
      const giveBack = request.kind === 'create' ? await strategy.allocate?.(object, preparation) : undefined;
      if (giveBack) write.endings.push(async (written) => (written ? undefined : giveBack()));
    } else if (takesSomething(context, request) && decision !== undefined && decision !== 'keep' && 'put' in decision) {
      const reallocated = await strategy.reallocate?.(decision.put, before.value, preparation);
      if (reallocated === undefined) return;
      write.decision = { put: reallocated.object };
      write.endings.push(async (written) => (written ? undefined : reallocated.undo()));
    }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const causes = new Causes();
    causes.invalid(error.field, error.value, error.message);
    throw invalidObject(resource, object, causes);
  }
};

/** Stores the object. Throws `staleObject` if the current object has changed, and 409 if a create's name is taken. */
export const store: Stage = async (write) => {
  const { context, request, before, object, decision } = write;
  if (request.kind !== 'create') return storeOver(write, (current) => unmoved(before, current, decision));
  const name = object.metadata.name ?? '';
  const key = keyOf(context.stored, request.key.namespace, name);
  const fence = namespaceFence(context.resource, request.key.namespace, name);
  try {
    write.written = { entry: await storageOf(write).create(key, object, fence), change: 'put' };
  } catch (error) {
    throw error instanceof KeyExists ? alreadyExists(context.resource, name) : error;
  }
};

/** Updates the storage with the decision about the current object. */
export async function storeOver(
  write: Write,
  decisionAbout: (current: Entry | undefined) => StorageWrite,
): Promise<void> {
  write.written = await storageOf(write).guaranteedUpdate(storageKeyOf(write), decisionAbout);
}

function unmoved(before: Entry | undefined, current: Entry | undefined, decision: StorageWrite = 'keep'): StorageWrite {
  if (current?.revision !== before?.revision) throw staleObject;
  return decision;
}

/** Ends reservations and allocations, and releases claims that a removed or updated object no longer needs. */
export async function after({ context, request, before, written, endings }: Write): Promise<void> {
  for (const end of endings.reverse()) await end(written !== undefined);
  if (written === undefined || written.change === 'keep' || request.dryRun || before === undefined) return;
  const successor = written.change === 'remove' ? undefined : written.entry.value;
  if (successor === undefined || takesSomething(context, request)) {
    await context.strategy.release?.(before.value, context.storage, successor);
  }
}

/** Returns the current object of an update. Throws 404 if it is absent. */
export function required({ context, request }: Write, current: Entry | undefined): Entry {
  if (current === undefined) throw notFound(context.resource, request.key.name);
  return current;
}

/** The storage key of the object of an update. */
export function storageKeyOf({ context, request }: Write): string {
  return keyOf(context.stored, request.key.namespace, request.key.name);
}

function storageOf({ context, request }: Write): Pick<Storage, 'create' | 'guaranteedUpdate'> {
  return request.dryRun ? dryStorage(context.storage) : context.storage;
}

function creationOf({ context, request, object }: Write): Creation {
  const { resource, stored } = context;
  return { resource, stored: resourceId(stored), namespace: request.key.namespace, dryRun: request.dryRun, object };
}

function invalidObject({ groupVersion, kind }: Resource, { metadata }: DecodedObject, causes: Causes) {
  return invalid({ group: groupVersion.group, kind }, metadata.name ?? '', causes.list);
}
