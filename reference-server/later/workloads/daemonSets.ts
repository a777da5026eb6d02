// DaemonSets: a pod on each node that may run it.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { claimed, claimedBy } from '../../controllers/claims.js';
import type { Controller } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import type { PodControl } from './podControl.js';
import { hashLabel, hashOf, isOver, isReady, podFrom, referenceTo } from './pods.js';
import { writeStatus } from './status.js';

interface Parts {
  readonly pods: Pick<Store, 'list' | 'updateInternally'>;
  readonly control: PodControl;
  readonly nodes: Pick<Store, 'list'>;
  readonly daemonSets: Pick<Store, 'find' | 'list' | 'updateInternally'>;
}

/** Taints that a DaemonSet's pods tolerate, as on real servers. */
const tolerations = [
  'not-ready',
  'unreachable',
  'disk-pressure',
  'memory-pressure',
  'pid-pressure',
  'unschedulable',
].map((name) => ({
  key: `node.kubernetes.io/${name}`,
  operator: 'Exists',
  effect: name === 'not-ready' || name === 'unreachable' ? 'NoExecute' : 'NoSchedule',
}));

export const daemonSetController = (parts: Parts): Controller => ({
  name: 'daemonset-controller',
  feature: 'daemonset-controller',
  resource: 'extensions/daemonsets',
  sources: [
    claimedBy(
      'DaemonSet',
      'core/pods',
      parts.daemonSets,
      (owner) => part<ObjectOf<'apps.v1.DaemonSetSpec'>>(owner, 'spec').selector,
    ),
    {
      resource: 'core/nodes',
      concerned: async () => (await parts.daemonSets.list()).entries.map(({ value }) => objectKeyIn(value)),
    },
  ],
  async reconcile(daemonSet) {
    if (daemonSet.metadata.deletionTimestamp !== undefined) return undefined;
    const { selector, template = {}, updateStrategy } = part<ObjectOf<'apps.v1.DaemonSetSpec'>>(daemonSet, 'spec');
    const own = await claimed({
      owner: daemonSet,
      reference: referenceTo(daemonSet, 'apps/v1', 'DaemonSet'),
      store: parts.pods,
      owners: parts.daemonSets,
      selector,
      mayAdopt: (pod) => !isOver(pod),
    });
    const pods = own.filter((pod) => !isOver(pod));
    const nodes = (await parts.nodes.list()).entries.map(({ value }) => value).filter((node) => fits(template, node));
    const hash = hashOf(template);
    const isRefused = await fitted({ daemonSet, template, hash, pods, nodes }, parts);
    const outdated = pods.filter(({ metadata }) => metadata.labels?.[hashLabel] !== hash);
    // One pod at a time makes room for its successor.
    const [next] = updateStrategy?.type === 'RollingUpdate' && pods.every(isReady) ? outdated : [];
    if (next !== undefined) await parts.control.remove(daemonSet, next);
    await writeCounts(daemonSet, pods, nodes, hash, parts);
    return isRefused ? 'refused' : undefined;
  },
});

const nodeOf = (pod: KubeObject): string => part<ObjectOf<'PodSpec'>>(pod, 'spec').nodeName ?? '';

/** Reports whether a node has the labels that the pods of a template ask for. */
function fits({ spec }: ObjectOf<'PodTemplateSpec'>, { metadata }: KubeObject): boolean {
  const { nodeSelector = {}, nodeName } = spec ?? {};
  if (nodeName !== undefined && nodeName !== metadata.name) return false;
  return Object.entries(nodeSelector).every(([key, value]) => metadata.labels?.[key] === value);
}

interface State {
  readonly daemonSet: KubeObject;
  readonly template: ObjectOf<'PodTemplateSpec'>;
  readonly hash: string;
  readonly pods: readonly KubeObject[];
  readonly nodes: readonly KubeObject[];
}

/** Creates the missing pods, and deletes those on other nodes. Returns whether a create was refused. */
async function fitted({ daemonSet, template, hash, pods, nodes }: State, { control }: Parts): Promise<boolean> {
  const names = new Set(nodes.map(({ metadata: { name = '' } }) => name));
  const taken = new Set(pods.map(nodeOf));
  for (const pod of pods) {
    if (!names.has(nodeOf(pod))) await control.remove(daemonSet, pod);
  }
  const own = { ...template.metadata, labels: { ...template.metadata?.labels, [hashLabel]: hash } };
  const owner = referenceTo(daemonSet, 'apps/v1', 'DaemonSet');
  for (const name of names) {
    if (taken.has(name)) continue;
    const { tolerations: given = [] } = template.spec ?? {};
    const spec = { ...template.spec, nodeName: name, tolerations: [...given, ...tolerations] };
    const refusal = await control.create(daemonSet, podFrom({ metadata: own, spec }, owner));
    if (refusal !== undefined) return true;
  }
  return false;
}

async function writeCounts(
  daemonSet: KubeObject,
  pods: readonly KubeObject[],
  nodes: readonly KubeObject[],
  hash: string,
  { daemonSets: store }: Parts,
): Promise<void> {
  const names = new Set(nodes.map(({ metadata: { name = '' } }) => name));
  const placed = pods.filter((pod) => names.has(nodeOf(pod)));
  const ready = placed.filter(isReady).length;
  const { conditions } = part<ObjectOf<'apps.v1.DaemonSetStatus'>>(daemonSet, 'status');
  const status = {
    ...(conditions && { conditions }),
    currentNumberScheduled: placed.length,
    numberMisscheduled: pods.length - placed.length,
    desiredNumberScheduled: nodes.length,
    numberReady: ready,
    observedGeneration: daemonSet.metadata.generation,
    updatedNumberScheduled: placed.filter(({ metadata }) => metadata.labels?.[hashLabel] === hash).length,
    numberAvailable: ready,
    numberUnavailable: Math.max(0, nodes.length - ready),
  };
  await writeStatus(store, daemonSet, 'DaemonSetStatus', status);
}
