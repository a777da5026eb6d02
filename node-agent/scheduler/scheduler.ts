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
import { priorityOf } from './preemption.js';
import { Preemptor, uidOf } from './preemptor.js';

const schedulerName = 'default-scheduler';

export const schedulerSource = { component: schedulerName };

export class Scheduler {
  #turn = 0;
  readonly #nodes: ReadonlyMap<string, NodeState>;
  readonly #preemptor: Preemptor;
  /** The pods that wait for a node, by uid, with the last message about them. */
  readonly #waiting = new Map<string, { pod: Pod; message: string }>();
  /** The uids of pods that are being bound or are bound. */
  readonly #bound = new Set<string>();
  #isPassPlanned = false;
  #signal: AbortSignal = AbortSignal.abort();
  #onError: OnError = () => {};

  constructor(
    readonly client: ApiClient,
    nodes: readonly string[],
    readonly events: EventRecorder,
  ) {
    this.#nodes = new Map(nodes.map((name) => [name, new NodeState(name)]));
    this.#preemptor = new Preemptor(client, this.#nodes, events);
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
    this.#preemptor.left(pod);
    if (this.#nodes.get(pod.spec.nodeName ?? '')?.remove(uidOf(pod))) this.#planPass();
  }

  #consider(pod: Pod): void {
    const uid = uidOf(pod);
    if (!isPending(pod) || this.#bound.has(uid)) {
      this.#forget(uid);
      return;
    }
    const waiting = this.#waiting.get(uid);
    this.#waiting.set(uid, { pod, message: waiting?.message ?? '' });
    this.#preemptor.updated(pod, waiting === undefined);
    this.#schedule(uid);
  }

  /** The pod waits no longer. What was kept for it is free. */
  #forget(uid: string): void {
    this.#waiting.delete(uid);
    if (this.#preemptor.forget(uid)) this.#planPass();
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
      const reasons = node.reasonsAgainst(pod, this.#preemptor.expectedOn(node, pod));
      for (const reason of reasons) refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
      return reasons.length === 0;
    });
    const preferred = fitting.filter((node) => !node.avoids(pod));
    const candidates = preferred.length > 0 ? preferred : fitting;
    const node = candidates[this.#turn % candidates.length];
    if (node === undefined) {
      const reasons = [...refusals].map(([reason, count]) => `${count} ${reason}`).sort();
      this.#wait(waiting, `0/${this.#nodes.size} nodes are available: ${reasons.join(', ')}.`);
      return;
    }
    this.#turn++;
    node.add(pod);
    this.#bound.add(uid);
    this.#forget(uid);
    void retry(() => this.#bind(pod, node), this.#signal, this.#onError);
  }

  /** Says why a pod waits, if that is news, and looks for others that can make room for it. */
  #wait(waiting: { pod: Pod; message: string }, message: string): void {
    const { pod } = waiting;
    const isNews = message !== waiting.message;
    waiting.message = message;
    if (isNews) this.events.record(pod, 'Warning', 'FailedScheduling', message);
    const isWaiting = () => this.#waiting.has(uidOf(pod));
    void this.#preemptor
      .makeRoom(pod, isWaiting)
      .catch((error: unknown) => {
        this.#onError(toError(error));
        return false;
      })
      .then(async (isNominated) => {
        const refuse = async () => {
          if (isWaiting()) await this.#refuse(pod, message);
        };
        if (isNews || isNominated) await retry(refuse, this.#signal, this.#onError);
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
    const before = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    const lastTransitionTime = before?.status === 'False' ? before.lastTransitionTime : formatSeconds(new Date());
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastTransitionTime };
    const { uid, resourceVersion } = pod.metadata;
    try {
      const nominatedNodeName = this.#preemptor.nodeFor(pod)?.name;
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

function isPending({ metadata, spec, status }: Pod): boolean {
  const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  const unbound = !spec.nodeName && !ended && metadata.deletionTimestamp === undefined;
  const isGated = (spec.schedulingGates ?? []).length > 0;
  return unbound && !isGated && (spec.schedulerName ?? schedulerName) === schedulerName;
}
