// A small scheduler: binds pods to the agent's nodes in turn, where they have room and are wanted. A pod of a higher
// priority may take the place of others.
import { type ApiClient, isStatus } from '../api/apiClient.js';
import { type OnError, retry, toError } from '../api/backoff.js';
import type { EventRecorder } from '../api/eventRecorder.js';
import { listAndWatch } from '../api/listWatch.js';
import { formatSeconds } from '../api/time.js';
import type { Node, Pod } from '../api/types.js';
import { podPath } from '../pods/podStatus.js';
import { NodeState } from './nodeState.js';
import { type Budget, type Candidate, cheapest, priorityOf } from './preemption.js';

const schedulerName = 'default-scheduler';

export const schedulerSource = { component: schedulerName };

interface Waiting {
  pod: Pod;
  /** The last message about it. */
  message: string;
  /** Whether the scheduler looks for pods that make room for it. */
  isPreempting: boolean;
}

export class Scheduler {
  #turn = 0;
  readonly #nodes: ReadonlyMap<string, NodeState>;
  /** The pods that wait for a node, by uid. */
  readonly #waiting = new Map<string, Waiting>();
  /** The nodes on which others make room for waiting pods, by the uids of those. */
  readonly #nominated = new Map<string, NodeState>();
  /** The uids of pods that are being bound or are bound. */
  readonly #bound = new Set<string>();
  /** The uids of pods that it has deleted to make room. */
  readonly #leaving = new Set<string>();
  #isPassPlanned = false;
  #signal: AbortSignal = AbortSignal.abort();
  #onError: OnError = () => {};

  constructor(
    readonly client: ApiClient,
    nodes: readonly string[],
    readonly events: EventRecorder,
  ) {
    this.#nodes = new Map(nodes.map((name) => [name, new NodeState(name)]));
  }

