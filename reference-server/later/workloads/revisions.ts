// The revisions of StatefulSets and DaemonSets: a ControllerRevision for each template that the owner has had.

import { typeOf } from '../../../matrix/api/modern/index.js';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { claimed, isAlive, referenceTo } from '../../controllers/claims.js';
import type { Store } from '../../registry/store.js';
import { decodeValue } from '../../schema/decode.js';
import { type DecodedObject, equal, isRecord, type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import { unless, unlessGone } from '../../statusError.js';
import { doAll } from '../../turns.js';
import { hashLabel, hashOf } from './pods.js';

export interface RevisionParts {
  readonly revisions: Pick<Store, 'find' | 'list' | 'create' | 'updateInternally' | 'delete'>;
  /** The minor version of Kubernetes that the server reports. */
  readonly minor: number;
}

/** The owner of revisions. */
interface Revised {
  readonly kind: 'StatefulSet' | 'DaemonSet';
  readonly owner: KubeObject;
  readonly owners: Pick<Store, 'find'>;
}

/** The revisions of an owner. */
export interface History {
  /** The revision of the current template, with the highest number. */
  readonly newest: KubeObject;
  /** All of them, the oldest first. */
  readonly all: readonly KubeObject[];
  /** How often the name of a revision was taken by another template. */
  readonly collisionCount: number | undefined;
}

type Spec = ObjectOf<'apps.v1.StatefulSetSpec'>;
type Status = ObjectOf<'apps.v1.StatefulSetStatus'>;

/** The label of a revision with its hash. A DaemonSet's pods have it too. */
const labels = { StatefulSet: 'controller.kubernetes.io/hash', DaemonSet: hashLabel } as const;

/** The history of a set that does not say how long it is. */
const usualLimit = 10;
/** Names that are tried at once for a revision. */
const attempts = 8;
/** The last version whose templates have an empty time of creation in JSON. */
const lastWithTime = 33;
const mostInt64 = 2n ** 63n - 1n;

/** The number of a revision: an int64, which may be a bigint. */
const numberOf = (revision: KubeObject): bigint => BigInt((revision as { readonly revision?: number }).revision ?? 0);
const dataOf = (revision: KubeObject): unknown => (revision as { readonly data?: unknown }).data;

/**
 * Returns the history of an owner after it has a revision for its template: a new one, or an earlier one that gets the
 * highest number. Undefined if the owner is on its way out, or if its namespace is.
 */
export async function historyOf(about: Revised, parts: RevisionParts): Promise<History | undefined> {
  const { owner, owners, kind } = about;
  const { selector, template = {} } = part<Spec>(owner, 'spec');
  const reference = referenceTo(owner, 'apps/v1', kind);
  const own = await claimed({ owner, reference, selector, store: parts.revisions, owners });
  const all = own.sort((one, other) => Number(numberOf(one) - numberOf(other)));
  const data = dataFor(template, parts.minor);
  const last = all.at(-1);
  const collisionCount = part<Status>(owner, 'status').collisionCount;
  const same = all.findLast((each) => equal(dataOf(each), data));
  if (same !== undefined && same === last) return { newest: same, all, collisionCount };
  const number = last === undefined ? 1n : numberOf(last) < mostInt64 ? numberOf(last) + 1n : mostInt64;
  if (same !== undefined) {
    const newest = await renumbered(same, number, parts);
    return newest && { newest, all: [...all.filter((each) => each !== same), newest], collisionCount };
  }
  if (!(await isAlive({ owner, owners }))) return undefined;
  const made = await created(about, { data, number, collisions: collisionCount ?? 0 }, parts);
  const isNew = made !== undefined && !all.some(({ metadata }) => metadata.uid === made.newest.metadata.uid);
  return made && { ...made, all: isNew ? [...all, made.newest] : all };
}

/** The data of a revision: a patch that gives an object its template. `kubectl rollout undo` sends it. */
function dataFor(template: ObjectOf<'PodTemplateSpec'>, minor: number): unknown {
  const metadata = { ...(minor <= lastWithTime && { creationTimestamp: null }), ...template.metadata };
  return ordered({ spec: { template: { ...template, $patch: 'replace', metadata } } });
}

/** Orders the fields by name: clients compare the text of the data with their own. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return Object.fromEntries(names.sort().map((name) => [name, ordered(value[name])]));
}

const asNumber = (number: bigint): number | bigint =>
  number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : number;

async function renumbered(
  revision: KubeObject,
  number: bigint,
  { revisions }: RevisionParts,
): Promise<KubeObject | undefined> {
  const changed = (current: KubeObject): KubeObject =>
    numberOf(current) < number ? { ...current, revision: asNumber(number) } : current;
  return (await revisions.updateInternally(objectKeyIn(revision), changed).catch(unlessGone))?.value;
}

/** Creates a revision. If another template has taken its name, the count of collisions makes another one. */
async function created(
  { owner, kind }: Revised,
  { data, number, collisions }: { readonly data: unknown; readonly number: bigint; readonly collisions: number },
  { revisions }: RevisionParts,
): Promise<Pick<History, 'newest' | 'collisionCount'> | undefined> {
  const { namespace, name: set = '', annotations } = owner.metadata;
  for (let count = collisions; count < collisions + attempts; count += 1) {
    const hash = hashOf(count === 0 ? data : [data, count]);
    const name = `${set}-${hash}`;
    const revision: DecodedObject = {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        name,
        labels: { ...part<Spec>(owner, 'spec').template?.metadata?.labels, [labels[kind]]: hash },
        ...(annotations && { annotations: { ...annotations } }),
        ownerReferences: [referenceTo(owner, 'apps/v1', kind)],
      },
      data,
      revision: asNumber(number),
    };
    const collisionCount = count === 0 ? part<Status>(owner, 'status').collisionCount : count;
    const made = await revisions.create(namespace, revision).catch(unless(403, 404, 409));
    if (made !== undefined) return { newest: made.value, collisionCount };
    const taken = (await revisions.find({ namespace, name }))?.value;
    if (taken === undefined) return undefined;
    if (equal(dataOf(taken), data)) return { newest: taken, collisionCount };
  }
  return undefined;
}

/** Removes the oldest revisions beyond the limit of the owner that are not in use. */
export async function forgetOldest(
  owner: KubeObject,
  { all }: History,
  isUsed: (revision: KubeObject) => boolean,
  { revisions }: RevisionParts,
): Promise<void> {
  const { revisionHistoryLimit: limit = usualLimit } = part<Spec>(owner, 'spec');
  const unused = all.filter((revision) => !isUsed(revision));
  for (const revision of unused.slice(0, Math.max(0, unused.length - limit))) {
    const { uid } = revision.metadata;
    const options = { dryRun: false, ...(uid !== undefined && { uid }) };
    await revisions.delete(objectKeyIn(revision), options).catch(unless(404, 409));
  }
}

/** The hash of a revision of a DaemonSet, as its pods have it. */
export const hashIn = ({ metadata }: KubeObject): string | undefined => metadata.labels?.[hashLabel];

/** The template of a revision. Undefined if it has none: a client may have made it. */
export function templateIn(revision: KubeObject): ObjectOf<'PodTemplateSpec'> | undefined {
  const { template } = part<{ readonly template?: unknown }>(part<KubeObject>(revision, 'data'), 'spec');
  if (!isRecord(template)) return undefined;
  try {
    return doAll(decodeValue(typeOf('PodTemplateSpec'), template)) as ObjectOf<'PodTemplateSpec'>;
  } catch {
    return undefined;
  }
}
