// The history of deployments: a ReplicaSet for each earlier and current template, with its revision number.
import { createHash } from 'node:crypto';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { jsonText } from '../exactJson.js';
import type { Store } from '../registry/store.js';
import { type DecodedObject, equal, type KubeObject, nextGeneration, part } from '../schema/object.js';
import { unless } from '../statusError.js';
import { claimed, isAlive, referenceTo } from './claims.js';
import type { Controller } from './controller.js';
import { deploymentSpecOf, isRollback, type RollbackParts, rollBack } from './rollback.js';

const annotation = 'deployment.kubernetes.io/revision';
const hashLabel = 'pod-template-hash';

interface Parts extends RollbackParts {
  readonly deployments: Pick<Store, 'find' | 'update' | 'updateInternally'>;
  readonly replicaSets: Pick<Store, 'list' | 'create' | 'updateInternally' | 'delete'>;
  /** The group version by which ReplicaSets name their deployment. */
  readonly apiVersion: string;
}

/** For a `catch`: the object is gone, exists already, or its namespace is terminating. */
const unlessLost = unless(403, 404, 409);

export const deploymentRevisions = (parts: Parts): Controller => ({
  name: 'deployment-controller',
  feature: 'deployment-controller',
  resource: 'extensions/deployments',
  // Each template becomes a revision, also one that the next change has replaced already.
  keepsHistory: true,
  async reconcile(deployment) {
    const { deployments, replicaSets } = parts;
    if (deployment.metadata.deletionTimestamp !== undefined) return undefined;
    const history = await claimed({
      owner: deployment,
      store: replicaSets,
      owners: deployments,
      reference: referenceTo(deployment, parts.apiVersion, 'Deployment'),
      selector: deploymentSpecOf(deployment).selector,
    });
    const newest = newestOf(history);
    const same = recordOf(deployment, history);
    // A template that is used again becomes the newest revision.
    const isNewest = same !== undefined && newest > 0n && revisionNumberOf(same) === newest;
    const current = isNewest ? newest : newest + 1n;
    if (same === undefined) {
      // Its ReplicaSets may be orphans already.
      if (!(await isAlive({ owner: deployment, owners: deployments }))) return undefined;
      await createReplicaSet(parts, deployment, current);
    } else {
      if (!isNewest) await annotate(replicaSets, same, current);
      await keepMinReady(replicaSets, same, deployment);
    }
    if (revisionNumberOf(deployment) !== current) await annotate(deployments, deployment, current);
    if (isRollback(deployment)) await rollBack(deployment, await templatesOf(replicaSets, deployment), parts);
    else await forgetOldest(replicaSets, deployment);
    return undefined;
  },
});

/** The templates of a deployment, by revision number. */
async function templatesOf(replicaSets: Parts['replicaSets'], deployment: KubeObject) {
  const history = await historyOf(replicaSets, deployment);
  return new Map(history.map((each) => [revisionNumberOf(each), templateOf(each)]));
}

/** Returns the ReplicaSet of a deployment's current template. */
export function recordOf(deployment: KubeObject, history: readonly KubeObject[]): KubeObject | undefined {
  const { template } = deploymentSpecOf(deployment);
  return history.find((replicaSet) => equal(templateOf(replicaSet), template));
}

export function newestOf(history: readonly KubeObject[]): bigint {
  const newest = [...history].sort(compareRevisions).at(-1);
  return newest === undefined ? 0n : revisionNumberOf(newest);
}

/** Removes the oldest revisions beyond the history limit of the deployment. */
async function forgetOldest(replicaSets: Parts['replicaSets'], deployment: KubeObject): Promise<void> {
  const { revisionHistoryLimit: limit } = deploymentSpecOf(deployment);
  if (limit === undefined) return;
  const earlier = (await historyOf(replicaSets, deployment))
    .sort((one, other) => compareRevisions(other, one))
    .slice(1);
  for (const replicaSet of earlier.slice(limit)) {
    // A ReplicaSet with replicas is not history yet.
    if ((part<ObjectOf<'extensions.v1beta1.ReplicaSetSpec'>>(replicaSet, 'spec').replicas ?? 0) > 0) continue;
    const { namespace, name = '' } = replicaSet.metadata;
    const options = { dryRun: false, propagationPolicy: 'Background' } as const;
    await replicaSets.delete({ namespace, name }, options).catch(unlessLost);
  }
}

