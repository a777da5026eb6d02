// The stages of a write, one function each: each takes the state that the one before returns. write.ts has their order.

import { apiVersionOf, defined, type Resource, resourceId } from '../../matrix/api/index.js';
import { typeOfKind } from '../../matrix/api/modern/index.js';
import { alreadyExists, badRequest, invalid, notFound } from '../errors.js';
import { Causes, collectCauses } from '../schema/causes.js';
import { dns1123Subdomain } from '../schema/formats.js';
import { withTemplatePorts } from '../schema/hostPorts.js';
import {
  type DecodedObject,
  equal,
  internalOf,
  type KubeObject,
  type ObjectMeta,
  withInternal,
} from '../schema/object.js';
import { requireSize } from '../schema/objectSize.js';
import { settle } from '../schema/settled.js';
import { type Entry, KeyExists, type Storage, type Written } from '../storage/storage.js';
import { doInTurns, type Steps } from '../turns.js';
import { keyOf, selfLinkOf } from '../versions/addresses.js';
import { kindConversionOf } from '../versions/kindConversions.js';
import { asRead, shownAs, toStorageVersion } from '../versions/views.js';
import type { Change, Creation, Ending } from './admission.js';
import { dryStorage } from './dryRun.js';
import { areEntries, changesTimesOnly, trackedEntries, withEntries } from './fields.js';
import {
  createdMetadata,
  orderedMetadata,
  validateFinalizersKept,
  validateMetadata,
  withDistinctOwners,
} from './metadata.js';
import { namespaceFence } from './namespaceFence.js';
import { isOfStatus, type Preparation, type Strategy, Unavailable } from './strategy.js';
import { firstGeneration, isFinalized, merged, requireSame } from './update.js';
import type {
  Begun,
  Decided,
  Decoded,
  Defaulted,
  Mutated,
  ObjectChange,
  Tracked,
  Update,
  Valid,
  WriteContext,
  WriteInProgress,
  WriteRequest,
} from './writing.js';

/** Checks a new object, or the changed part of an updated one, for a request to a resource. */
function* validateObject(
  object: KubeObject,
  before: KubeObject | undefined,
  request: WriteRequest,
  strategy: Strategy,
  view: Resource,
  causes: Causes,
): Steps<void> {
  const { part: updated } = request;
  const own = strategy.validateGiven && asGiven.get(request);
  if (own !== undefined) strategy.validateGiven?.(own.object, causes, own.view);
  validateMetadata(object.metadata, strategy.name ?? dns1123Subdomain, strategy.plainFinalizers === true, causes);
  if (before) validateFinalizersKept(object.metadata, before.metadata, causes);
  if (updated === 'main') {
    strategy.validate?.(object, causes, view);
    if (before) strategy.validateUpdate?.(object, before, causes, view);
    else strategy.validateCreate?.(object, causes, view);
  } else if (before) {
    if (isOfStatus(updated) || updated === 'finalize') strategy.validateStatus?.(object, before, causes, updated);
    else strategy.specParts?.[updated].validate(object, before, causes);
  }
  if (strategy.validateSchema !== undefined) yield* strategy.validateSchema(object, before, causes, updated);
}

/** Makes the new object from the current one. Throws 400, 409 or 422 if the update means another object. */
export function* decode({ context, request, before }: Update, change: ObjectChange): Steps<Decoded> {
  const { resource, strategy } = context;
  const object = yield* change.apply(shownAs(resource, before.value));
  const { metadata } = object;
  requireSame(resource, request.key, object, before.value, strategy.needsRevision === true);
  return {
    decoded: toStorageVersion(
      resource,
      completed(context, request, { ...object, metadata: { ...distinctOwners(request, metadata) } }),
    ),
    given: metadata.managedFields,
  };
}

const distinctOwners = ({ origin }: WriteRequest, metadata: ObjectMeta): ObjectMeta =>
  withDistinctOwners(metadata, (text) => origin?.warn(text));

/** The objects of requests in their own version, where the strategy checks them. */
const asGiven = new WeakMap<WriteRequest, { readonly object: DecodedObject; readonly view: Resource }>();