  /** Binds pods until the signal, except pods of other schedulers. */
  async run(signal: AbortSignal, onError: OnError): Promise<void> {
    this.#signal = signal;
    this.#onError = onError;
    const pods = {
      replaced: (items: readonly Pod[]) => {
        const present = new Set(items.map(uidOf));
        for (const uid of [...this.#waiting.keys()]) if (!present.has(uid)) this.#forget(uid);
        items.forEach(pods.updated);
      },
      updated: (pod: Pod) => this.#consider(pod),
      deleted: (pod: Pod) => {
        this.#forget(uidOf(pod));
        this.#bound.delete(uidOf(pod));
      },
    };
    const nodes = {
      replaced: (items: readonly Node[]) => {
        const present = new Set(items.map(({ metadata }) => metadata.name));
        for (const [name, state] of this.#nodes) if (!present.has(name)) state.clear();
        items.forEach(nodes.updated);
      },
      updated: (node: Node) => {
        if (this.#nodes.get(node.metadata.name)?.set(node)) this.#planPass();
      },
      deleted: ({ metadata }: Node) => this.#nodes.get(metadata.name)?.clear(),
    };
    const unbound = { path: '/api/v1/pods', query: { fieldSelector: 'spec.nodeName=' } };
    await Promise.all([
      listAndWatch<Node>(this.client, { path: '/api/v1/nodes' }, nodes, signal, onError),
      listAndWatch<Pod>(this.client, unbound, pods, signal, onError),
    ]);
  }

  /** Receives a pod that is bound to a node of the agent. */
  updated(pod: Pod): void {
    this.#nodes.get(pod.spec.nodeName ?? '')?.add(pod);
    if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') this.#planPass();
  }

  /** Receives that a pod has left a node of the agent. */
  deleted(pod: Pod): void {
    this.#leaving.delete(uidOf(pod));
    if (this.#nodes.get(pod.spec.nodeName ?? '')?.remove(uidOf(pod))) this.#planPass();
  }

  #consider(pod: Pod): void {
    const uid = uidOf(pod);
    if (!isPending(pod) || this.#bound.has(uid)) {
      this.#forget(uid);
      return;
    }
    const waiting = this.#waiting.get(uid);
    if (waiting === undefined) this.#waiting.set(uid, { pod, message: '', isPreempting: false });
    else waiting.pod = pod;
    const nominated = this.#nodes.get(pod.status?.nominatedNodeName ?? '');
    if (waiting === undefined && nominated !== undefined) this.#nominated.set(uid, nominated);
    this.#schedule(uid);
  }

  /** The pod waits no longer. What was kept for it is free. */
  #forget(uid: string): void {
    this.#waiting.delete(uid);
    if (this.#nominated.delete(uid)) this.#planPass();
  }

  /** Looks again at all pods that wait, the most important ones first. Many changes at a time cause one pass. */
  #planPass(): void {
    if (this.#isPassPlanned || this.#waiting.size === 0) return;
    this.#isPassPlanned = true;
    setImmediate(() => {
      this.#isPassPlanned = false;
      const waiting = [...this.#waiting].sort(([, one], [, other]) => priorityOf(other.pod) - priorityOf(one.pod));
      for (const [uid] of waiting) this.#schedule(uid);
    });
  }

  #schedule(uid: string): void {
    const waiting = this.#waiting.get(uid);
    if (waiting === undefined || this.#signal.aborted) return;
    const { pod } = waiting;
    const refusals = new Map<string, number>();
    const fitting = [...this.#nodes.values()].filter((node) => {
      const reasons = node.reasonsAgainst(pod, this.#expectedOn(node, pod));
      for (const reason of reasons) refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
      return reasons.length === 0;
    });
    const preferred = fitting.filter((node) => !node.avoids(pod));
    const candidates = preferred.length > 0 ? preferred : fitting;
    const node = candidates[this.#turn % candidates.length];
    if (node === undefined) {
      const reasons = [...refusals].map(([reason, count]) => `${count} ${reason}`).sort();
      const message = `0/${this.#nodes.size} nodes are available: ${reasons.join(', ')}.`;
      const isNews = message !== waiting.message;
      waiting.message = message;
      void this.#makeRoom(waiting)
        .catch((error: unknown) => {
          this.#onError(toError(error));
          return false;
        })
        .then(async (isNominated) => {
          if (isNews || isNominated) await this.#refuse(pod, message);
        })
        .catch(this.#onError);
      return;
    }
    this.#turn++;
    node.add(pod);
    this.#bound.add(uid);
    this.#forget(uid);
    void retry(() => this.#bind(pod, node), this.#signal, this.#onError);
  }

  /** The pods for which others make room on a node, and that are no less important than a pod. */
  #expectedOn(node: NodeState, pod: Pod): readonly Pod[] {
    return [...this.#nominated].flatMap(([uid, nominated]) => {
      const other = this.#waiting.get(uid)?.pod;
      if (nominated !== node || other === undefined || uid === uidOf(pod)) return [];
      return priorityOf(other) >= priorityOf(pod) ? [other] : [];
    });
  }

  /** Deletes pods of a lower priority to make room for one, where that helps. Returns whether it does. */
  async #makeRoom(waiting: Waiting): Promise<boolean> {
    const { pod } = waiting;
    const uid = uidOf(pod);
    if (waiting.isPreempting || pod.spec.preemptionPolicy === 'Never' || this.#isExpected(pod)) return false;
    const candidatesWith = (budgets: readonly Budget[]): Candidate<NodeState>[] =>
      [...this.#nodes.values()].flatMap((node) => {
        const found = node.victimsFor(pod, this.#expectedOn(node, pod), budgets);
        return found === undefined ? [] : [{ node, ...found }];
      });
    // Most pods are as important as those that run.
    if (candidatesWith([]).length === 0) {
      await this.#giveUp(pod);
      return false;
    }
    waiting.isPreempting = true;
    try {
      const budgets = await this.#budgets();
      const found = this.#waiting.get(uid) === waiting ? cheapest(candidatesWith(budgets)) : undefined;
      if (found === undefined) return false;
      const { node, victims } = found;
      this.#nominated.set(uid, node);
      for (const victim of victims) await this.#preempt(victim, pod, node);
      await this.#giveUpFor(pod, node);
      return true;
    } finally {
      waiting.isPreempting = false;
    }
  }

  /** Whether pods are about to leave for a pod. */
  #isExpected(pod: Pod): boolean {
    const others = this.#nominated.get(uidOf(pod))?.pods ?? [];
    return others.some((other) => this.#isLeaving(other) && priorityOf(other) < priorityOf(pod));
  }

  #isLeaving(pod: Pod): boolean {
    return pod.metadata.deletionTimestamp !== undefined || this.#leaving.has(uidOf(pod));
  }

  /** Returns the disruption budgets: those of the earlier version on old servers, and none where they cannot be read. */
  async #budgets(): Promise<readonly Budget[]> {
    for (const version of ['v1', 'v1beta1']) {
      try {
        const path = `/apis/policy/${version}/poddisruptionbudgets`;
        return (await this.client.get<{ readonly items?: readonly Budget[] | null }>(path)).items ?? [];
      } catch (error) {
        if (!isStatus(error, 403, 404)) throw error;
      }
    }
    return [];
  }

  async #preempt(victim: Pod, pod: Pod, node: NodeState): Promise<void> {
    if (this.#isLeaving(victim)) return;
    const { uid } = victim.metadata;
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: `${schedulerName}: preempting to accommodate a higher priority pod`,
      lastTransitionTime: formatSeconds(new Date()),
    };
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
    try {
      await this.client.patch(`${podPath(victim)}/status`, { metadata: { uid }, status: { conditions: [condition] } });
      await this.client.delete(podPath(victim), options);
      this.#leaving.add(uidOf(victim));
    } catch (error) {
      if (!isStatus(error, 404, 409)) throw error;
      return;
    }
    this.events.record(victim, 'Normal', 'Preempted', `Preempted by pod ${uidOf(pod)} on node ${node.name}`);
  }

  /** Pods of a lower priority no longer get the room on a node. */
  async #giveUpFor(pod: Pod, node: NodeState): Promise<void> {
    for (const [uid, nominated] of [...this.#nominated]) {
      const other = this.#waiting.get(uid)?.pod;
      if (nominated === node && other !== undefined && priorityOf(other) < priorityOf(pod)) await this.#giveUp(other);
    }
  }

  /** No node is kept for a pod any more. */
  async #giveUp(pod: Pod): Promise<void> {
    if (!this.#nominated.delete(uidOf(pod))) return;
    const patch = { metadata: { uid: uidOf(pod) }, status: { nominatedNodeName: null } };
    await this.client.patch(`${podPath(pod)}/status`, patch).catch((error: unknown) => {
      if (!isStatus(error, 404, 409)) throw error;
    });
  }

  /** Binds a pod. Succeeds also if the pod no longer exists or is already bound. */
  async #bind(pod: Pod, node: NodeState): Promise<void> {
    const { name, namespace } = pod.metadata;
    const target = { apiVersion: 'v1', kind: 'Node', name: node.name };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace }, target };
    try {
      await this.client.create(`/api/v1/namespaces/${namespace}/bindings`, binding);
      this.events.record(pod, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${name} to ${node.name}`);
    } catch (error) {
      if (!isStatus(error, 404, 409)) throw error;
      node.remove(uidOf(pod));
    }
  }

  /** Writes why a pod has no node, unless the pod has changed: somebody else may have bound it. */
  async #refuse(pod: Pod, message: string): Promise<void> {
    this.events.record(pod, 'Warning', 'FailedScheduling', message);
    const before = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    const lastTransitionTime = before?.status === 'False' ? before.lastTransitionTime : formatSeconds(new Date());
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastTransitionTime };
    const { uid, resourceVersion } = pod.metadata;
    try {
      const nominatedNodeName = this.#nominated.get(uid ?? '')?.name;
      const status = { conditions: [condition], ...(nominatedNodeName !== undefined && { nominatedNodeName }) };
      await this.client.patch(`${podPath(pod)}/status`, { metadata: { uid, resourceVersion }, status });
    } catch (error) {
      if (!isStatus(error, 404, 409)) throw error;
      const waiting = this.#waiting.get(uidOf(pod));
      if (waiting === undefined) return;
      waiting.message = '';
      if (waiting.pod !== pod) this.#schedule(uidOf(pod));
    }
  }
}

const uidOf = ({ metadata }: Pod): string => metadata.uid ?? '';

function isPending({ metadata, spec, status }: Pod): boolean {
  const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  const unbound = !spec.nodeName && !ended && metadata.deletionTimestamp === undefined;
  const isGated = (spec.schedulingGates ?? []).length > 0;
  return unbound && !isGated && (spec.schedulerName ?? schedulerName) === schedulerName;
}
