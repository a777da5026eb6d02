// The effect of a delete on an object: remove it, mark it for deletion, or refuse.
import { defined, type Resource } from '../../matrix/api/index.js';
import { typeOf } from '../../matrix/api/modern/index.js';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { ApiObject, DecodedBody } from '../codecs/codec.js';
import { badRequest, invalid } from '../errors.js';
import { exactInteger, nextInteger } from '../exactJson.js';
import { excerpt } from '../excerpt.js';
import { Causes } from '../schema/causes.js';
import { decodeValue } from '../schema/decode.js';
import { isRecord, type KubeObject, own } from '../schema/object.js';
import { TypeMismatch } from '../schema/scalars.js';
import { StatusError } from '../statusError.js';
import type { Entry } from '../storage/storage.js';
import { doAll } from '../turns.js';
import { isDryRun } from './dryRun.js';
import { orderedMetadata, timestamp } from './metadata.js';
import type { Strategy } from './strategy.js';

export type Propagation = 'Foreground' | 'Background' | 'Orphan';

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: Propagation;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly dryRun: boolean;
}

export interface Deleted {
  /** The removed object, or the object that waits for its removal. */
  readonly entry: Entry;
  /** Whether the response is the object; otherwise it is a Status. */
  readonly answersObject: boolean;
}

const policies: readonly string[] = ['Foreground', 'Background', 'Orphan'] satisfies Propagation[];
const optionsKind = { group: 'meta.k8s.io', kind: 'DeleteOptions' };

/**
 * Reads delete options from the body, or from the query if there is no body. The `dryRun` parameter counts with a body
 * too, so that a dry run never deletes. Throws 400 or 422 for invalid options.
 */
export function deleteOptions(body: DecodedBody | undefined, query: URLSearchParams): DeleteOptions {
  const options = body === undefined ? queryOptions(query) : decodeOptions(body.value);
  if (body?.written !== undefined) decodeOptions(body.written());
  const causes = new Causes();
  const propagationPolicy = policyOf(options, causes);
  const dryRun = isDryRun([...(options.dryRun ?? []), ...query.getAll('dryRun')], causes);
  if (causes.list.length > 0) throw invalid(optionsKind, '', causes.list);
  const { gracePeriodSeconds, preconditions: { uid, resourceVersion } = {} } = options;
  return { dryRun, ...defined({ gracePeriodSeconds, propagationPolicy, uid, resourceVersion }) };
}

/** DeleteOptions have the same form in every group version, also in those that are not served. */
function decodeOptions(value: unknown): ObjectOf<'DeleteOptions'> {
  const source = value ?? {};
  if (!isRecord(source)) throw badRequest("couldn't get version/kind; expected delete options");
  const kind = own(source, 'kind') || 'DeleteOptions';
  const apiVersion = own(source, 'apiVersion') || 'v1';
  if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2) {
    throw badRequest(`unexpected GroupVersion string: ${excerpt(apiVersion)}`);
  }
  if (kind !== 'DeleteOptions' || typeof apiVersion !== 'string') {
    throw badRequest(`no kind ${excerpt(kind)} is registered for version ${excerpt(apiVersion)}`);
  }
  try {
    return doAll(decodeValue(typeOf('DeleteOptions'), source)) as ObjectOf<'DeleteOptions'>;
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    throw badRequest(
      `DeleteOptions in version "v1" cannot be handled as a DeleteOptions: ${error.path}: ${error.message}`,
    );
  }
}

function queryOptions(query: URLSearchParams): ObjectOf<'DeleteOptions'> {
  const grace = query.get('gracePeriodSeconds');
  const orphan = query.get('orphanDependents');
  const policy = query.get('propagationPolicy');
  const uid = query.get('uid');
  if (grace !== null && !/^[+-]?\d+$/.test(grace))
    throw badRequest(`strconv.ParseInt: parsing "${grace}": invalid syntax`);
  return {
    ...(grace !== null && { gracePeriodSeconds: exactInteger(grace) as number }),
    ...(orphan !== null && { orphanDependents: orphan !== 'false' && orphan !== '0' }),
    ...(policy !== null && { propagationPolicy: policy }),
    ...(uid && { preconditions: { uid } }),
  };
}

function policyOf(
  { orphanDependents, propagationPolicy }: ObjectOf<'DeleteOptions'>,
  causes: Causes,
): Propagation | undefined {
  if (propagationPolicy === undefined) {
    return orphanDependents === undefined ? undefined : orphanDependents ? 'Orphan' : 'Background';
  }
  if (orphanDependents !== undefined) {
    causes.invalid(
      'propagationPolicy',
      propagationPolicy,
      'orphanDependents and deletionPropagation cannot be both set',
    );
  }
  if (!policies.includes(propagationPolicy)) {
    causes.notSupported('propagationPolicy', propagationPolicy, [...policies, 'nil']);
  }
  return propagationPolicy as Propagation;
}