/** Returns the object of a request with what servers fill in. */
export function completed(
  { strategy, resource: view }: WriteContext,
  request: WriteRequest,
  object: DecodedObject,
): DecodedObject {
  if (strategy.validateGiven !== undefined) asGiven.set(request, { object, view });
  return strategy.complete?.(object, view) ?? withTemplatePorts(object);
}

export function decodeNew({ context, request, now }: WriteInProgress, object: DecodedObject): Decoded {
  const { resource, stored, strategy } = context;
  const metadata = createdMetadata(distinctOwners(request, object.metadata), {
    namespace: stored.namespaced ? request.key.namespace : undefined,
    generation: firstGeneration(strategy, object.metadata.generation),
    now,
    hasSelfLink: context.selfLinks,
  });
  return {
    decoded: toStorageVersion(resource, completed(context, request, { ...object, metadata })),
    given: object.metadata.managedFields,
  };
}

export function* setDefaults({ context }: WriteInProgress, { decoded, given }: Decoded): Steps<Defaulted> {
  // Views of later groups set no defaults that depend on other fields: apps/v1 requires a selector.
  const isLaterView = context.resource.modern === true && context.resource !== context.stored;
  const steps = isLaterView ? undefined : context.strategy.defaults?.(decoded);
  if (steps) yield* steps;
  return { desired: decoded, given };
}

/**
 * Finds out who owns which fields after the write. What plug-ins and the strategy change later has no owner, as on real
 * servers.
 */
export function* track(
  { context, request, before, now }: WriteInProgress,
  { desired, given }: Defaulted,
): Steps<Tracked> {
  if (context.types === undefined || request.manager === undefined) return { desired };
  if (request.applies === true) return { desired, entries: given };
  const change = { ...(before && { before: before.value }), after: desired, ...(given && { given }), now };
  return { desired, entries: yield* trackedEntries(context, request, change) };
}

export const isOfClient = (kind: WriteRequest['kind']): boolean => kind === 'create' || kind === 'update';

/** Reports whether plug-ins show a write to others. */
export const isShown = ({ admission, stored }: WriteContext, { kind, origin }: WriteRequest): boolean =>
  isOfClient(kind) && origin !== undefined && admission.shows(resourceId(stored));

/** Lets plug-ins complete a new object. */
const complete = (write: WriteInProgress, object: DecodedObject): Promise<void> | undefined =>
  write.before === undefined ? write.context.admission.mutate(creationOf(write, object)) : undefined;

/** Lets plug-ins complete a new object, and those to whom they show a change decide what it shall be. */
export async function admit(write: WriteInProgress, tracked: Tracked): Promise<Tracked> {
  const { context, request } = write;
  await complete(write, tracked.desired);
  if (!isShown(context, request)) return tracked;
  const shown = withOwners(write, tracked);
  const revised = await context.admission.revise(changeOf(write, shown));
  const first = taken(write, tracked, shown, revised.object);
  if (revised.again === undefined) return first;
  const { desired } = first;
  const kept = { ...desired, metadata: { ...desired.metadata } };
  await complete(write, desired);
  const again = withOwners(write, first);
  return taken(write, first, again, await revised.again(again, !equal(kept, desired)));
}

/** The object of a change as others see it: with the owners of its fields, and without what only the server sets. */
function withOwners({ request, before }: WriteInProgress, { desired, entries }: Tracked): KubeObject {
  const owners = entries ?? before?.value.metadata.managedFields ?? [];
  if (before !== undefined) return withEntries(desired, owners);
  const { name, namespace, ...given } = desired.metadata;
  const { labels, annotations, ownerReferences, finalizers, generateName } = given;
  const users = { generateName, namespace, labels, annotations, ownerReferences, finalizers };
  const isNamed = request.key.name !== '' && name !== undefined;
  return withEntries({ ...desired, metadata: defined({ ...(isNamed && { name }), ...users }) }, owners);
}

/**
 * Takes an object that others have changed, with the metadata that only the server sets. Throws 400 if they move
 * it to another namespace, and 422 if they make another object of one that exists.
 */
