// Stands in for what a server lacks: it makes Deployments available where no controller or no node does.
import { AppsV1Api, CoreV1Api, type KubeConfig, type V1Pod } from '@kubernetes/client-node';
import { orConflict, orMissing } from './requests.js';
import type { Expectations } from './servers.js';

/** Takes a Deployment one step closer to being available. To be called until it is. */
export async function advance(
  config: KubeConfig,
  { deployments }: Expectations,
  namespace: string,
  name: string,
): Promise<void> {
  if (deployments === 'need a node') await runPods(config, namespace, name);
  if (deployments === 'are stored') await writeStatus(config, namespace, name);
}

/** What a kubelet writes about pods that run. */
async function runPods(config: KubeConfig, namespace: string, name: string): Promise<void> {
  const core = config.makeApiClient(CoreV1Api);
  const { items } = await core.listNamespacedPod({ namespace, labelSelector: `website=${name}` });
  const isReady = ({ status }: V1Pod) => status?.conditions?.some(({ type }) => type === 'Ready');
  for (const pod of items) {
    if (isReady(pod) || pod.metadata?.deletionTimestamp !== undefined) continue;
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: new Date() };
    const body = { ...pod, status: { ...pod.status, phase: 'Running', conditions: [ready] } };
    await orConflict(orMissing(core.replaceNamespacedPodStatus({ namespace, name: pod.metadata?.name ?? '', body })));
  }
}

/** What the deployment controller writes at the end of a rollout. */
async function writeStatus(config: KubeConfig, namespace: string, name: string): Promise<void> {
  const apps = config.makeApiClient(AppsV1Api);
  const deployment = await orMissing(apps.readNamespacedDeployment({ namespace, name }));
  if (deployment === undefined) return;
  const { spec, metadata, status } = deployment;
  if (status?.observedGeneration === metadata?.generation) return;
  const replicas = spec?.replicas ?? 0;
  const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
  const body = { ...deployment, status: { ...counts, observedGeneration: metadata?.generation ?? 0 } };
  await orConflict(orMissing(apps.replaceNamespacedDeploymentStatus({ namespace, name, body })));
}