/**
 * Returns the object as a delete changes it. The storage removes the object unless finalizers, a grace period or its
 * contents hold it back. Throws 409 if a precondition fails, and the error of the strategy if the object may not be
 * deleted.
 */
export function markedForDeletion(
  current: KubeObject,
  strategy: Strategy,
  resource: Resource,
  options: DeleteOptions,
  { now, emptied }: { readonly now: Date; readonly emptied: boolean },
): KubeObject {
  requirePreconditions(current, resource, options);
  strategy.checkDelete?.(current);
  const grace = strategy.graceOf?.(current, options.gracePeriodSeconds) ?? 0;
  const finalizers = finalizersAfter(current, strategy, resource, options);
  const held = grace > 0 || finalizers.length > 0 || strategy.waits?.(current, emptied) === true;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = current.metadata;
  if (deletionTimestamp !== undefined && held && grace >= deletionGracePeriodSeconds) {
    return sameFinalizers(current, finalizers) ? current : withFinalizers(current, finalizers);
  }
  const last = withFinalizers(current, finalizers);
  return strategy.terminating?.(marked(last, now, undefined)) ?? marked(last, now, grace);
}

function requirePreconditions(
  { metadata }: KubeObject,
  { kind, groupVersion }: Resource,
  options: DeleteOptions,
): void {
  const refuse = (why: string): never => {
    const { group } = groupVersion;
    const qualified = group === '' ? kind : `${kind}.${group}`;
    const { name = '' } = metadata;
    throw new StatusError(409, 'Conflict', `Operation cannot be fulfilled on ${qualified} "${name}": ${why}`, {
      name,
      ...(group !== '' && { group }),
      kind,
    });
  };
  if (options.uid !== undefined && options.uid !== metadata.uid) {
    refuse(
      `the UID in the precondition (${options.uid}) does not match the UID in record (${metadata.uid}). ` +
        'The object might have been deleted and then recreated',
    );
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== metadata.resourceVersion) {
    refuse(
      `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion ` +
        `in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

const collectors = { orphan: 'orphan', foreground: 'foregroundDeletion' };

/** The finalizers after a delete: those of the object, and the collector's finalizer for the propagation policy. */
function finalizersAfter(
  { metadata }: KubeObject,
  strategy: Strategy,
  view: Resource,
  { propagationPolicy }: DeleteOptions,
): readonly string[] {
  const { finalizers = [] } = metadata;
  const others = finalizers.filter((name) => name !== collectors.orphan && name !== collectors.foreground);
  if (propagationPolicy === 'Orphan') return [...others, collectors.orphan];
  if (propagationPolicy === 'Foreground') return [...others, collectors.foreground];
  if (propagationPolicy === 'Background') return others;
  if (others.length < finalizers.length) return finalizers;
  return strategy.orphansByDefault?.(view) ? [...others, collectors.orphan] : others;
}

function sameFinalizers({ metadata }: KubeObject, finalizers: readonly string[]): boolean {
  return (metadata.finalizers ?? []).join(' ') === finalizers.join(' ');
}

function withFinalizers(object: KubeObject, finalizers: readonly string[]): KubeObject {
  return { ...object, metadata: orderedMetadata({ ...object.metadata, finalizers }) };
}

/** The last time that an object can have. */
const latest = Date.parse('9999-12-31T23:59:59Z');

/**
 * Returns the object with its deletionTimestamp: now plus the grace period, in seconds. Without `grace`, the object has
 * no grace period field.
 */
function marked(object: KubeObject, now: Date, grace: number | undefined): KubeObject {
  const { metadata } = object;
  const { generation, deletionTimestamp } = metadata;
  const end = timestamp(new Date(Math.min(now.getTime() + Number(grace ?? 0) * 1000, latest)));
  return {
    ...object,
    metadata: orderedMetadata({
      ...metadata,
      ...(generation !== undefined && deletionTimestamp === undefined && { generation: nextInteger(generation) }),
      deletionTimestamp: grace === undefined ? (deletionTimestamp ?? end) : end,
      ...(grace !== undefined && { deletionGracePeriodSeconds: grace }),
    }),
  };
}

export function deletedStatus({ plural, groupVersion }: Resource, { metadata: { name, uid } }: KubeObject): ApiObject {
  const { group } = groupVersion;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(group !== '' && { group }), kind: plural, uid },
  };
}