function taken(write: WriteInProgress, before: Tracked, shown: KubeObject, revised: KubeObject): Tracked {
  if (revised === shown) return before;
  const { metadata, ...fields } = revised;
  const { managedFields = [], ...given } = metadata;
  const areOthers = !equal(managedFields, shown.metadata.managedFields ?? []) && areEntries(managedFields);
  const entries = areOthers ? managedFields : before.entries;
  const servers = before.desired.metadata;
  if (given.namespace && given.namespace !== write.request.key.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (write.before !== undefined) {
    requireIdentity(write.context.resource, write.before.value, revised);
    return { desired: { ...fields, metadata: given }, entries };
  }
  const name = given.name || servers.name;
  return { desired: { ...fields, metadata: orderedMetadata({ ...servers, ...(name && { name }) }, given) }, entries };
}

/** As on real servers, each cause is there twice: one of every write, and one of the kind. */
function requireIdentity(resource: Resource, { metadata }: KubeObject, revised: KubeObject): void {
  const { name = '', uid = metadata.uid } = revised.metadata;
  const causes = new Causes();
  for (let times = 0; times < 2; times += 1) {
    causes.immutable('metadata.name', name, name === metadata.name);
    causes.immutable('metadata.uid', uid, uid === metadata.uid);
  }
  if (causes.list.length > 0) throw invalidObject(resource, revised, causes);
}

/** Sets the status that an object has at first, whatever a client says. */
export function setInitialStatus(desired: DecodedObject, { initialStatus, clearStatus }: Strategy): void {
  if (initialStatus !== 'given') desired.status = initialStatus?.(desired) ?? {};
  clearStatus?.(desired);
}

/** Completes a new object with its strategy. */
export function mutateNew(write: WriteInProgress, { desired, entries }: Tracked): Mutated {
  const { strategy, stored, hasStatus, selfLinks } = write.context;
  if (hasStatus) setInitialStatus(desired, strategy);
  strategy.prepareCreate?.(desired);
  if (selfLinks)
    desired.metadata.selfLink = selfLinkOf(stored, write.request.key.namespace, desired.metadata.name ?? '');
  return { next: desired, entries };
}

/** Restores the fields that an update may not change. */
export function mutate({ context, request, before, now }: Update, { desired, entries }: Tracked): Mutated {
  const current = asRead(readAs(context), before.value);
  const next = merged(desired, current, request.part, context.strategy, context.hasStatus, now);
  return { next, entries, current };
}

/** Throws 422 with all causes if the object is invalid. */
export function* validate({ context, request }: Begun, { next, entries, current }: Mutated): Steps<Valid> {
  const { strategy, resource } = context;
  const causes = new Causes();
  yield* collectCauses(causes, validateObject(next, current, request, strategy, resource, causes));
  if (causes.list.length > 0) throw invalidObject(resource, next, causes);
  const written = request.kind === 'update' ? request.part : 'main';
  for (const text of (request.origin && strategy.warnings?.(next, current, written)) ?? []) request.origin?.warn(text);
  return { valid: next, entries };
}

/** Accepts the object of an internal write as it is. */
export const trust = ({ desired, entries }: Tracked): Valid => ({
  valid: { ...desired, metadata: orderedMetadata(desired.metadata) },
  entries,
});

/**
 * Reports whether an object that goes is seen as the write leaves it. What takes its last finalizer is never stored, as
 * is a delete that takes effect at once.
 */
function isLastState({ kind }: WriteRequest, { strategy }: WriteContext, { value }: Entry): boolean {
  if (kind !== 'delete') return false;
  return value.metadata.deletionTimestamp !== undefined || strategy.terminating !== undefined;
}

/** Reports whether an object is stored with the marks of its delete before it goes: where a delete can be graceful. */
const isMarkedFirst = ({ kind, emptied }: WriteRequest, { strategy }: WriteContext, { value }: Entry): boolean =>
  kind === 'delete' && strategy.graceOf !== undefined && !isFinalized(value, strategy, emptied);

/**
 * Decides to store the object, to remove it if nothing holds back its deletion any longer, or to keep the stored one.
 * Throws 413 if the object is too large to be stored.
 */
export function decide({ context, request, before }: WriteInProgress, { valid, entries }: Valid): Decided {
  const internal = before && request.kind === 'update' ? internalOf(before.value) : undefined;
  const whole = internal === undefined ? valid : withInternal(valid, internal);
  const isSame = before !== undefined && equal(whole, before.value);
  const keepsEntries = entries === undefined || (isSame && changesTimesOnly(entries, before.value));
  const object = keepsEntries ? whole : withEntries(whole, entries);
  const isEnded = before !== undefined && isFinalized(object, context.strategy, request.emptied);
  if (isEnded && !isMarkedFirst(request, context, before)) {
    return { object, decision: { remove: isLastState(request, context, before) ? object : before.value } };
  }
  const isKept = isSame && !before.isStale && object.metadata.managedFields === before.value.metadata.managedFields;
  if (isKept) return { object, decision: 'keep' };
  if (isOfClient(request.kind)) {
    requireSize(object, before?.value, context.maxObjectSize);
    const { groupVersion, kind } = context.stored;
    const type = typeOfKind(apiVersionOf(groupVersion), kind);
    if (type !== undefined && request.part === 'main') settle(type, object);
  }
  return { object, decision: { put: object } };
}

/** Lets those to whom plug-ins show a change refuse the finished object. */
export async function review(write: WriteInProgress, { object }: Decided): Promise<void> {
  await write.context.admission.review(changeOf(write, object));
}

/** Reports whether a write runs plug-ins and allocates: every create does, and the updates of some kinds do. */
export function takesSomething({ strategy, admission, stored }: WriteContext, { kind, part }: WriteRequest): boolean {
  if (kind !== 'update' || part !== 'main') return kind === 'create';
  return strategy.reallocate !== undefined || admission.admitsUpdates(resourceId(stored));
}

/** Lets plug-ins check the finished object and reserve its quota. */
export async function reserve(write: WriteInProgress, { object }: Decided, endings: Ending[]): Promise<void> {
  const { before } = write;
  const writing = creationOf(write, object);
  await write.context.admission.reserve(before === undefined ? writing : { ...writing, before: before.value }, endings);
}

/** Claims addresses and ports, which only one object may have. Throws 422 if a requested value is unavailable. */
export function allocate(write: WriteInProgress, decided: Decided, endings: Ending[]): Decided | Promise<Decided> {
  const { allocate, reallocate } = write.context.strategy;
  return (write.before === undefined ? allocate : reallocate) ? allocated(write, decided, endings) : decided;
}

async function allocated(write: WriteInProgress, decided: Decided, endings: Ending[]): Promise<Decided> {
  const { strategy, storage, resource } = write.context;
  const { object, decision } = decided;
  const preparation: Preparation = { storage, now: write.now, dryRun: write.request.dryRun };
  try {
    if (write.before === undefined) {
      const giveBack = await strategy.allocate?.(object, preparation);
      if (giveBack) endings.push(async (written) => (written ? undefined : giveBack()));
    } else if (decision !== 'keep' && 'put' in decision) {
      const reallocated = await strategy.reallocate?.(decision.put, write.before.value, preparation);
      if (reallocated === undefined) return decided;
      endings.push(async (written) => (written ? undefined : reallocated.undo()));
      return { object, decision: { put: reallocated.object } };
    }
    return decided;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const causes = new Causes();
    causes.invalid(error.field, error.value, error.message);
    throw invalidObject(resource, object, causes);
  }
}

/** Throws 400 for an object that names a version, 409 if the name is taken, and like `namespaceFence`. */
export async function storeNew({ context, request }: WriteInProgress, { object }: Decided): Promise<Written> {
  // A dry run names no version of what it would create, so a client may send an object back.
  if (request.isVersioned && !request.dryRun)
    throw badRequest('resourceVersion should not be set on objects to be created');
  const name = object.metadata.name ?? '';
  const key = keyOf(context.stored, request.key.namespace, name);
  const fence = namespaceFence(context.resource, request.key.namespace, name);
  try {
    return { entry: await storageOf(context, request).create(key, object, fence), change: 'put' };
  } catch (error) {
    if (!(error instanceof KeyExists)) throw error;
    const { deletionTimestamp } = (await context.storage.get(key))?.value.metadata ?? {};
    throw alreadyExists(context.resource, name, deletionTimestamp !== undefined);
  }
}

/** Returns undefined if the current object is no longer the one that the decision is about. Throws 404 if it is absent. */
export async function store(write: Update, { decision }: Decided): Promise<Written | undefined> {
  const { revision } = write.before;
  const isCurrent = (entry: Entry): boolean => entry.revision === revision;
  const written = await storageOf(write.context, write.request).guaranteedUpdate(storageKeyOf(write), (current) =>
    isCurrent(required(write, current)) ? decision : 'keep',
  );
  return written.change !== 'keep' || isCurrent(written.entry) ? written : undefined;
}

/**
 * Runs the stages that store an object. Whether they succeed or fail, ends their reservations and allocations; then
 * releases claims that a removed or updated object no longer needs.
 */
export async function withEndings<Result extends Written | undefined>(
  write: WriteInProgress,
  storing: (endings: Ending[]) => Promise<Result>,
): Promise<Result> {
  const endings: Ending[] = [];
  let written: Result | undefined;
  try {
    written = await storing(endings);
    return written;
  } finally {
    for (const end of endings.reverse()) await end(written !== undefined);
    if (written !== undefined) await releaseClaims(write, write.before, written);
  }
}

/** Releases claims that a removed or updated object no longer needs. */
export async function releaseClaims(
  { context, request }: Begun,
  before: Entry | undefined,
  { change, entry }: Written,
): Promise<void> {
  if (change === 'keep' || request.dryRun || before === undefined) return;
  const successor = change === 'remove' ? undefined : entry.value;
  if (successor === undefined || takesSomething(context, request)) {
    await context.strategy.release?.(before.value, context.storage, successor);
  }
}

/** Returns the current object of an update. Throws 404 if it is absent. */
export function required({ context, request }: Begun, current: Entry | undefined): Entry {
  if (current === undefined) throw notFound(context.resource, request.key.name);
  return current;
}

export function storageKeyOf({ context, request }: Begun): string {
  return keyOf(context.stored, request.key.namespace, request.key.name);
}

export function storageOf(
  { storage }: WriteContext,
  { dryRun }: WriteRequest,
): Pick<Storage, 'create' | 'guaranteedUpdate'> {
  return dryRun ? dryStorage(storage) : storage;
}

function creationOf({ context, request }: Begun, object: DecodedObject): Creation {
  const { resource, stored } = context;
  const { key, dryRun, origin } = request;
  return {
    resource,
    stored: resourceId(stored),
    namespace: key.namespace,
    dryRun,
    object,
    ...(origin && { origin }),
  };
}

function changeOf(write: WriteInProgress, object: KubeObject): Change {
  const { before, request } = write;
  const { origin, shown, part, key } = request;
  if (origin === undefined) throw new Error('a write that the server makes for itself is shown to no one');
  return {
    ...creationOf(write, object as DecodedObject),
    ...{ origin, part, name: key.name || (object.metadata.name ?? ''), object },
    ...(shown && { shown }),
    async complete(view, given) {
      const inVersion = { ...write.context, resource: view };
      const decoded = await inStoredVersion(write.context.resource, view, completed(inVersion, request, given));
      const { desired } = await doInTurns(setDefaults({ ...write, context: inVersion }, { decoded }));
      return desired;
    },
    ...(before === undefined
      ? { operation: 'CREATE' }
      : { operation: 'UPDATE', before: asRead(readAs(write.context), before.value) }),
  };
}

/** The version in which objects are on the way to the storage. */
const readAs = ({ resource, stored }: WriteContext): Resource =>
  kindConversionOf(resource) === undefined ? stored : resource;

/** Returns an object of a version as it is on the way of a write to a resource. */
async function inStoredVersion(resource: Resource, view: Resource, object: DecodedObject): Promise<DecodedObject> {
  const conversion = kindConversionOf(resource);
  if (conversion === undefined || view === resource) return toStorageVersion(view, object);
  const [converted] = await conversion.converted([object as KubeObject]);
  return converted as DecodedObject;
}

export function invalidObject({ groupVersion, kind }: Resource, { metadata }: DecodedObject, causes: Causes) {
  return invalid({ group: groupVersion.group, kind }, metadata.name ?? '', causes.list);
}
