// DaemonSets: a pod on each node that may run it.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { claimed, claimedBy, referenceTo } from '../../controllers/claims.js';
import type { Controller } from '../../controllers/controller.js';
import type { Remark } from '../../controllers/events.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import { matcherOf } from '../../selectors/labels.js';
import type { PodControl } from './podControl.js';
import { hashLabel, isOver, isReady, phaseOf, podFrom, untilAvailable } from './pods.js';
import { forgetOldest, hashIn, historyOf, type RevisionParts } from './revisions.js';
import { shareOf } from './rollout.js';
import { writeStatus } from './status.js';
import { allTolerated, type Toleration, taintsOf } from './taints.js';

interface Parts extends RevisionParts {
  readonly pods: Pick<Store, 'list' | 'updateInternally'>;
  readonly control: PodControl;
  readonly nodes: Pick<Store, 'list'>;
  readonly daemonSets: Pick<Store, 'find' | 'list' | 'updateInternally'>;
  readonly now: () => Date;
}

type DaemonSetSpec = ObjectOf<'apps.v1.DaemonSetSpec'>;

/** The annotation of a DaemonSet, and the label of its pods, with the count of its templates. */
const templateGeneration = 'deprecated.daemonset.template.generation';
const generationLabel = 'pod-template-generation';

/** The taints that all pods of DaemonSets tolerate, as on real servers, by effect. */
const tolerated = {
  NoExecute: ['not-ready', 'unreachable'],
  NoSchedule: ['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'],
};

/** Returns the tolerations of the pods of a template: its own, and those that the controller adds or puts in their place. */
function tolerationsFor({ tolerations = [], hostNetwork }: ObjectOf<'PodSpec'> = {}): readonly Toleration[] {
  const { NoExecute, NoSchedule } = tolerated;
  const added = [
    ...NoExecute.map((name) => [name, 'NoExecute'] as const),
    ...[...NoSchedule, ...(hostNetwork === true ? ['network-unavailable'] : [])].map(
      (name) => [name, 'NoSchedule'] as const,
    ),
  ].map(([name, effect]): Toleration => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect }));
  const isReplaced = ({ key, operator, effect }: Toleration) =>
    added.some((one) => one.key === key && one.operator === operator && one.effect === effect);
  return [...tolerations.filter((one) => !isReplaced(one)), ...added];
}

export const daemonSetController = (parts: Parts): Controller => ({
  name: 'daemonset-controller',
  feature: 'daemonset-controller',
  resource: 'extensions/daemonsets',
  sources: [
    claimedBy('DaemonSet', 'core/pods', parts.daemonSets, (owner) => part<DaemonSetSpec>(owner, 'spec').selector),
    {
      resource: 'core/nodes',
      ofConcern: (node) => [node.metadata.labels, taintsOf(node, 'NoSchedule', 'NoExecute')],
      concerned: async () => (await parts.daemonSets.list()).entries.map(({ value }) => objectKeyIn(value)),
    },
  ],
  async reconcile(daemonSet) {
    if (daemonSet.metadata.deletionTimestamp !== undefined) return undefined;
    const { daemonSets: owners } = parts;
    const { selector, template = {} } = part<DaemonSetSpec>(daemonSet, 'spec');
    const history = await historyOf({ kind: 'DaemonSet', owner: daemonSet, owners }, parts);
    if (history === undefined) return undefined;
    const hash = hashIn(history.newest) ?? '';
    const pods = await claimed({
      owner: daemonSet,
      reference: referenceTo(daemonSet, 'apps/v1', 'DaemonSet'),
      store: parts.pods,
      owners,
      selector,
      mayAdopt: (pod) => !isOver(pod),
    });
    const nodes = (await parts.nodes.list()).entries.map(({ value }) => value);
    const state = stateOf(daemonSet, hash, pods, nodesFor(template, nodes), parts.now());
    const isRefused = await fitted(state, parts);
    await writeCounts(state, history.collisionCount, parts);
    const used = new Set([hash, ...pods.map(hashIn)]);
    await forgetOldest(daemonSet, history, (revision) => used.has(hashIn(revision)), parts);
    if (isRefused) return 'refused';
    const waits = pods.flatMap((pod) => state.untilAvailable(pod) || []);
    return waits.length > 0 ? Math.min(...waits) : undefined;
  },
});

const nodeOf = (pod: KubeObject): string => part<ObjectOf<'PodSpec'>>(pod, 'spec').nodeName ?? '';

/** The nodes of a DaemonSet. */
interface Nodes {
  /** Those that get a pod. */
  readonly wanted: readonly KubeObject[];
  /** The names of those that get none, and keep one that runs. */
  readonly kept: ReadonlySet<string>;
}