/** Returns the ReplicaSets of a deployment. One that the deployment has taken over may have no revision. */
export async function historyOf(replicaSets: Pick<Store, 'list'>, { metadata }: KubeObject): Promise<KubeObject[]> {
  const { entries } = await replicaSets.list(metadata.namespace);
  return entries
    .map(({ value }) => value)
    .filter((replicaSet) => replicaSet.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid));
}

/** Returns the revision of a ReplicaSet or of a deployment, or 0. */
export function revisionNumberOf({ metadata }: KubeObject): bigint {
  const text = metadata.annotations?.[annotation] ?? '';
  return /^\d{1,19}$/.test(text) ? BigInt(text) : 0n;
}

/** Orders by revision, the oldest first. */
export const compareRevisions = (one: KubeObject, other: KubeObject): number =>
  Number(revisionNumberOf(one) - revisionNumberOf(other));

/** The template of the deployment: without the label that distinguishes the ReplicaSets. */
function templateOf(replicaSet: KubeObject): ObjectOf<'PodTemplateSpec'> | undefined {
  const { template } = part<ObjectOf<'extensions.v1beta1.ReplicaSetSpec'>>(replicaSet, 'spec');
  const { [hashLabel]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return template && { ...template, metadata: { ...template.metadata, labels } };
}

/** The ReplicaSet of the current template waits as long for its pods as the deployment. */
async function keepMinReady(
  replicaSets: Pick<Store, 'updateInternally'>,
  { metadata, spec }: KubeObject,
  deployment: KubeObject,
): Promise<void> {
  const minReadySeconds = minReadyOf(deployment.spec);
  if (minReadyOf(spec) === minReadySeconds) return;
  const { namespace, name = '' } = metadata;
  await replicaSets
    .updateInternally({ namespace, name }, (stored) =>
      nextGeneration({ ...stored, spec: { ...(stored.spec as object), minReadySeconds } }),
    )
    .catch(unlessLost);
}

const minReadyOf = (spec: unknown): number => (spec as { minReadySeconds?: number }).minReadySeconds ?? 0;

async function createReplicaSet(
  parts: Pick<Parts, 'replicaSets' | 'apiVersion'>,
  deployment: KubeObject,
  revision: bigint,
): Promise<void> {
  const { name, namespace, uid } = deployment.metadata;
  const { template, selector } = deploymentSpecOf(deployment);
  const minReadySeconds = minReadyOf(deployment.spec);
  const hash = createHash('sha256')
    .update(jsonText([uid, template]))
    .digest('hex')
    .slice(0, 10);
  const own = { [hashLabel]: hash };
  const replicaSet: DecodedObject = {
    apiVersion: 'extensions/v1beta1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      labels: { ...template?.metadata?.labels, ...own },
      annotations: { [annotation]: String(revision) },
      ownerReferences: [referenceTo(deployment, parts.apiVersion, 'Deployment')],
    },
    spec: {
      replicas: 0,
      ...(minReadySeconds > 0 && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, ...own } },
      template: { ...template, metadata: { ...template?.metadata, labels: { ...template?.metadata?.labels, ...own } } },
    },
  };
  await parts.replicaSets.create(namespace, replicaSet).catch(unlessLost);
}

async function annotate(
  store: Pick<Store, 'updateInternally'>,
  { metadata }: KubeObject,
  revision: bigint,
): Promise<void> {
  const { namespace, name = '' } = metadata;
  const annotated = (current: KubeObject): KubeObject => ({
    ...current,
    metadata: {
      ...current.metadata,
      annotations: { ...current.metadata.annotations, [annotation]: String(revision) },
    },
  });
  await store.updateInternally({ namespace, name }, annotated).catch(unlessLost);
}
