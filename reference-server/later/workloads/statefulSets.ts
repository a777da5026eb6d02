// StatefulSets: numbered pods with claims of their own, started in order and replaced from the last to the first.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { claimed, claimedBy, referenceTo } from '../../controllers/claims.js';
import type { Controller, Handled } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, part } from '../../schema/object.js';
import { StatusError, unless } from '../../statusError.js';
import type { PodControl, PodMessages } from './podControl.js';
import { burst, hashLabel, isReady, phaseOf, podFrom, untilAvailable } from './pods.js';
import { forgetOldest, type History, historyOf, type RevisionParts, templateIn } from './revisions.js';
import { shareOf } from './rollout.js';
import { writeStatus } from './status.js';

interface Parts extends RevisionParts {
  readonly pods: Pick<Store, 'list' | 'updateInternally'>;
  readonly control: PodControl;
  readonly claims: Pick<Store, 'create'>;
  readonly statefulSets: Pick<Store, 'find' | 'list' | 'updateInternally'>;
  readonly now: () => Date;
}

type StatefulSetSpec = ObjectOf<'apps.v1.StatefulSetSpec'>;

const podIndex = 'apps.kubernetes.io/pod-index';
const podName = 'statefulset.kubernetes.io/pod-name';

export const statefulSetController = (parts: Parts): Controller => ({
  name: 'statefulset-controller',
  feature: 'statefulset-controller',
  resource: 'apps/statefulsets',
  sources: [
    claimedBy('StatefulSet', 'core/pods', parts.statefulSets, (owner) => part<StatefulSetSpec>(owner, 'spec').selector),
  ],
  async reconcile(set) {
    if (set.metadata.deletionTimestamp !== undefined) return undefined;
    const { statefulSets: owners } = parts;
    const history = await historyOf({ kind: 'StatefulSet', owner: set, owners }, parts);
    if (history === undefined) return undefined;
    const pods = await claimed({
      owner: set,
      reference: referenceTo(set, 'apps/v1', 'StatefulSet'),
      store: parts.pods,
      owners,
      selector: part<StatefulSetSpec>(set, 'spec').selector,
      mayAdopt: (pod) => pod.metadata.name === `${set.metadata.name}-${ordinalOf(pod)}`,
    });
    const state = stateOf(set, pods, history, parts.now());
    const next = await step(state, parts);
    await writeCounts(state, parts);
    const used = new Set([state.current, state.newest].map(nameOf));
    for (const pod of pods) used.add(revisionOf(pod));
    await forgetOldest(set, history, (revision) => used.has(nameOf(revision)), parts);
    const waits = pods.flatMap((pod) => state.untilAvailable(pod) || []);
    return next ?? (waits.length > 0 ? Math.min(...waits) : undefined);
  },
});

interface State {
  readonly set: KubeObject;
  readonly pods: readonly KubeObject[];
  /** The revision of before a rollout, and that of the template. */
  readonly current: KubeObject;
  readonly newest: KubeObject;
  readonly collisionCount: number;
  /** The time until a pod counts as available, in milliseconds; undefined if it is not ready. */
  untilAvailable(pod: KubeObject): number | undefined;
}

function stateOf(
  set: KubeObject,
  pods: readonly KubeObject[],
  { newest, all, collisionCount = 0 }: History,
  now: Date,
): State {
  const { currentRevision } = part<ObjectOf<'apps.v1.StatefulSetStatus'>>(set, 'status');
  const { minReadySeconds = 0 } = part<StatefulSetSpec>(set, 'spec');
  return {
    ...{ set, pods, newest, collisionCount },
    current: all.find((revision) => nameOf(revision) === currentRevision) ?? newest,
    untilAvailable: (pod) => untilAvailable(pod, minReadySeconds, now),
  };
}

const nameOf = ({ metadata }: KubeObject): string | undefined => metadata.name;
/** The name of the revision of a pod. */
const revisionOf = ({ metadata }: KubeObject): string | undefined => metadata.labels?.[hashLabel];
const isDone = (pod: KubeObject): boolean => ['Failed', 'Succeeded'].includes(phaseOf(pod));
const isLeaving = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

/** Creates or deletes the next pods. Returns what is to follow: more pods, or another try after a refusal. */
async function step(state: State, parts: Parts): Promise<Handled> {
  const { set, pods } = state;
  const { replicas = 1, ordinals = {}, podManagementPolicy } = part<StatefulSetSpec>(set, 'spec');
  const inOrder = podManagementPolicy !== 'Parallel';
  const first = ordinals.start ?? 0;
  const last = first + replicas - 1;
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
  let created = 0;
  for (let ordinal = first; ordinal <= last; ordinal++) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) {
      // The others follow in a later call.
      if (created === burst) return 'again';
      if (!(await create(state, ordinal, parts))) return 'refused';
      created += 1;
    } else if (isDone(pod) && !isLeaving(pod)) await parts.control.remove(set, pod, messagesOf(set));
    if (inOrder && (pod === undefined || isLeaving(pod) || state.untilAvailable(pod) !== 0)) return undefined;
  }
  // What is new comes back as a change, and counts as not available then.
  if (created > 0) return undefined;
  const sorted = [...pods].sort(lastFirst);
  const surplus = sorted.filter((pod) => ordinalOf(pod) < first || ordinalOf(pod) > last);
  const unhealthy = sorted.findLast((pod) => !isReady(pod) || isLeaving(pod));
  for (const pod of surplus) {
    // Of several that are not ready, the first one goes last.
    if (inOrder && !isReady(pod) && pod !== unhealthy) return undefined;
    if (!isLeaving(pod)) await parts.control.remove(set, pod, messagesOf(set));
    if (inOrder) return undefined;
  }
  const within = sorted.filter((pod) => ordinalOf(pod) >= first && ordinalOf(pod) <= last);
  for (const pod of outdated(state, within)) await parts.control.remove(set, pod, messagesOf(set));
  return undefined;
}

