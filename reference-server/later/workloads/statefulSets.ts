// StatefulSets: numbered pods with claims of their own, started in order and replaced from the last to the first.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { claimed, claimedBy } from '../../controllers/claims.js';
import type { Controller, Handled } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, part } from '../../schema/object.js';
import { StatusError, unless } from '../../statusError.js';
import type { PodControl, PodMessages } from './podControl.js';
import { burst, hashLabel, hashOf, isReady, phaseOf, podFrom, referenceTo } from './pods.js';
import { writeStatus } from './status.js';

interface Parts {
  readonly pods: Pick<Store, 'list' | 'updateInternally'>;
  readonly control: PodControl;
  readonly claims: Pick<Store, 'create'>;
  readonly statefulSets: Pick<Store, 'find' | 'list' | 'updateInternally'>;
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
    const { selector, template } = part<StatefulSetSpec>(set, 'spec');
    const pods = await claimed({
      owner: set,
      reference: referenceTo(set, 'apps/v1', 'StatefulSet'),
      store: parts.pods,
      owners: parts.statefulSets,
      selector,
      mayAdopt: (pod) => pod.metadata.name === `${set.metadata.name}-${ordinalOf(pod)}`,
    });
    const hash = hashOf(template);
    const next = await step(set, pods, hash, parts);
    await writeCounts(set, pods, hash, parts);
    return next;
  },
});

const isDone = (pod: KubeObject): boolean => ['Failed', 'Succeeded'].includes(phaseOf(pod));

/** Creates or deletes the next pods. Returns what is to follow: more pods, or another try after a refusal. */
async function step(set: KubeObject, pods: readonly KubeObject[], hash: string, parts: Parts): Promise<Handled> {
  const spec = part<StatefulSetSpec>(set, 'spec');
  const { replicas = 1, ordinals = {}, podManagementPolicy, updateStrategy } = spec;
  const inOrder = podManagementPolicy !== 'Parallel';
  const first = ordinals.start ?? 0;
  const last = first + replicas - 1;
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
  const remove = (pod: KubeObject) => parts.control.remove(set, pod, messagesOf(set));
  let created = 0;
  for (let ordinal = first; ordinal <= last; ordinal++) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) {
      // The others follow in a later call.
      if (created === burst) return 'again';
      if (!(await create(set, spec, ordinal, hash, parts))) return 'refused';
      created += 1;
    } else if (isDone(pod) && pod.metadata.deletionTimestamp === undefined) await remove(pod);
    if (inOrder && (pod === undefined || !isReady(pod) || pod.metadata.deletionTimestamp !== undefined))
      return undefined;
  }
  const sorted = [...pods].sort(lastFirst);
  const surplus = sorted.filter((pod) => ordinalOf(pod) < first || ordinalOf(pod) > last);
  for (const pod of surplus) {
    if (pod.metadata.deletionTimestamp === undefined) await remove(pod);
    if (inOrder) return undefined;
  }
  if (updateStrategy?.type === 'OnDelete') return undefined;
  const least = first + (updateStrategy?.rollingUpdate?.partition ?? 0);
  const outdated = sorted.find((pod) => {
    const ordinal = ordinalOf(pod);
    return ordinal >= least && ordinal <= last && pod.metadata.labels?.[hashLabel] !== hash;
  });
  if (outdated !== undefined && pods.every((pod) => isReady(pod) && pod.metadata.deletionTimestamp === undefined)) {
    await remove(outdated);
  }
  return undefined;
}

const messagesOf = ({ metadata: { name: set } }: KubeObject): PodMessages => ({
  created: (name) => `create Pod ${name} in StatefulSet ${set} successful`,
  deleted: (name) => `delete Pod ${name} in StatefulSet ${set} successful`,
});

const ordinalOf = ({ metadata: { name = '' } }: KubeObject): number => Number(/-(\d+)$/.exec(name)?.[1] ?? -1);
const lastFirst = (one: KubeObject, other: KubeObject): number => ordinalOf(other) - ordinalOf(one);

/** Creates the pod of an ordinal after its claims. Returns false if the server refuses it. */
async function create(
  set: KubeObject,
  { template = {}, volumeClaimTemplates = [], serviceName }: StatefulSetSpec,
  ordinal: number,
  hash: string,
  { control, claims }: Parts,
): Promise<boolean> {
  const { namespace } = set.metadata;
  const name = `${set.metadata.name}-${ordinal}`;
  const volumes = volumeClaimTemplates.map(({ metadata }) => ({
    name: metadata?.name ?? '',
    persistentVolumeClaim: { claimName: `${metadata?.name}-${name}` },
  }));
  const given = template.spec ?? {};
  const claimed = new Set(volumes.map((volume) => volume.name));
  const others = (given.volumes ?? []).filter((volume) => !claimed.has(volume.name));
  const labels = { ...template.metadata?.labels, [hashLabel]: hash, [podName]: name, [podIndex]: String(ordinal) };
  const metadata = { ...template.metadata, labels };
  const spec = {
    ...given,
    hostname: name,
    ...(serviceName && { subdomain: serviceName }),
    volumes: [...volumes, ...others],
  };
  try {
    for (const { metadata: own, spec: asked } of volumeClaimTemplates) {
      const claim = { ...own, name: `${own?.name}-${name}` };
      const body = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: claim, spec: asked };
      await claims.create(namespace, body).catch(unless(409));
    }
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
  const pod = podFrom({ metadata, spec }, referenceTo(set, 'apps/v1', 'StatefulSet'), name);
  return (await control.create(set, pod, messagesOf(set))) === undefined;
}

async function writeCounts(
  set: KubeObject,
  pods: readonly KubeObject[],
  hash: string,
  { statefulSets: store }: Parts,
): Promise<void> {
  const { replicas = 1 } = part<StatefulSetSpec>(set, 'spec');
  const revision = `${set.metadata.name}-${hash}`;
  const before = part<ObjectOf<'apps.v1.StatefulSetStatus'>>(set, 'status');
  const ready = pods.filter(isReady).length;
  const updated = pods.filter(({ metadata }) => metadata.labels?.[hashLabel] === hash).length;
  // The update is over once all pods have the new template.
  const isUpdated = updated === replicas && pods.length === replicas && ready === replicas;
  const currentRevision = isUpdated ? revision : (before.currentRevision ?? revision);
  const current = currentRevision === revision ? updated : pods.length - updated;
  const status = {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    readyReplicas: ready,
    currentReplicas: current,
    updatedReplicas: updated,
    currentRevision,
    updateRevision: revision,
    collisionCount: 0,
    availableReplicas: ready,
  };
  await writeStatus(store, set, 'apps.v1.StatefulSetStatus', status);
}
