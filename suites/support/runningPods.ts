// Pods that really run: on the node of the run, or one of the target's that is ready.
import { eventually } from './eventually.js';
import { Prerequisite } from './expect.js';
import { at, brief, itemsOf, type JsonObject } from './json.js';
import { nodes, pods } from './related.js';
import type { Scope } from './scope.js';
import type { Context } from './worker.js';

/** A pod on a node. */
export interface PlacedPod {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
}

/** A pod whose containers run. */
export interface RunningPod extends PlacedPod {
  /** Its own; the node's for a pod on the host's network. */
  readonly address: string;
}

/** Starts a pod. Throws Prerequisite where the target has no node for it. */
export async function startPod({ scope, node }: Context, spec: JsonObject): Promise<PlacedPod> {
  const nodeName = node?.name ?? (await readyNode(scope));
  const place = { nodeSelector: null, nodeName, terminationGracePeriodSeconds: 0 };
  const { name, namespace = '' } = await scope.make(pods, { change: { spec: { ...place, ...spec } } });
  return { name, namespace, node: nodeName };
}

/** The pod once it is in that phase. Throws Prerequisite where it does not come to it. */
export async function untilPhase(context: Context, pod: PlacedPod, phase: string): Promise<JsonObject> {
  const isThere = (seen: JsonObject | undefined): boolean => at(seen, 'status', 'phase') === phase;
  const seen = await eventually(() => context.scope.current({ ...pod, resource: pods }), isThere);
  if (seen !== undefined && isThere(seen)) return seen;
  const states = itemsOf({ items: at(seen, 'status', 'containerStatuses') }).map(({ state }) => state);
  const came = `${brief(at(seen, 'status', 'phase'))} ${brief(states)}`;
  throw new Prerequisite(`the pod ${pod.name} did not come to ${phase} on ${pod.node}: ${came}`);
}

/** Starts a pod and waits until it runs and has an address. Throws Prerequisite where it does not come to that. */
export async function runningPod(context: Context, spec: JsonObject): Promise<RunningPod> {
  const placed = await startPod(context, spec);
  const address = at(await untilPhase(context, placed, 'Running'), 'status', 'podIP');
  if (typeof address !== 'string') throw new Prerequisite(`the pod ${placed.name} runs and has no address`);
  return { ...placed, address };
}

/** What each worker makes once, at its first use. */
export function shared<T>(make: (context: Context) => Promise<T>): (context: Context) => Promise<T> {
  const made = new WeakMap<Scope, Promise<T>>();
  return (context) => {
    const own = made.get(context.scope) ?? make(context);
    made.set(context.scope, own);
    return own;
  };
}

/** A node that takes pods. Throws Prerequisite where there is none. */
async function readyNode(scope: Scope): Promise<string> {
  const list = await scope.list(nodes, undefined);
  const ready = itemsOf(list).find((node) => {
    const conditions = at(node, 'status', 'conditions');
    const isReady = (condition: unknown) => at(condition, 'type') === 'Ready' && at(condition, 'status') === 'True';
    return at(node, 'spec', 'unschedulable') !== true && Array.isArray(conditions) && conditions.some(isReady);
  });
  const name = at(ready, 'metadata', 'name');
  if (typeof name !== 'string') throw new Prerequisite('the target has no node that is ready');
  return name;
}