/** A new taint without NoExecute keeps pods away, and ends none. */
function nodesFor({ spec = {} }: ObjectOf<'PodTemplateSpec'>, all: readonly KubeObject[]): Nodes {
  const tolerations = tolerationsFor(spec);
  const fitting = all.filter(selectorOf(spec));
  const isFree = (node: KubeObject, ...effects: readonly string[]) =>
    allTolerated(taintsOf(node, ...effects), tolerations);
  const wanted = fitting.filter((node) => isFree(node, 'NoSchedule', 'NoExecute'));
  const kept = fitting.filter((node) => !wanted.includes(node) && isFree(node, 'NoExecute'));
  return { wanted, kept: new Set(kept.map(({ metadata: { name = '' } }) => name)) };
}

/** Returns a function that reports whether a node has the name and the labels that a pod asks for. */
function selectorOf({ nodeSelector = {}, nodeName, affinity }: ObjectOf<'PodSpec'>): (node: KubeObject) => boolean {
  const demanded = Object.entries(nodeSelector);
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  // A term without requirements matches no node.
  const terms = (required?.nodeSelectorTerms ?? [])
    .filter(({ matchExpressions = [], matchFields = [] }) => matchExpressions.length + matchFields.length > 0)
    .map(({ matchExpressions = [], matchFields = [] }) => ({
      labels: matcherOf({ matchExpressions }),
      fields: matcherOf({ matchExpressions: matchFields }),
    }));
  return ({ metadata: { name = '', labels } }) => {
    if (nodeName !== undefined && nodeName !== name) return false;
    for (const [key, value] of demanded) if (labels?.[key] !== value) return false;
    return (
      required === undefined || terms.some((term) => term.labels(labels) && term.fields({ 'metadata.name': name }))
    );
  };
}

/** The pods of a node that have not ended: those of the present template, and those of earlier ones. */
interface Place {
  readonly node: string;
  readonly current: readonly KubeObject[];
  readonly old: readonly KubeObject[];
  /** Whether no pod is there, not even one that is on its way out. */
  readonly isFree: boolean;
}

interface State {
  readonly daemonSet: KubeObject;
  readonly hash: string;
  readonly pods: readonly KubeObject[];
  readonly places: readonly Place[];
  /** Pods on nodes that are to have none. */
  readonly misplaced: readonly KubeObject[];
  /** Those of them that have to leave. */
  readonly unwelcome: readonly KubeObject[];
  /** The time until a pod counts as available, in milliseconds; undefined if it is not ready. */
  untilAvailable(pod: KubeObject): number | undefined;
}

function stateOf(
  daemonSet: KubeObject,
  hash: string,
  pods: readonly KubeObject[],
  { wanted, kept }: Nodes,
  now: Date,
): State {
  const { minReadySeconds = 0 } = part<DaemonSetSpec>(daemonSet, 'spec');
  const byNode = new Map<string, KubeObject[]>();
  for (const pod of pods) {
    const there = byNode.get(nodeOf(pod));
    if (there === undefined) byNode.set(nodeOf(pod), [pod]);
    else there.push(pod);
  }
  const names = new Set(wanted.map(({ metadata: { name = '' } }) => name));
  const places = [...names].map((node): Place => {
    const there = byNode.get(node) ?? [];
    const active = there.filter((pod) => !isOver(pod)).sort(oldestFirst);
    return {
      node,
      current: active.filter((pod) => hashIn(pod) === hash),
      old: active.filter((pod) => hashIn(pod) !== hash),
      isFree: there.length === 0,
    };
  });
  const misplaced = pods.filter((pod) => !names.has(nodeOf(pod)) && !isOver(pod));
  return {
    daemonSet,
    hash,
    pods,
    places,
    misplaced,
    unwelcome: misplaced.filter((pod) => !kept.has(nodeOf(pod))),
    untilAvailable: (pod) => untilAvailable(pod, minReadySeconds, now),
  };
}

const oldestFirst = (one: KubeObject, other: KubeObject): number =>
  (one.metadata.creationTimestamp ?? '').localeCompare(other.metadata.creationTimestamp ?? '');

/** Creates the missing pods, and deletes those that are not to stay. Returns whether a create was refused. */
async function fitted(state: State, { control }: Parts): Promise<boolean> {
  const { daemonSet, pods, places, unwelcome } = state;
  for (const pod of pods) {
    const remark = pod.metadata.deletionTimestamp === undefined ? remarkOn(pod) : undefined;
    if (remark === undefined) continue;
    await control.note(daemonSet, control.about, remark);
    await control.remove(daemonSet, pod);
  }
  const surplus = places.flatMap(({ current, old }) => [...current.slice(1), ...old.slice(1)]);
  const { leaving, surging } = rollout(state);
  for (const pod of [...unwelcome, ...surplus, ...leaving]) await control.remove(daemonSet, pod);
  const free = places.filter(({ isFree }) => isFree).map(({ node }) => node);
  for (const node of [...free, ...surging]) {
    const refusal = await control.create(daemonSet, podOn(node, state));
    if (refusal !== undefined) return true;
  }
  return false;
}