/** The pods that a rollout replaces next: those with the highest ordinals, while so few are not available. */
function outdated({ set, newest, untilAvailable }: State, lastFirst: readonly KubeObject[]): readonly KubeObject[] {
  const { replicas = 1, updateStrategy } = part<StatefulSetSpec>(set, 'spec');
  if (updateStrategy?.type === 'OnDelete') return [];
  const { maxUnavailable = 1 } = updateStrategy?.rollingUpdate ?? {};
  const least = partitionOf(set);
  const within = lastFirst.filter((pod) => ordinalOf(pod) >= least);
  const isUnavailable = (pod: KubeObject): boolean => isLeaving(pod) || untilAvailable(pod) !== 0;
  const isOld = (pod: KubeObject): boolean => revisionOf(pod) !== newest.metadata.name && !isLeaving(pod);
  const most = shareOf(maxUnavailable, replicas, Math.ceil);
  if (most > 1) return within.filter(isOld).slice(0, Math.max(0, most - lastFirst.filter(isUnavailable).length));
  const next = within.find((pod) => isOld(pod) || isUnavailable(pod));
  return next !== undefined && isOld(next) ? [next] : [];
}

/** The lowest ordinal that a rollout reaches. */
function partitionOf(set: KubeObject): number {
  const { ordinals, updateStrategy } = part<StatefulSetSpec>(set, 'spec');
  return (ordinals?.start ?? 0) + (updateStrategy?.rollingUpdate?.partition ?? 0);
}

const messagesOf = ({ metadata: { name: set } }: KubeObject): PodMessages => ({
  created: (name) => `create Pod ${name} in StatefulSet ${set} successful`,
  deleted: (name) => `delete Pod ${name} in StatefulSet ${set} successful`,
});

const ordinalOf = ({ metadata: { name = '' } }: KubeObject): number => Number(/-(\d+)$/.exec(name)?.[1] ?? -1);
const lastFirst = (one: KubeObject, other: KubeObject): number => ordinalOf(other) - ordinalOf(one);

/** Creates the pod of an ordinal after its claims. Returns false if the server refuses it. */
async function create(
  { set, current, newest }: State,
  ordinal: number,
  { control, claims, minor }: Parts,
): Promise<boolean> {
  const asked = part<StatefulSetSpec>(set, 'spec');
  const { volumeClaimTemplates = [], serviceName, selector, updateStrategy } = asked;
  const { namespace } = set.metadata;
  const name = `${set.metadata.name}-${ordinal}`;
  // A pod below the partition is as it was before the rollout.
  const isBefore = updateStrategy?.type === 'RollingUpdate' && ordinal < partitionOf(set);
  const before = isBefore && current !== newest ? templateIn(current) : undefined;
  const template = before ?? asked.template ?? {};
  const revision = (before === undefined ? newest : current).metadata.name ?? '';
  const volumes = volumeClaimTemplates.map(({ metadata }) => ({
    name: metadata?.name ?? '',
    persistentVolumeClaim: { claimName: `${metadata?.name}-${name}` },
  }));
  const given = template.spec ?? {};
  const claimed = new Set(volumes.map((volume) => volume.name));
  const others = (given.volumes ?? []).filter((volume) => !claimed.has(volume.name));
  const labels = {
    ...template.metadata?.labels,
    ...{ [hashLabel]: revision, [podName]: name },
    ...(minor >= 28 && { [podIndex]: String(ordinal) }),
  };
  const metadata = { ...template.metadata, labels };
  const spec = {
    ...given,
    hostname: name,
    ...(serviceName && { subdomain: serviceName }),
    volumes: [...volumes, ...others],
  };
  try {
    for (const { metadata: own, spec: wanted } of volumeClaimTemplates) {
      const claimLabels = { ...own?.labels, ...selector?.matchLabels };
      const claim = { ...own, name: `${own?.name}-${name}`, labels: claimLabels };
      const body = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: claim, spec: wanted };
      await claims.create(namespace, body).catch(unless(409));
    }
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
  const pod = podFrom({ metadata, spec }, referenceTo(set, 'apps/v1', 'StatefulSet'), name);
  return (await control.create(set, pod, messagesOf(set))) === undefined;
}

async function writeCounts(state: State, { statefulSets: store }: Parts): Promise<void> {
  const { set, pods, current, newest, collisionCount } = state;
  const { replicas = 1, updateStrategy } = part<StatefulSetSpec>(set, 'spec');
  const ready = pods.filter(isReady).length;
  const staying = pods.filter((pod) => !isLeaving(pod)).map(revisionOf);
  const countOf = (revision: KubeObject) => staying.filter((name) => name === revision.metadata.name).length;
  const updated = countOf(newest);
  // A rollout is over once all pods have the new template and are ready.
  const isUpdated =
    updateStrategy?.type !== 'OnDelete' && updated === replicas && pods.length === replicas && ready === replicas;
  const status = {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    readyReplicas: ready,
    currentReplicas: isUpdated ? updated : countOf(current),
    updatedReplicas: updated,
    currentRevision: (isUpdated ? newest : current).metadata.name,
    updateRevision: newest.metadata.name,
    collisionCount,
    availableReplicas: pods.filter((pod) => state.untilAvailable(pod) === 0).length,
  };
  await writeStatus(store, set, 'apps.v1.StatefulSetStatus', status);
}
