// ReplicaSets and ReplicationControllers: as many pods as they ask for.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { claimed, claimedBy, referenceTo } from '../../controllers/claims.js';
import type { Controller } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, part } from '../../schema/object.js';
import { matcherOf } from '../../selectors/labels.js';
import type { PodControl } from './podControl.js';
import { burst, isOver, isReady, podFrom, untilAvailable } from './pods.js';
import { writeStatus } from './status.js';

interface Parts {
  readonly pods: Pick<Store, 'list' | 'updateInternally'>;
  readonly control: PodControl;
  readonly replicas: Pick<Store, 'find' | 'list' | 'updateInternally'>;
  readonly now: () => Date;
}

type ReplicaSetSpec = ObjectOf<'apps.v1.ReplicaSetSpec'>;

export const replicaSetController = (parts: Parts): Controller =>
  replicaController(parts, {
    name: 'replicaset-controller',
    resource: 'extensions/replicasets',
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    selectorOf: (spec) => (spec.selector ?? {}) as ObjectOf<'LabelSelector'>,
  });

export const replicationController = (parts: Parts): Controller =>
  replicaController(parts, {
    name: 'replication-controller',
    resource: 'core/replicationcontrollers',
    apiVersion: 'v1',
    kind: 'ReplicationController',
    selectorOf: (spec) => ({ matchLabels: (spec.selector ?? {}) as Readonly<Record<string, string>> }),
  });

interface Row {
  readonly name: 'replicaset-controller' | 'replication-controller';
  readonly resource: string;
  readonly apiVersion: string;
  readonly kind: string;
  selectorOf(spec: ReplicaSetSpec): ObjectOf<'LabelSelector'>;
}

function replicaController(parts: Parts, { name, resource, apiVersion, kind, selectorOf }: Row): Controller {
  return {
    name,
    feature: name,
    resource,
    sources: [claimedBy(kind, 'core/pods', parts.replicas, (owner) => selectorOf(part<ReplicaSetSpec>(owner, 'spec')))],
    async reconcile(owner) {
      const spec = part<ReplicaSetSpec>(owner, 'spec');
      if (owner.metadata.deletionTimestamp !== undefined) return undefined;
      const reference = referenceTo(owner, apiVersion, kind);
      const pods = await claimed({
        owner,
        reference,
        store: parts.pods,
        owners: parts.replicas,
        selector: selectorOf(spec),
        mayAdopt: (pod) => !isOver(pod),
      });
      const failure = await fitted(pods, owner, spec, reference, parts);
      return writeCounts(
        owner,
        spec,
        pods.filter((pod) => !isOver(pod)),
        failure,
        { ...parts, type: `${kind}Status` },
      );
    },
  };
}

/** Creates or deletes pods until there are as many as the owner asks for. Returns why a pod could not be created. */
async function fitted(
  pods: readonly KubeObject[],
  owner: KubeObject,
  { replicas = 1, template = {} }: ReplicaSetSpec,
  reference: ReturnType<typeof referenceTo>,
  { control }: Parts,
): Promise<string | undefined> {
  const active = pods.filter((pod) => !isOver(pod));
  const missing = Math.min(replicas - active.length, burst);
  for (let count = 0; count < missing; count++) {
    const refusal = await control.create(owner, podFrom(template, reference));
    if (refusal !== undefined) return refusal;
  }
  // Pods that are not ready go first, then the newest.
  const ordered = active.sort(
    (one, other) =>
      Number(isReady(one)) - Number(isReady(other)) ||
      (other.metadata.creationTimestamp ?? '').localeCompare(one.metadata.creationTimestamp ?? ''),
  );
  for (const pod of ordered.slice(0, Math.max(0, Math.min(-missing, burst)))) {
    await control.remove(owner, pod);
  }
  return undefined;
}

/**
 * The conditions of an owner: those of others stay. The condition that pods are refused keeps its first message, which
 * may have a generated name.
 */
function conditionsOf(owner: KubeObject, failure: string | undefined): readonly object[] {
  const { conditions = [] } = part<ObjectOf<'apps.v1.ReplicaSetStatus'>>(owner, 'status');
  const others = conditions.filter(({ type }) => type !== 'ReplicaFailure');
  if (failure === undefined) return others;
  const before = conditions.find(({ type }) => type === 'ReplicaFailure');
  const own = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: failure };
  return [...others, before ?? own];
}

/** Writes the counts of the pods. Returns the time until another pod is available, in milliseconds. */
async function writeCounts(
  owner: KubeObject,
  { minReadySeconds = 0, replicas = 1, template }: ReplicaSetSpec,
  active: readonly KubeObject[],
  failure: string | undefined,
  { replicas: store, now, type }: Parts & { readonly type: string },
) {
  const waits = active.map((pod) => untilAvailable(pod, minReadySeconds, now()));
  const labelled = matcherOf({ matchLabels: { ...template?.metadata?.labels } });
  const count = (is: (wait: number | undefined) => boolean): number => waits.filter(is).length;
  const conditions = conditionsOf(owner, failure);
  const status = {
    replicas: active.length,
    fullyLabeledReplicas: active.filter(({ metadata }) => labelled(metadata.labels)).length,
    readyReplicas: count((wait) => wait !== undefined),
    availableReplicas: count((wait) => wait === 0),
    observedGeneration: owner.metadata.generation,
    ...(conditions.length > 0 && { conditions }),
  };
  await writeStatus(store, owner, type, status);
  if (failure !== undefined) return 'refused' as const;
  const later = waits.filter((wait): wait is number => wait !== undefined && wait > 0);
  if (later.length > 0) return Math.min(...later);
  return replicas - active.length > burst ? ('again' as const) : undefined;
}
