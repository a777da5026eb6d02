// An update of an object: that it means the object that is there, and which of its fields it may change.
import type { Resource } from '../../matrix/api/index.js';
import { badRequest, conflict, invalid, modified } from '../errors.js';
import { type Draft, equal, type KubeObject } from '../schema/object.js';
import { Causes } from './causes.js';
import { updatedMetadata } from './metadata.js';
import type { Strategy } from './strategy.js';

/** Which part of an object a write is about: all but the status, or the status alone, or its finalizers. */
export type Part = 'main' | 'status' | 'finalize';

/** An object's place: the namespace of a namespaced one, and its name. */
export interface Place {
  readonly namespace: string | undefined;
  readonly name: string;
}

/** What is replaced has to be what was meant: its name, its identity, its revision. */
export function requireSame(resource: Resource, { namespace, name }: Place, given: Draft, current: KubeObject): void {
  const { metadata } = given;
  if (!metadata.name) {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  if (resource.namespaced && metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest(
      `the namespace of the object (${metadata.namespace}) does not match the namespace on the request (${namespace})`,
    );
  }
  requireRevision(resource, name, metadata.resourceVersion, current.metadata.resourceVersion);
  if (metadata.uid && metadata.uid !== current.metadata.uid) {
    const uids = `UID in precondition: ${metadata.uid}, UID in object meta: ${current.metadata.uid}`;
    throw conflict(resource, name, `Precondition failed: ${uids}`);
  }
  const { deletionTimestamp } = metadata;
  // What is being deleted keeps its own, whatever was given.
  if (deletionTimestamp && current.metadata.deletionTimestamp === undefined) {
    const causes = new Causes();
    causes.immutable('metadata.deletionTimestamp', deletionTimestamp, false);
    throw invalid({ group: resource.groupVersion.group, kind: resource.kind }, name, causes.list);
  }
}

/** Refuses a resourceVersion that is not the current one. None, or 0, means whatever is there. */
function requireRevision(
  resource: Resource,
  name: string,
  given: string | undefined,
  current: string | undefined,
): void {
  if (!given || given === '0' || given === current) return;
  if (!/^\d+$/.test(given)) {
    throw badRequest(
      `resourceVersion: Invalid value: "${given}": strconv.ParseUint: parsing "${given}": invalid syntax`,
    );
  }
  throw conflict(resource, name, modified);
}

/** The fields that a write is about from what was given, the others as they were. */
export function merged(
  given: Draft,
  before: KubeObject,
  part: Part,
  strategy: Strategy,
  hasStatus: boolean,
): KubeObject {
  const metadata = updatedMetadata(given.metadata, before.metadata);
  if (part === 'finalize') {
    const { finalizers } = (given.spec ?? {}) as { finalizers?: unknown };
    return { ...before, metadata, spec: { ...(before.spec as object), finalizers } };
  }
  if (part === 'status') {
    if (strategy.statusKeepsLabels) Object.assign(metadata, { labels: before.metadata.labels });
    const { status } = given;
    return { ...withoutStatus(before), metadata, ...(status !== undefined && { status }) };
  }
  const status = hasStatus ? before.status : given.status;
  const all: KubeObject = { ...withoutStatus(given), metadata, ...(status !== undefined && { status }) };
  const next = strategy.prepareUpdate?.(all, before) ?? all;
  return moved(next, before, strategy) ? nextGeneration(next) : next;
}

/** Whether nothing holds a deleted object back any longer. `emptied` is for the strategy. */
export function isFinalized(object: KubeObject, strategy: Strategy, emptied: boolean): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined || finalizers.length > 0) return false;
  // What waits for more, or for its grace to end, is not removed by just any write.
  return deletionGracePeriodSeconds === 0 && strategy.waits?.(object, emptied) !== true;
}

function withoutStatus(object: KubeObject | Draft): Readonly<Record<string, unknown>> {
  const { status: _status, ...others } = object as Readonly<Record<string, unknown>>;
  return others;
}

/** Whether there is something new for those who act on the object. */
function moved(next: KubeObject, before: KubeObject, { generation }: Strategy): boolean {
  if (generation === undefined) return false;
  const noted = generation === 'annotations' && !equal(next.metadata.annotations, before.metadata.annotations);
  return noted || !equal(next.spec, before.spec);
}

function nextGeneration(object: KubeObject): KubeObject {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 } };
}
