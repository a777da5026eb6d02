// A node as the scheduler sees it: the object, and what the pods on it take.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { Node, Pod } from '../api/types.js';
import { type HostPort, hostPortsOf, portsClash } from '../pods/hostPorts.js';
import { type Amounts, addAmounts, amountsOf, missingOf, requestsOf } from '../pods/requests.js';
import { selectsNode, taintText, tolerates, unschedulableTaint } from './nodeSelection.js';
import { type Budget, victimsOf } from './preemption.js';

interface Taken {
  readonly pod: Pod;
  readonly requests: Amounts;
  readonly hostPorts: readonly HostPort[];
}

export class NodeState {
  #node: Node | undefined;
  #allocatable: Amounts = new Map();
  readonly #pods = new Map<string, Taken>();
  readonly #taken = new Map<string, number>();

  constructor(readonly name: string) {}

  /** Returns whether a pod that had no place may have one now. */
  set(node: Node): boolean {
    const facts = ({ metadata, spec, status }: Node) =>
      JSON.stringify([metadata.labels, spec?.unschedulable, spec?.taints, status?.allocatable]);
    const isChanged = this.#node === undefined || facts(this.#node) !== facts(node);
    this.#node = node;
    if (isChanged) this.#allocatable = amountsOf(node.status?.allocatable);
    return isChanged;
  }

  /** The object no longer exists. */
  clear(): void {
    this.#node = undefined;
  }

  /** Counts a pod that is bound to the node, or will be. A pod that has ended takes nothing. */
  add(pod: Pod): void {
    const { uid = '' } = pod.metadata;
    this.remove(uid);
    if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return;
    const taken = takenBy(pod);
    this.#pods.set(uid, taken);
    addAmounts(this.#taken, taken.requests);
  }

  /** Stops counting a pod. Returns whether it was counted. */
  remove(uid: string): boolean {
    const taken = this.#pods.get(uid);
    if (taken === undefined) return false;
    this.#pods.delete(uid);
    addAmounts(this.#taken, new Map([...taken.requests].map(([name, amount]) => [name, -amount])));
    return true;
  }

  /**
   * Returns why a pod cannot run on the node, in the words of kube-scheduler; nothing if it can. `expected` are pods that
   * wait for places of their own there.
   */
  reasonsAgainst(pod: Pod, expected: readonly Pod[] = []): readonly string[] {
    const lasting = this.#lastingReason(pod);
    return lasting === undefined ? this.#crowding(pod, expected) : [lasting];
  }

  /** Returns the pods of a lower priority without which a pod could run on the node; undefined if it could not. */
  victimsFor(pod: Pod, expected: readonly Pod[], budgets: readonly Budget[]): ReturnType<typeof victimsOf> {
    if (this.#lastingReason(pod) !== undefined) return undefined;
    const hasRoom = (gone: ReadonlySet<Pod>) => this.#crowding(pod, expected, gone).length === 0;
    return victimsOf(pod, this.pods, hasRoom, budgets);
  }

  /** The pods that are bound to the node and have not ended. */
  get pods(): readonly Pod[] {
    return [...this.#pods.values()].map(({ pod }) => pod);
  }

  /** The reason that no other pod can mend by leaving. */
  #lastingReason(pod: Pod): string | undefined {
    const { metadata, spec } = this.#node ?? {};
    if (metadata === undefined) return 'node(s) did not exist';
    if (spec?.unschedulable === true && !tolerates(pod, unschedulableTaint)) return 'node(s) were unschedulable';
    const taint = this.#taints('NoSchedule', 'NoExecute').find((one) => !tolerates(pod, one));
    if (taint !== undefined) return `node(s) had untolerated taint ${taintText(taint)}`;
    return selectsNode(pod, { name: this.name, labels: metadata.labels ?? {} })
      ? undefined
      : "node(s) didn't match Pod's node affinity/selector";
  }

  /** Returns what the node lacks for a pod, if some leave and others come. */
  #crowding(pod: Pod, come: readonly Pod[], gone: ReadonlySet<Pod> = new Set()): readonly string[] {
    const present = [...this.#pods.values()].filter((taken) => !gone.has(taken.pod));
    const arriving = come.map(takenBy);
    const wanted = hostPortsOf(pod);
    if (wanted.length > 0 && [...present, ...arriving].some(({ hostPorts }) => portsClash(hostPorts, wanted))) {
      return ["node(s) didn't have free ports for the requested pod ports"];
    }
    if (gone.size + come.length === 0) return this.#missing(requestsOf(pod), this.#taken);
    const taken = new Map<string, number>();
    for (const { requests } of [...present, ...arriving]) addAmounts(taken, requests);
    return this.#missing(requestsOf(pod), taken);
  }

  /** Whether the node has a taint of the effect PreferNoSchedule that the pod does not tolerate. */
  avoids(pod: Pod): boolean {
    return this.#taints('PreferNoSchedule').some((taint) => !tolerates(pod, taint));
  }

  #taints(...effects: readonly string[]): readonly ObjectOf<'Taint'>[] {
    return (this.#node?.spec?.taints ?? []).filter(({ effect }) => effects.includes(effect));
  }

  #missing(requests: Amounts, taken: Amounts): string[] {
    const missing = missingOf(requests, taken, this.#allocatable);
    return missing.map((name) => (name === 'pods' ? 'Too many pods' : `Insufficient ${name}`));
  }
}

const takenBy = (pod: Pod): Taken => ({ pod, requests: requestsOf(pod), hostPorts: hostPortsOf(pod) });
