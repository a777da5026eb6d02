// The status of a Website, from what its Deployment says.
import type { V1Condition, V1Deployment } from '@kubernetes/client-node';
import type { Website, WebsiteStatus } from './website.js';

/** The status as it should be now. What has not changed keeps its time. */
export function statusOf(website: Website, { metadata, status }: V1Deployment): WebsiteStatus {
  const wanted = website.spec.replicas ?? 0;
  const { availableReplicas = 0, updatedReplicas = 0, observedGeneration } = status ?? {};
  const isSeen = observedGeneration === metadata?.generation;
  const ready = isSeen && availableReplicas >= wanted && updatedReplicas >= wanted;
  return {
    availableReplicas,
    conditions: [condition(website, ready, `${availableReplicas} of ${wanted} are available`)],
  };
}

function condition({ metadata, status }: Website, ready: boolean, message: string): V1Condition {
  const next = ready ? 'True' : 'False';
  const before = status?.conditions?.find(({ type }) => type === 'Ready');
  return {
    type: 'Ready',
    status: next,
    reason: ready ? 'Available' : 'Progressing',
    message,
    observedGeneration: metadata?.generation ?? 0,
    // The API has whole seconds.
    lastTransitionTime:
      before?.status === next ? before.lastTransitionTime : new Date(Math.floor(Date.now() / 1000) * 1000),
  };
}
