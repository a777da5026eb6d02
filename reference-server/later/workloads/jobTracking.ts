// Which pods a Job has counted. A finalizer keeps each pod until the status of its Job says what the pod counts for: no
// pod is counted twice, and none is lost that somebody deletes.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Controller } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import { controllerOf, type KubeObject, objectKeyIn, withoutFinalizer } from '../../schema/object.js';
import { unlessGone } from '../../statusError.js';

/** Since this version, Jobs track their pods. */
export const sinceTracking = 26;
const finalizer = 'batch.kubernetes.io/job-tracking';
/** The most pods of a Job that are uncounted at a time, so that its status stays small. */
const mostUncounted = 500;

/** The pods, by their uids, that a status names before it counts them. */
interface Uncounted {
  readonly succeeded: readonly string[];
  readonly failed: readonly string[];
}

export const isTracked = ({ metadata: { finalizers } }: KubeObject): boolean =>
  finalizers?.includes(finalizer) === true;

/** Returns a pod of a Job that the Job tracks. */
export function trackedPod<Pod extends { readonly metadata: { readonly finalizers?: readonly string[] } }>(
  pod: Pod,
): Pod {
  const { finalizers = [] } = pod.metadata;
  return finalizers.includes(finalizer)
    ? pod
    : { ...pod, metadata: { ...pod.metadata, finalizers: [...finalizers, finalizer] } };
}

/** Takes the finalizers of pods that are counted, or that count for nothing. */
export async function release(store: Pick<Store, 'updateInternally'>, pods: readonly KubeObject[]): Promise<void> {
  for (const pod of pods) {
    const { uid } = pod.metadata;
    const free = (now: KubeObject): KubeObject => (now.metadata.uid === uid ? withoutFinalizer(now, finalizer) : now);
    if (isTracked(pod)) await store.updateInternally(objectKeyIn(pod), free).catch(unlessGone);
  }
}

/** What a status is about to count, and the pods that it need not keep once it is written. */
interface Tracking {
  readonly succeeded: number;
  readonly failed: number;
  readonly uncounted: Uncounted;
  readonly released: readonly KubeObject[];
}

/**
 * Returns the next counts of a status: pods without the finalizer are counted, and others become uncounted ones. `countsAs`
 * says what a pod counts for: undefined as long as the Job needs it.
 */
export function track(
  before: ObjectOf<'batch.v1.JobStatus'>,
  pods: readonly KubeObject[],
  countsAs: (pod: KubeObject) => 'success' | 'failure' | 'nothing' | undefined,
): Tracking {
  const tracked = pods.filter(isTracked);
  const uids = new Set(tracked.map(({ metadata }) => metadata.uid));
  const { succeeded: successes = [], failed: failures = [] } = before.uncountedTerminatedPods ?? {};
  const succeeded = successes.filter((uid) => uids.has(uid));
  const failed = failures.filter((uid) => uids.has(uid));
  const counts = {
    succeeded: (before.succeeded ?? 0) + successes.length - succeeded.length,
    failed: (before.failed ?? 0) + failures.length - failed.length,
  };
  const known = new Set([...succeeded, ...failed]);
  const released: KubeObject[] = [];
  for (const pod of tracked) {
    const { uid = '' } = pod.metadata;
    const what = known.has(uid) ? 'nothing' : countsAs(pod);
    if (what === undefined) continue;
    if (what !== 'nothing') {
      if (succeeded.length + failed.length >= mostUncounted) continue;
      (what === 'success' ? succeeded : failed).push(uid);
    }
    released.push(pod);
  }
  return { ...counts, uncounted: { succeeded, failed }, released };
}

interface Parts {
  readonly pods: Pick<Store, 'updateInternally'>;
  readonly jobs: Pick<Store, 'find'>;
  /** Reports whether a Job has ended. */
  isOver(job: KubeObject): boolean;
}

/** Releases the tracked pods that no Job counts any more: their Job has ended or is gone, or they are no longer its own. */
export const orphanedJobPods = ({ pods, jobs, isOver }: Parts): Controller => ({
  name: 'job-controller core/pods',
  feature: 'job-controller',
  resource: 'core/pods',
  handles: isTracked,
  async reconcile(pod) {
    const owner = controllerOf(pod);
    if (owner !== undefined && owner.kind !== 'Job') return undefined;
    const job = owner && (await jobs.find({ namespace: pod.metadata.namespace, name: owner.name }))?.value;
    if (job === undefined || job.metadata.uid !== owner?.uid || isOver(job)) await release(pods, [pod]);
    return undefined;
  },
});
