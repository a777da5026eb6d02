// The history of deployments: a ReplicaSet for each template that a deployment has had, with the number of its revision.
import { createHash } from 'node:crypto';
import { StatusError } from '../errors.js';
import type { Registry } from '../registry/registry.js';
import type { Place } from '../registry/update.js';
import { type Draft, equal, type KubeObject, part } from '../schema/object.js';
import type { Controller } from './controller.js';

const annotation = 'deployment.kubernetes.io/revision';
const hashLabel = 'pod-template-hash';
const replicaSets = 'extensions/replicasets';
const deployments = 'extensions/deployments';

interface Template {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
}

interface Spec {
  readonly replicas?: number;
  readonly revisionHistoryLimit?: number;
  readonly template?: Template;
  readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
}

export const deploymentRevisions: Controller = {
  name: 'deployment-controller',
  resource: deployments,
  async reconcile(deployment, registry) {
    if (deployment.metadata.deletionTimestamp !== undefined) return undefined;
    const history = await historyOf(registry, deployment);
    const newest = newestOf(history);
    const same = recordOf(deployment, history);
    if (same === undefined) await createReplicaSet(registry, deployment, newest + 1);
    // A template that comes back is the newest revision again.
    else if (revisionOf(same) < newest) await annotate(registry, replicaSets, same, newest + 1);
    const current = same === undefined || revisionOf(same) < newest ? newest + 1 : newest;
    if (revisionOf(deployment) !== current) await annotate(registry, deployments, deployment, current);
    await forgetOldest(registry, deployment);
    return undefined;
  },
};

const patienceMillis = 2000;
const pauseMillis = 5;

/** The templates of a deployment by the number of their revision, once the controller has written the current one down. */
export async function revisionsOf(registry: Registry, place: Place): Promise<ReadonlyMap<number, unknown>> {
  const deadline = Date.now() + patienceMillis;
  for (;;) {
    const deployment = (await registry.of(deployments).get(place)).value as KubeObject;
    const history = await historyOf(registry, deployment);
    const newest = newestOf(history);
    const current = recordOf(deployment, history);
    const settled = current !== undefined && revisionOf(current) === newest && revisionOf(deployment) === newest;
    if (settled || Date.now() > deadline) {
      return new Map(history.map((each) => [revisionOf(each), templateOf(each)]));
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMillis));
  }
}

/** The ReplicaSet of a deployment's current template. */
function recordOf(deployment: KubeObject, history: readonly KubeObject[]): KubeObject | undefined {
  const { template } = part<Spec>(deployment, 'spec');
  return history.find((replicaSet) => equal(templateOf(replicaSet), template));
}

const newestOf = (history: readonly KubeObject[]): number => Math.max(0, ...history.map(revisionOf));

/** Removes the oldest of the earlier revisions that are more than the deployment wants kept. */
async function forgetOldest(registry: Registry, deployment: KubeObject): Promise<void> {
  const { revisionHistoryLimit: limit } = part<Spec>(deployment, 'spec');
  if (limit === undefined) return;
  const earlier = (await historyOf(registry, deployment))
    .sort((one, other) => revisionOf(other) - revisionOf(one))
    .slice(1);
  for (const replicaSet of earlier.slice(limit)) {
    // What still has pods is not history yet.
    if ((part<Spec>(replicaSet, 'spec').replicas ?? 0) > 0) continue;
    const { namespace, name = '' } = replicaSet.metadata;
    const options = { dryRun: false, propagationPolicy: 'Background' } as const;
    await registry.of(replicaSets).delete({ namespace, name }, options).catch(unlessMoved);
  }
}

async function historyOf(registry: Registry, { metadata }: KubeObject): Promise<KubeObject[]> {
  const { entries } = await registry.of(replicaSets).list(metadata.namespace);
  return entries
    .map(({ value }) => value as KubeObject)
    .filter((replicaSet) => replicaSet.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid))
    .filter((replicaSet) => revisionOf(replicaSet) > 0);
}

function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.[annotation] ?? 0) || 0;
}

/** The template as the deployment had it: without the label that tells the ReplicaSets apart. */
function templateOf(replicaSet: KubeObject): Template | undefined {
  const { template } = part<Spec>(replicaSet, 'spec');
  const { [hashLabel]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return template && { ...template, metadata: { ...template.metadata, labels } };
}

async function createReplicaSet(registry: Registry, deployment: KubeObject, revision: number): Promise<void> {
  const { name = '', namespace, uid = '' } = deployment.metadata;
  const { template, selector } = part<Spec>(deployment, 'spec');
  const hash = createHash('sha256')
    .update(JSON.stringify([uid, template]))
    .digest('hex')
    .slice(0, 10);
  const own = { [hashLabel]: hash };
  const draft: Draft = {
    apiVersion: 'extensions/v1beta1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      labels: { ...template?.metadata?.labels, ...own },
      annotations: { [annotation]: String(revision) },
      ownerReferences: [{ apiVersion: 'extensions/v1beta1', kind: 'Deployment', name, uid, controller: true }],
    },
    spec: {
      replicas: 0,
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, ...own } },
      template: { ...template, metadata: { ...template?.metadata, labels: { ...template?.metadata?.labels, ...own } } },
    },
  };
  await registry.of(replicaSets).create(namespace, draft).catch(unlessMoved);
}

async function annotate(
  registry: Registry,
  resource: string,
  { metadata }: KubeObject,
  revision: number,
): Promise<void> {
  const { namespace, name = '' } = metadata;
  const annotated = (current: KubeObject): KubeObject => ({
    ...current,
    metadata: {
      ...current.metadata,
      annotations: { ...current.metadata.annotations, [annotation]: String(revision) },
    },
  });
  await registry.of(resource).amend({ namespace, name }, annotated).catch(unlessMoved);
}

/** Somebody else was faster: the object is gone, is there already, or its namespace is on its way out. */
function unlessMoved(error: unknown): void {
  if (!(error instanceof StatusError && [403, 404, 409].includes(error.code))) throw error;
}
