// Deletes pods to make room for one of a higher priority, and keeps the room until that one has it.
import { type ApiClient, isStatus } from '../api/apiClient.js';
import type { EventRecorder } from '../api/eventRecorder.js';
import { formatSeconds } from '../api/time.js';
import type { Pod } from '../api/types.js';
import { podPath } from '../pods/podStatus.js';
import type { NodeState } from './nodeState.js';
import { type Budget, type Candidate, cheapest, priorityOf } from './preemption.js';

export const uidOf = ({ metadata }: Pod): string => metadata.uid ?? '';

export class Preemptor {
  /** The waiting pods for which others make room, by uid, and the nodes of those. */
  readonly #nominated = new Map<string, { readonly pod: Pod; readonly node: NodeState }>();
  /** The uids of waiting pods for which it looks for others. */
  readonly #looking = new Set<string>();
  /** The uids of pods that it has deleted. */
  readonly #leaving = new Set<string>();

  constructor(
    readonly client: ApiClient,
    readonly nodes: ReadonlyMap<string, NodeState>,
    readonly events: EventRecorder,
  ) {}

  /** Receives a waiting pod. An earlier agent may have made room for a new one. */
  updated(pod: Pod, isNew: boolean): void {
    const before = isNew ? this.nodes.get(pod.status?.nominatedNodeName ?? '') : undefined;
    const node = this.nodeFor(pod) ?? before;
    if (node !== undefined) this.#nominated.set(uidOf(pod), { pod, node });
  }

  /** The pod waits no longer. Returns whether there was room for it. */
  forget(uid: string): boolean {
    return this.#nominated.delete(uid);
  }

  /** Receives that a pod has left its node. */
  left(pod: Pod): void {
    this.#leaving.delete(uidOf(pod));
  }

  /** The node on which others make room for a pod. */
  nodeFor(pod: Pod): NodeState | undefined {
    return this.#nominated.get(uidOf(pod))?.node;
  }

  /** The pods for which others make room on a node, and that are no less important than a pod. */
  expectedOn(node: NodeState, pod: Pod): readonly Pod[] {
    return [...this.#nominated.values()].flatMap(({ pod: other, node: theirs }) =>
      theirs === node && uidOf(other) !== uidOf(pod) && priorityOf(other) >= priorityOf(pod) ? [other] : [],
    );
  }

  /** Deletes pods of a lower priority, where that makes room for one that waits. Returns whether it does. */
  async makeRoom(pod: Pod, isWaiting: () => boolean): Promise<boolean> {
    const uid = uidOf(pod);
    if (pod.spec.preemptionPolicy === 'Never' || this.#looking.has(uid) || this.#isMaking(pod)) return false;
    // Most pods are as important as those that run.
    if (this.#candidatesFor(pod, []).length === 0) {
      await this.#giveUp(pod);
      return false;
    }
    this.#looking.add(uid);
    try {
      const budgets = await this.#budgets();
      const found = isWaiting() ? cheapest(this.#candidatesFor(pod, budgets)) : undefined;
      if (found === undefined) return false;
      const { node, victims } = found;
      this.#nominated.set(uid, { pod, node });
      for (const victim of victims) await this.#preempt(victim, pod, node);
      for (const other of [...this.#nominated.values()]) {
        if (other.node === node && priorityOf(other.pod) < priorityOf(pod)) await this.#giveUp(other.pod);
      }
      return true;
    } finally {
      this.#looking.delete(uid);
    }
  }

  #candidatesFor(pod: Pod, budgets: readonly Budget[]): readonly Candidate<NodeState>[] {
    return [...this.nodes.values()].flatMap((node) => {
      const found = node.victimsFor(pod, this.expectedOn(node, pod), budgets);
      return found === undefined ? [] : [{ node, ...found }];
    });
  }

  /** Whether pods are about to leave for a pod. */
  #isMaking(pod: Pod): boolean {
    const others = this.nodeFor(pod)?.pods ?? [];
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
      message: 'default-scheduler: preempting to accommodate a higher priority pod',
      lastTransitionTime: formatSeconds(new Date()),
    };
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
    this.#leaving.add(uidOf(victim));
    try {
      await this.client.patch(`${podPath(victim)}/status`, { metadata: { uid }, status: { conditions: [condition] } });
      await this.client.delete(podPath(victim), options);
    } catch (error) {
      this.#leaving.delete(uidOf(victim));
      if (!isStatus(error, 404, 409)) throw error;
      return;
    }
    this.events.record(victim, 'Normal', 'Preempted', `Preempted by pod ${uidOf(pod)} on node ${node.name}`);
  }

  /** No node is kept for a pod any more. */
  async #giveUp(pod: Pod): Promise<void> {
    if (!this.forget(uidOf(pod))) return;
    const patch = { metadata: { uid: uidOf(pod) }, status: { nominatedNodeName: null } };
    await this.client.patch(`${podPath(pod)}/status`, patch).catch((error: unknown) => {
      if (!isStatus(error, 404, 409)) throw error;
    });
  }
}
