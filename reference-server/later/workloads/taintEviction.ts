// Deletes the pods of nodes with NoExecute taints: at once, or when they have been tolerated for long enough.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Controller } from '../../controllers/controller.js';
import type { Note } from '../../controllers/events.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import { unless, unlessGone } from '../../statusError.js';
import { disrupted, sinceDisruptions } from './disruption.js';
import { allTolerated, type Taint, type Toleration, taintsOf, tolerates } from './taints.js';

interface Parts {
  readonly pods: Pick<Store, 'list' | 'delete' | 'updateInternally'>;
  readonly nodes: Pick<Store, 'find'>;
  readonly note: Note;
  readonly now: () => Date;
  readonly minor: number;
}

type PodSpec = ObjectOf<'PodSpec'>;

const about = { apiVersion: 'v1', kind: 'Pod' };

/** A timer cannot wait for longer, in milliseconds. */
const longestWait = 24 * 3600 * 1000;

const nodeOf = (pod: KubeObject): string => part<PodSpec>(pod, 'spec').nodeName ?? '';

export function taintEviction(parts: Parts): Controller {
  const { pods, nodes, note, now } = parts;
  /** Since when the pods that will be deleted are on a tainted node, in milliseconds, by uid. */
  const waiting = new Map<string, number>();
  return {
    name: 'taint-eviction-controller',
    feature: 'taint-eviction-controller',
    resource: 'core/pods',
    handles: (pod) => nodeOf(pod) !== '',
    sources: [
      {
        resource: 'core/nodes',
        ofConcern: (node) => taintsOf(node, 'NoExecute'),
        async concerned({ metadata: { name } }) {
          const { entries } = await pods.list();
          return entries.map(({ value }) => value).flatMap((pod) => (nodeOf(pod) === name ? [objectKeyIn(pod)] : []));
        },
      },
    ],
    async reconcile(pod) {
      const { uid = '', namespace, name, deletionTimestamp } = pod.metadata;
      if (deletionTimestamp !== undefined) {
        waiting.delete(uid);
        return undefined;
      }
      const node = await nodes.find({ namespace: undefined, name: nodeOf(pod) });
      const limit = toleratedMillis(taintsOf(node?.value, 'NoExecute'), part<PodSpec>(pod, 'spec').tolerations);
      const remark = (message: string) =>
        note(pod, about, {
          type: 'Normal',
          reason: 'TaintManagerEviction',
          message: `${message} Pod ${namespace}/${name}`,
        });
      if (limit === Number.POSITIVE_INFINITY) {
        if (waiting.delete(uid)) await remark('Cancelling deletion of');
        return undefined;
      }
      const since = waiting.get(uid) ?? now().getTime();
      const left = since + limit - now().getTime();
      if (left > 0) {
        waiting.set(uid, since);
        return Math.min(left, longestWait);
      }
      waiting.delete(uid);
      await remark('Marking for deletion');
      await evict(pod, parts);
      return undefined;
    },
    async forget({ metadata: { uid = '' } }) {
      waiting.delete(uid);
    },
  };
}

/** How long a pod may stay on a node with NoExecute taints: the shortest time that it tolerates one of them. */
function toleratedMillis(taints: readonly Taint[], tolerations: readonly Toleration[] = []): number {
  if (!allTolerated(taints, tolerations)) return 0;
  const seconds = taints.flatMap((taint) => {
    const first = tolerations.find((toleration) => tolerates(toleration, taint));
    return first?.tolerationSeconds === undefined ? [] : Number(first.tolerationSeconds);
  });
  return Math.max(0, Math.min(...seconds) * 1000);
}

async function evict(pod: KubeObject, { pods, now, minor }: Parts): Promise<void> {
  const { uid } = pod.metadata;
  if (minor >= sinceDisruptions) {
    const message = 'Taint manager: deleting due to NoExecute taint';
    const mark = (current: KubeObject) =>
      current.metadata.uid === uid ? disrupted(current, 'DeletionByTaintManager', message, now()) : current;
    await pods.updateInternally(objectKeyIn(pod), mark, { part: 'status' }).catch(unlessGone);
  }
  await pods.delete(objectKeyIn(pod), { dryRun: false, ...(uid !== undefined && { uid }) }).catch(unless(404, 409));
}
