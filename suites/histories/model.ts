// The model: what an object must be after a write, given what it was before. A page of the document's rules.
import { at, isEnding, isObject, type Json, type JsonObject, missing } from '../client/json.js';
import { difference } from '../objects/effects/index.js';
import { mergePatched } from '../objects/mergePatch.js';
import { bare, type Entry } from './record.js';

/** Metadata that the server sets with every write. */
const ofServer = new Set(['resourceVersion', 'generation', 'managedFields', 'selfLink', 'uid', 'creationTimestamp']);

/** Returns the metadata that a client writes. */
const written = (metadata: unknown, but: readonly string[] = []): JsonObject =>
  isObject(metadata)
    ? Object.fromEntries(Object.entries(metadata).filter(([key]) => !ofServer.has(key) && !but.includes(key)))
    : {};

/** The fields that the objects of a kind were seen with: those of an object by name, those of all items of a list. */
export type Shape = Map<string, Shape>;

/** Adds the fields of a value to a shape. */
export function addTo(shape: Shape, value: unknown): Shape {
  if (Array.isArray(value)) for (const item of value) addTo(shape, item);
  if (!isObject(value)) return shape;
  for (const [key, member] of Object.entries(value)) {
    const known = shape.get(key) ?? new Map();
    shape.set(key, addTo(known, member));
  }
  return shape;
}

/** Leaves out the fields that no object was ever seen with: a server of another age does not know them. */
function within(shape: Shape, value: unknown): Json {
  if (Array.isArray(value)) return value.map((item) => within(shape, item));
  if (!isObject(value)) return value as Json;
  const kept = Object.entries(value).flatMap(([key, member]) => {
    const known = shape.get(key);
    return known === undefined && member !== null ? [] : [[key, within(known ?? new Map(), member)] as const];
  });
  return Object.fromEntries(kept);
}

/** Empty metadata is the same as none. */
const tidy = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(metadata).filter(
      ([, value]) =>
        !(isObject(value) && Object.keys(value).length === 0) && !(Array.isArray(value) && value.length === 0),
    ),
  );

/** Deletes give an object these fields, and no other write changes them. */
const ofDelete = ['deletionTimestamp', 'deletionGracePeriodSeconds'];

/**
 * Returns how an object differs from what a write must have made of it; undefined if it does not differ. A server may
 * default what is new in a spec, so a spec that a write changes must hold what was sent, and any other must stay.
 */
export function wrongEffect(
  entry: Entry,
  before: JsonObject | undefined,
  after: JsonObject,
  shape: Shape,
): string | undefined {
  const now = bare(after);
  const sent = isObject(entry.sentBody) ? (within(shape, bare(entry.sentBody)) as JsonObject) : {};
  const { metadata, status: nowStatus, ...fields } = now;
  const { metadata: metadataBefore, status: statusBefore, ...fieldsBefore } = before ?? {};
  const sameStatus = (): string | undefined => named('status', difference(nowStatus ?? {}, statusBefore ?? {}));
  const sameFields = (): string | undefined => difference(fields, fieldsBefore);
  // from a spec that changes, or that is older than the stored one, a server may derive annotations of its own
  const derives = entry.changed === true || entry.what === 'overwrite';
  const compared = (all: unknown): JsonObject => {
    const own = written(all);
    return tidy(derives ? { ...own, annotations: ownKeys(own.annotations) } : own);
  };
  const sameMetadata = (): string | undefined =>
    named('metadata', difference(tidy(written(metadata)), tidy(written(metadataBefore))));
  switch (entry.what) {
    case 'create':
    case 'generate': {
      const { metadata: _, ...rest } = withoutStatus(sent);
      return named('metadata', missing(metadata, written(sent.metadata))) ?? missing(fields, rest);
    }
    case 'replace':
    case 'overwrite': {
      const { metadata: wanted, ...rest } = sent;
      const expected = { ...written(wanted, ofDelete), ...picked(metadataBefore, ofDelete) };
      return (
        named('metadata', difference(compared(metadata), compared(expected))) ??
        (entry.changed ? missing(fields, withoutStatus(rest)) : difference(fields, withoutStatus(rest))) ??
        (before === undefined ? undefined : sameStatus())
      );
    }
    case 'merge':
    case 'json':
    case 'strategic':
    case 'hold':
    case 'release': {
      const patch = Array.isArray(entry.sentBody) ? patchIn(entry) : sent;
      const { metadata: patchedMetadata, ...patchedFields } = patch;
      const expected = mergePatched(written(metadataBefore), patchedMetadata);
      return (
        named('metadata', difference(compared(metadata), compared(expected))) ??
        (entry.changed ? missing(fields, withoutNulls(patchedFields)) : sameFields()) ??
        sameStatus()
      );
    }
    case 'status':
      return named('status', missing(nowStatus, sent.status)) ?? sameMetadata() ?? sameFields();
    case 'scale': {
      const replicas = at(sent, 'spec', 'replicas');
      const wanted = mergePatched(fieldsBefore, { spec: { replicas: replicas ?? null } });
      // a replicas of 0 may be left out
      const zero = (value: unknown): JsonObject =>
        mergePatched(value as JsonObject, { spec: { replicas: at(value, 'spec', 'replicas') ?? 0 } }) as JsonObject;
      return sameMetadata() ?? difference(zero(fields), zero(wanted)) ?? sameStatus();
    }
    default:
      return undefined;
  }
}

