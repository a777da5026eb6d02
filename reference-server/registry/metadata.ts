// The metadata of objects: defaults of a create, fields that an update keeps, and validation.
import { randomInt, randomUUID } from 'node:crypto';
import { excerpt } from '../excerpt.js';
import type { Causes } from '../schema/causes.js';
import { type Format, labelValue, qualifiedName } from '../schema/formats.js';
import { eachField, type ObjectMeta } from '../schema/object.js';

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
/** The most characters of a base that a generated name keeps. */
export const longestGeneratedBase = 63 - suffixLength;
const annotationBytes = 262144;
const finalizersField = 'metadata.finalizers';
export const standardFinalizers: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];

let lastSecond = Number.NaN;
let lastText = '';

/** Returns a time in the format of objects: RFC 3339 in UTC, in whole seconds. */
export function timestamp(time: Date): string {
  const second = Math.floor(time.getTime() / 1000);
  // Many objects are created in one second.
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = `${time.toISOString().slice(0, 19)}Z`;
  }
  return lastText;
}

/** Generates a name with a random suffix. The suffix has no vowels, so that it forms no words. */
export function generateName(base: string): string {
  const suffix = Array.from({ length: suffixLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return base.slice(0, longestGeneratedBase) + suffix;
}

/** Reports whether generateName could have returned a name for a base. */
export function isGeneratedFrom(base: string, name: string): boolean {
  const kept = base.slice(0, longestGeneratedBase);
  const suffix = name.slice(kept.length);
  return (
    name.startsWith(kept) && suffix.length === suffixLength && [...suffix].every((each) => alphabet.includes(each))
  );
}

/**
 * Returns metadata in the order of the field table, without absent or empty fields. resourceVersion is always present,
 * so that the storage can set it. `users` has the fields that users own, if another object provides them.
 */
export function orderedMetadata(of: Readonly<ObjectMeta>, users: Readonly<ObjectMeta> = of): ObjectMeta {
  const ordered: ObjectMeta = {};
  if (of.name) ordered.name = of.name;
  if (users.generateName) ordered.generateName = users.generateName;
  if (of.namespace) ordered.namespace = of.namespace;
  if (of.selfLink !== undefined) ordered.selfLink = of.selfLink;
  if (of.uid) ordered.uid = of.uid;
  ordered.resourceVersion = of.resourceVersion ?? '';
  if (of.generation !== undefined) ordered.generation = of.generation;
  if (of.creationTimestamp) ordered.creationTimestamp = of.creationTimestamp;
  if (of.deletionTimestamp) ordered.deletionTimestamp = of.deletionTimestamp;
  if (of.deletionGracePeriodSeconds !== undefined) ordered.deletionGracePeriodSeconds = of.deletionGracePeriodSeconds;
  const { labels, annotations, ownerReferences, finalizers } = users;
  if (labels && Object.keys(labels).length > 0) ordered.labels = labels;
  if (annotations && Object.keys(annotations).length > 0) ordered.annotations = annotations;
  if (ownerReferences && ownerReferences.length > 0) ordered.ownerReferences = ownerReferences;
  if (finalizers && finalizers.length > 0) ordered.finalizers = finalizers;
  if (of.managedFields) ordered.managedFields = of.managedFields;
  return ordered;
}

interface Created {
  readonly namespace: string | undefined;
  readonly generation: number | undefined;
  readonly now: Date;
  readonly hasSelfLink: boolean;
}

/**
 * Returns the metadata of a new object, with the fields that only the server sets. A selfLink is empty until the object
 * has its last name.
 */
export function createdMetadata(desired: ObjectMeta, { namespace, generation, now, hasSelfLink }: Created): ObjectMeta {
  const base = desired.generateName;
  const servers: ObjectMeta = {
    name: desired.name || (base ? generateName(base) : ''),
    uid: randomUUID(),
    creationTimestamp: timestamp(now),
  };
  if (hasSelfLink) servers.selfLink = '';
  if (namespace !== undefined) servers.namespace = namespace;
  if (generation !== undefined) servers.generation = generation;
  return orderedMetadata(servers, desired);
}

/** Returns the metadata of an updated object: fields that the server owns keep their values. */
export function updatedMetadata(desired: ObjectMeta, current: Readonly<ObjectMeta>): ObjectMeta {
  return orderedMetadata(current, desired);
}

/** Checks metadata and adds the mistakes to `causes`. With `plainFinalizers`, finalizers need no domain. */
export function validateMetadata(metadata: ObjectMeta, name: Format, plainFinalizers: boolean, causes: Causes): void {
  validateName(metadata, name, causes);
  validateLabels('metadata.labels', metadata.labels, causes);
  validateAnnotations(metadata.annotations, causes);
  validateOwners(metadata, causes);
  const { finalizers = [] } = metadata;
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion'))
    causes.invalid(finalizersField, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set');
  if (plainFinalizers) for (const each of finalizers) causes.format(finalizersField, each, qualifiedName);
  else validateFinalizers(finalizersField, finalizers, causes);
}

/** Checks the name of an object, and the base of a generated name. */
export function validateName({ name, generateName: base }: ObjectMeta, format: Format, causes: Causes): void {
  // A suffix follows the base, so the base may end with a dash.
  if (base)
    for (const problem of format(base.replace(/(?<=.)-$/, 'a'))) causes.invalid('metadata.generateName', base, problem);
  if (!name) causes.required('metadata.name', 'name or generateName is required');
  else causes.format('metadata.name', name, format);
}

/** Checks that each finalizer is a qualified name with a domain, or a standard finalizer. */
export function validateFinalizers(field: string, finalizers: readonly string[] | undefined, causes: Causes): void {
  finalizers?.forEach((finalizer, index) => {
    causes.format(field, finalizer, qualifiedName);
    if (!finalizer.includes('/') && !standardFinalizers.includes(finalizer)) {
      causes.invalid(
        `${field}[${index}]`,
        finalizer,
        'name is neither a standard finalizer name nor is it fully qualified',
      );
    }
  });
}

/** Checks that an object that is being deleted gets no new finalizers. */
export function validateFinalizersKept(next: ObjectMeta, current: Readonly<ObjectMeta>, causes: Causes): void {
  if (current.deletionTimestamp === undefined) return;
  const before = new Set(current.finalizers);
  const added = (next.finalizers ?? []).filter((name) => !before.has(name));
  if (added.length > 0) {
    causes.forbidden(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${listed(added)}}`,
    );
  }
}

/** The first names of a list, as many as fit in a message. */
function listed(names: readonly string[]): string {
  const most = 10;
  const first = names.slice(0, most).map(excerpt).join(', ');
  return names.length > most ? `${first} and ${names.length - most} more` : first;
}

/** Checks labels, or the labels of a selector. */
export function validateLabels(
  field: string,
  labels: Readonly<Record<string, string>> | undefined,
  causes: Causes,
): void {
  eachField(labels ?? {}, (key, value) => {
    causes.format(field, key, qualifiedName);
    causes.format(field, value, labelValue);
  });
}

export function validateAnnotations(annotations: ObjectMeta['annotations'], causes: Causes): void {
  let size = 0;
  eachField(annotations ?? {}, (key, value) => {
    for (const problem of qualifiedName(key.toLowerCase())) causes.invalid('metadata.annotations', key, problem);
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  });
  if (size > annotationBytes) causes.tooLong('metadata.annotations', annotationBytes);
}

/**
 * Returns metadata without the repeated owner references, as servers since 1.20 do. Two references to one owner that
 * differ both stay.
 */
export function withDistinctOwners(metadata: ObjectMeta, warn: ((text: string) => void) | undefined): ObjectMeta {
  const { ownerReferences: given = [] } = metadata;
  if (given.length < 2) return metadata;
  const seen = new Map(
    given.map((owner) => [
      JSON.stringify([owner.apiVersion, owner.kind, owner.name, owner.uid, owner.controller, owner.blockOwnerDeletion]),
      owner,
    ]),
  );
  if (seen.size === given.length) return metadata;
  const ownerReferences = [...seen.values()];
  const kept = new Set(ownerReferences);
  const repeated = given.filter((owner) => !kept.has(owner)).map(({ uid }) => uid);
  warn?.(`${repeatedOwners}; duplicate UID(s) observed: ${repeated.join(', ')}`);
  return { ...metadata, ownerReferences };
}

const repeatedOwners =
  '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject ' +
  'such requests as early as 1.24; please fix your requests';

function validateOwners({ ownerReferences = [] }: ObjectMeta, causes: Causes): void {
  const field = 'metadata.ownerReferences';
  for (const owner of ownerReferences) {
    if (!/^(?:[^/]*\/)?[^/]+$/.test(owner.apiVersion ?? ''))
      causes.invalid(`${field}.apiVersion`, owner.apiVersion ?? '', 'version must not be empty');
    for (const name of ['kind', 'name', 'uid'] as const)
      if (!owner[name]) causes.invalid(`${field}.${name}`, '', 'must not be empty');
    if (owner.kind === 'Event' && owner.apiVersion === 'v1')
      causes.invalid(field, owner, `/v1, Kind=${owner.kind} is disallowed from being an owner`);
  }
  const controllers = ownerReferences.filter(({ controller }) => controller);
  const [first, ...others] = controllers.map(({ kind = '', name = '' }) => `${kind}/${name}`);
  for (const other of others) {
    const found = `Found "true" in references for ${first} and ${other}`;
    causes.invalid(field, ownerReferences, `Only one reference can have Controller set to true. ${found}`);
  }
}
