// Deployments: move the pods from earlier ReplicaSets to the one of the current template. `deploymentRevisions` makes the
// ReplicaSets.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { controlledBy } from '../../controllers/claims.js';
import type { Controller, Handled } from '../../controllers/controller.js';
import {
  compareRevisions,
  historyOf,
  newestOf,
  recordOf,
  revisionNumberOf,
} from '../../controllers/deploymentRevisions.js';
import type { Note } from '../../controllers/events.js';
import { timestamp } from '../../registry/metadata.js';
import type { Store } from '../../registry/store.js';
import { controls, type KubeObject, nextGeneration, objectKeyIn, part } from '../../schema/object.js';
import { unlessGone } from '../../statusError.js';
import { conditionsOf } from './deploymentStatus.js';
import { type Counts, countsOf, type DeploymentSpec, limitsOf, scaled, sizeAnnotations } from './rollout.js';
import { writeStatus } from './status.js';

interface Parts {
  readonly deployments: Pick<Store, 'updateInternally'>;
  readonly replicaSets: Pick<Store, 'list' | 'updateInternally'>;
  readonly note: Note;
  readonly now: () => Date;
}

export const deploymentRollouts = (parts: Parts): Controller => ({
  name: 'deployment-rollout',
  feature: 'deployment-rollout',
  resource: 'extensions/deployments',
  sources: [controlledBy('Deployment', 'extensions/replicasets')],
  async reconcile(deployment) {
    if (deployment.metadata.deletionTimestamp !== undefined) return undefined;
    const history = await historyOf(parts.replicaSets, deployment);
    const current = recordOf(deployment, history);
    // The revision is not noted yet: that change comes first, and calls again.
    const isNoted = current !== undefined && revisionNumberOf(current) === newestOf(history);
    if (isNoted) await scale(deployment, current, history, parts);
    return writeTotals(deployment, isNoted ? current : undefined, parts);
  },
});

/** Sets the replicas of the ReplicaSets one step further. The steps after it follow when their pods have changed. */
async function scale(
  deployment: KubeObject,
  current: KubeObject,
  history: readonly KubeObject[],
  { replicaSets, note }: Parts,
): Promise<void> {
  const spec = part<DeploymentSpec>(deployment, 'spec');
  const earlier = history.filter((each) => each !== current && controls(deployment, each)).sort(compareRevisions);
  const targets = scaled(spec, countsOf(current), earlier.map(countsOf));
  for (const [index, replicaSet] of [current, ...earlier].entries()) {
    const replicas = targets[index];
    const { wanted, desired } = countsOf(replicaSet);
    const isSaid = wanted === 0 || desired === (spec.replicas ?? 1);
    if (replicas === undefined || (replicas === wanted && isSaid)) continue;
    const changed = await replicaSets
      .updateInternally(objectKeyIn(replicaSet), (stored) => {
        const annotations = { ...stored.metadata.annotations, ...sizeAnnotations(spec) };
        const said = { ...stored, metadata: { ...stored.metadata, annotations } };
        if (replicas === wanted) return said;
        return nextGeneration({ ...said, spec: { ...(stored.spec as object), replicas } });
      })
      .catch(unlessGone);
    if (changed === undefined || replicas === wanted) continue;
    const how = replicas > wanted ? 'up' : 'down';
    const message = `Scaled ${how} replica set ${replicaSet.metadata.name} from ${wanted} to ${replicas}`;
    await note(deployment, deploymentKind, { type: 'Normal', reason: 'ScalingReplicaSet', message });
  }
}

const deploymentKind = { apiVersion: 'apps/v1', kind: 'Deployment' };

async function writeTotals(deployment: KubeObject, current: KubeObject | undefined, parts: Parts): Promise<Handled> {
  const spec = part<DeploymentSpec>(deployment, 'spec');
  const history = await historyOf(parts.replicaSets, deployment);
  const counts = history.map(countsOf);
  const newest = history.find(({ metadata }) => metadata.uid === current?.metadata.uid);
  const sum = (of: (each: Counts) => number): number => counts.reduce((total, each) => total + of(each), 0);
  const available = sum((each) => each.available);
  const totals = {
    replicas: sum((each) => each.present),
    updatedReplicas: newest === undefined ? 0 : countsOf(newest).present,
    readyReplicas: sum((each) => each.ready),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sum((each) => each.wanted) - available),
  };
  const now = parts.now();
  const before = part<ObjectOf<'apps.v1.DeploymentStatus'>>(deployment, 'status');
  const { conditions, deadline } = conditionsOf({
    deployment,
    spec,
    totals,
    before,
    newest: newest?.metadata.name,
    isAvailable: available >= (spec.replicas ?? 1) - limitsOf(spec).unavailable,
    now: timestamp(now),
  });
  const status = { observedGeneration: deployment.metadata.generation, ...totals, conditions };
  await writeStatus(parts.deployments, deployment, 'DeploymentStatus', status);
  return deadline === undefined ? undefined : Math.max(1000, deadline - now.getTime());
}
