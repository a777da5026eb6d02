// Updates: check that an update means the current object, and merge the fields that it may change.
import type { Resource } from '../../matrix/api/index.js';
import { badRequest, conflict, invalid, modified } from '../errors.js';
import { Causes } from '../schema/causes.js';
import {
  type DecodedObject,
  equal,
  type KubeObject,
  nextGeneration,
  type ObjectKey,
  type ObjectMeta,
} from '../schema/object.js';
import { updatedMetadata } from './metadata.js';
import { isOfStatus, type Part, type Strategy } from './strategy.js';

/**
 * Throws unless the update means the current object: 400 for another name or namespace, 409 for another uid or
 * resourceVersion, 422 if it marks the object as deleted or lacks a resourceVersion that it needs.
 */
export function requireSame(
  resource: Resource,
  { namespace, name }: ObjectKey,
  desired: DecodedObject,
  current: KubeObject,
  needsRevision: boolean,
): void {
  const { metadata } = desired;
  requireName(metadata, name);
  if (resource.namespaced && metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest(
      `the namespace of the object (${metadata.namespace}) does not match the namespace on the request (${namespace})`,
    );
  }
  if (needsRevision && !isRevision(metadata.resourceVersion)) throw withoutRevision(resource, name);
  requireRevision(resource, name, metadata.resourceVersion, current.metadata.resourceVersion);
  if (metadata.uid && metadata.uid !== current.metadata.uid) {
    const uids = `UID in precondition: ${metadata.uid}, UID in object meta: ${current.metadata.uid}`;
    throw conflict(resource, name, `Precondition failed: ${uids}`);
  }
  // An object that is being deleted keeps its marks, so any given value is ignored.
  if (current.metadata.deletionTimestamp !== undefined) return;
  const causes = new Causes();
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  for (const [field, mark] of Object.entries({ deletionTimestamp, deletionGracePeriodSeconds }))
    if (mark !== undefined && mark !== null) causes.immutable(`metadata.${field}`, mark, false);
  if (causes.list.length > 0)
    throw invalid({ group: resource.groupVersion.group, kind: resource.kind }, name, causes.list);
}

/** Throws 400 if an object has no name, or another one than the URL. */
export function requireName({ name }: ObjectMeta, expected: string): void {
  if (!name) {
    throw badRequest(`the name of the object (${expected} based on URL) was undeterminable: name must be provided`);
  }
  if (name !== expected) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${expected})`);
  }
}

/** An absent resourceVersion, or 0, means any. */
export const isRevision = (version: string | undefined): version is string => Boolean(version) && version !== '0';

function withoutRevision({ groupVersion, plural }: Resource, name: string) {
  const causes = new Causes();
  causes.invalid('metadata.resourceVersion', 0, 'must be specified for an update');
  return invalid({ group: groupVersion.group, kind: plural }, name, causes.list);
}

/** Throws 400 or 409 if a resourceVersion is not the current one. An absent one, or 0, matches any object. */
function requireRevision(
  resource: Resource,
  name: string,
  desired: string | undefined,
  current: string | undefined,
): void {
  if (!isRevision(desired) || desired === current) return;
  if (!/^\d+$/.test(desired)) {
    throw badRequest(
      `resourceVersion: Invalid value: "${desired}": strconv.ParseUint: parsing "${desired}": invalid syntax`,
    );
  }
  throw conflict(resource, name, modified);
}

/** Returns the object with the given values for one part and the current values for the others. */
export function merged(
  desired: DecodedObject,
  before: KubeObject,
  part: Part,
  strategy: Strategy,
  hasStatus: boolean,
  now: Date,
): KubeObject {
  const metadata = updatedMetadata(
    isOfStatus(part) ? ofStatusWrite(desired.metadata, before.metadata, strategy) : desired.metadata,
    before.metadata,
  );
  if (part === 'finalize') {
    const { finalizers } = (desired.spec ?? {}) as { finalizers?: unknown };
    return { ...before, metadata, spec: { ...(before.spec as object), finalizers } };
  }
  if (isOfStatus(part)) {
    const status = completeStatus(desired, strategy);
    const next: KubeObject = { ...withoutStatus(before), metadata, ...(status !== undefined && { status }) };
    return strategy.prepareStatus?.(next, before, part, now) ?? next;
  }
  const next =
    part === 'main'
      ? whole()
      : { ...before, spec: strategy.specParts?.[part].written(desired.spec ?? {}, before.spec ?? {}) };
  return increasesGeneration(next, before, strategy) ? nextGeneration(next) : next;

  function whole(): KubeObject {
    const status = hasStatus ? before.status : desired.status;
    const all: KubeObject = { ...withoutStatus(desired), metadata, ...(status !== undefined && { status }) };
    return strategy.prepareUpdate?.(all, before) ?? all;
  }
}

/** Returns the metadata that a status write may set, of what it gives. */
function ofStatusWrite(
  given: ObjectMeta,
  before: Readonly<ObjectMeta>,
  { statusKeepsMetadata, statusKeepsLabels }: Strategy,
): ObjectMeta {
  if (statusKeepsMetadata === true) return before;
  if (statusKeepsMetadata === 'notFinalizers') {
    const { finalizers: _finalizers, ...others } = before;
    return given.finalizers ? { ...others, finalizers: given.finalizers } : others;
  }
  if (!statusKeepsLabels) return given;
  const { labels: _labels, ...others } = given;
  return before.labels ? { ...others, labels: before.labels } : others;
}

/** Returns the given status with what every status of the kind holds. */
export function completeStatus(desired: DecodedObject, { initialStatus, leastStatus }: Strategy): unknown {
  if (initialStatus === 'given') return desired.status;
  const status = (desired.status ?? {}) as object;
  const least = leastStatus ?? initialStatus?.(desired) ?? {};
  const missing = Object.entries(least).filter(([name]) => !Object.hasOwn(status, name));
  return missing.length === 0 ? status : { ...status, ...Object.fromEntries(missing) };
}

/** Reports whether a deleted object can be removed. `emptied` is passed to the strategy. */
export function isFinalized(object: KubeObject, strategy: Strategy, emptied: boolean): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined || finalizers.length > 0) return false;
  // An object that waits for its contents or its grace period is not removed by an ordinary write.
  return deletionGracePeriodSeconds === 0 && strategy.waits?.(object, emptied) !== true;
}

function withoutStatus(object: KubeObject | DecodedObject): Readonly<Record<string, unknown>> {
  const { status: _status, ...others } = object as Readonly<Record<string, unknown>>;
  return others;
}

/** The generation of a new object: `given` where the server does not choose it. */
export const firstGeneration = ({ generation }: Strategy, given: number | undefined): number | undefined =>
  generation === undefined || generation === 'changes' ? given : 1;

/** Reports whether an update counts as a change of what is wanted. */
export function increasesGeneration(next: KubeObject, before: KubeObject, { generation }: Strategy): boolean {
  if (generation === undefined) return false;
  if (generation === 'content') return !equal({ ...next, metadata: {} }, { ...before, metadata: {} });
  const noted = generation === 'annotations' && !equal(next.metadata.annotations, before.metadata.annotations);
  return noted || !equal(next.spec, before.spec);
}