/** What the controller says before it removes a pod that has ended; undefined for one that has not. */
function remarkOn(pod: KubeObject): Remark | undefined {
  const where = `daemon pod ${pod.metadata.namespace}/${pod.metadata.name} on node ${nodeOf(pod)}`;
  if (phaseOf(pod) === 'Failed') {
    const message = `Found failed ${where}, will try to kill it`;
    return { type: 'Warning', reason: 'FailedDaemonPod', message };
  }
  if (phaseOf(pod) !== 'Succeeded') return undefined;
  const message = `Found succeeded ${where}, will try to delete it`;
  return { type: 'Normal', reason: 'SucceededDaemonPod', message };
}

function podOn(node: string, { daemonSet, hash }: State) {
  const { template = {} } = part<DaemonSetSpec>(daemonSet, 'spec');
  const generation = daemonSet.metadata.annotations?.[templateGeneration];
  const labels = {
    ...template.metadata?.labels,
    ...(generation !== undefined && { [generationLabel]: generation }),
    [hashLabel]: hash,
  };
  const spec = { ...template.spec, nodeName: node, tolerations: tolerationsFor(template.spec) };
  return podFrom({ metadata: { ...template.metadata, labels }, spec }, referenceTo(daemonSet, 'apps/v1', 'DaemonSet'));
}

/** A step of a rollout: the pods that make room for their successors, and the nodes that get a second pod first. */
function rollout({ daemonSet, places, untilAvailable }: State): {
  leaving: readonly KubeObject[];
  surging: readonly string[];
} {
  const { updateStrategy } = part<DaemonSetSpec>(daemonSet, 'spec');
  if (updateStrategy?.type !== 'RollingUpdate') return { leaving: [], surging: [] };
  const { maxUnavailable = 1, maxSurge = 0 } = updateStrategy.rollingUpdate ?? {};
  const surge = shareOf(maxSurge, places.length, Math.ceil);
  const most = shareOf(maxUnavailable, places.length, Math.ceil) || (surge === 0 ? 1 : 0);
  const isAvailable = (pod: KubeObject | undefined): boolean => pod !== undefined && untilAvailable(pod) === 0;
  const outdated = places.filter(({ old }) => old.length > 0);
  if (surge > 0) {
    const both = outdated.filter(({ current }) => current.length > 0);
    const alone = outdated.filter(({ current }) => current.length === 0);
    const broken = alone.filter(({ old }) => !isAvailable(old[0]));
    const working = alone.filter(({ old }) => isAvailable(old[0]));
    return {
      leaving: both.filter(({ current }) => isAvailable(current[0])).flatMap(({ old }) => old),
      surging: [...broken, ...working.slice(0, Math.max(0, surge - both.length))].map(({ node }) => node),
    };
  }
  const broken = outdated.filter(({ current, old }) => current.length > 0 || !isAvailable(old[0]));
  const working = outdated.filter((place) => !broken.includes(place));
  const unavailable = places.filter(({ current, old }) => !isAvailable(current[0] ?? old[0])).length;
  return {
    leaving: [...broken, ...working.slice(0, Math.max(0, most - unavailable))].flatMap(({ old }) => old),
    surging: [],
  };
}

async function writeCounts(
  state: State,
  collisionCount: number | undefined,
  { daemonSets: store }: Parts,
): Promise<void> {
  const { daemonSet, places, misplaced, untilAvailable } = state;
  const count = (is: (place: Place) => boolean): number => places.filter(is).length;
  const someOf = ({ current, old }: Place, is: (pod: KubeObject) => boolean) => [...current, ...old].some(is);
  const available = count((place) => someOf(place, (pod) => untilAvailable(pod) === 0));
  const { conditions } = part<ObjectOf<'apps.v1.DaemonSetStatus'>>(daemonSet, 'status');
  const status = {
    ...(conditions && { conditions }),
    currentNumberScheduled: count((place) => someOf(place, () => true)),
    numberMisscheduled: new Set(misplaced.map(nodeOf)).size,
    desiredNumberScheduled: places.length,
    numberReady: count((place) => someOf(place, isReady)),
    observedGeneration: daemonSet.metadata.generation,
    updatedNumberScheduled: count(({ current }) => current.length > 0),
    numberAvailable: available,
    numberUnavailable: places.length - available,
    ...(collisionCount !== undefined && { collisionCount }),
  };
  await writeStatus(store, daemonSet, 'DaemonSetStatus', status);
}
