// The status of a Website, from what its Deployment says.
import type { V1Condition, V1Deployment } from '@kubernetes/client-node';
import type { Website, WebsiteStatus } from './website.js';

/**
 * The status that follows from the Website that was reconciled. `before` is the status that it replaces: what has not
 * changed keeps its time.
 */
export function statusOf(
  website: Website,
  before: WebsiteStatus | undefined,
  { metadata, status }: V1Deployment,
): WebsiteStatus {
  const wanted = website.spec.replicas ?? 0;
  const { availableReplicas = 0, updatedReplicas = 0, observedGeneration } = status ?? {};
  const isSeen = observedGeneration === metadata?.generation;
  const ready = isSeen && availableReplicas >= wanted && updatedReplicas >= wanted;
  return {
    availableReplicas,
    conditions: [condition(website, before, ready, `${availableReplicas} of ${wanted} are available`)],
  };
}

function condition(
  { metadata }: Website,
  before: WebsiteStatus | undefined,
  ready: boolean,
  message: string,
): V1Condition {
  const next = ready ? 'True' : 'False';
  const last = before?.conditions?.find(({ type }) => type === 'Ready');
  return {
    type: 'Ready',
    status: next,
    reason: ready ? 'Available' : 'Progressing',
    message,
    observedGeneration: metadata?.generation ?? 0,
    // The API has whole seconds.
    lastTransitionTime:
      last?.status === next ? last.lastTransitionTime : new Date(Math.floor(Date.now() / 1000) * 1000),
  };
}