/** Returns how an object differs in what only the clients of the history write; undefined if it does not differ. */
export function changedByNobody(before: JsonObject | undefined, after: JsonObject): string | undefined {
  const own = (object: unknown): JsonObject => ({
    labels: ownKeys(at(object, 'metadata', 'labels')),
    annotations: ownKeys(at(object, 'metadata', 'annotations')),
  });
  return difference(own(after), own(before));
}

/** Reports whether a write with an unchanged version changed nothing because everything was as sent already. */
export function isWithoutEffect({ what, sentBody }: Entry, object: JsonObject | undefined): boolean {
  if (object === undefined) return false;
  if (what === 'status') return missing(object.status, at(sentBody, 'status')) === undefined;
  if (what === 'scale') return (at(object, 'spec', 'replicas') ?? 0) === at(sentBody, 'spec', 'replicas');
  if (what !== 'hold' && what !== 'release') return false;
  return missing(at(object, 'metadata', 'annotations'), at(sentBody, 'metadata', 'annotations')) === undefined;
}

/** Reports whether an object is deleted when this write takes effect: nothing holds it any longer. */
export function letsGo(entry: Entry, before: JsonObject | undefined): boolean {
  if (before === undefined || !isEnding(before)) return false;
  const sent = at(entry.sentBody, 'metadata', 'finalizers');
  const isWhole = entry.what === 'replace' || entry.what === 'overwrite';
  const left = sent === undefined && !isWhole ? at(before, 'metadata', 'finalizers') : sent;
  return !Array.isArray(left) || left.length === 0;
}

const withoutStatus = ({ status: _, ...rest }: JsonObject): JsonObject => rest;
const named = (field: string, found: string | undefined): string | undefined => found && `${field}.${found}`;
const picked = (from: unknown, keys: readonly string[]): JsonObject =>
  isObject(from) ? Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key))) : {};
const ownKeys = (map: unknown): JsonObject =>
  isObject(map)
    ? Object.fromEntries(Object.entries(map).filter(([key]) => key.startsWith('kube-api-conformance/')))
    : {};

/** Returns a merge patch with the effect of a patch. A JSON patch of a history sets the members of labels and annotations. */
function patchIn({ sentBody }: Entry): JsonObject {
  let metadata: JsonObject = {};
  for (const operation of Array.isArray(sentBody) ? sentBody : []) {
    const [, , field = '', key = ''] = String(at(operation, 'path')).split('/');
    const change = { [field]: { [key.replaceAll('~1', '/')]: at(operation, 'value') } };
    metadata = mergePatched(metadata, change) as JsonObject;
  }
  return { metadata };
}

function withoutNulls(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return Object.fromEntries(kept.map(([key, each]) => [key, isObject(each) ? withoutNulls(each) : each]));
}
