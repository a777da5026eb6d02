// Pods that really run: on the node of the run, or on a ready node of the target.

import { Prerequisite } from '../client/expect.js';
import { at, brief, itemsOf, type JsonObject } from '../client/json.js';
import { eventually } from '../objects/eventually.js';
import { nodes, pods } from '../objects/related.js';
import type { Sandbox } from '../objects/sandbox.js';
import type { Context } from './context.js';

export interface PlacedPod {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
}

/** A pod whose containers run. */
export interface RunningPod extends PlacedPod {
  /** The pod's own address; the node's address for a pod on the host network. */
  readonly address: string;
}

/** Starts a pod. Throws Prerequisite if the target has no node for it. */
export async function startPod({ sandbox, node }: Context, spec: JsonObject): Promise<PlacedPod> {
  const nodeName = node?.name ?? (await readyNode(sandbox));
  const place = { nodeSelector: null, nodeName, terminationGracePeriodSeconds: 0 };
  const { name, namespace = '' } = await sandbox.make(pods, { change: { spec: { ...place, ...spec } } });
  return { name, namespace, node: nodeName };
}

/** Returns the pod once it is in that phase. Throws Prerequisite if the pod does not reach the phase in time. */
export async function untilPhase({ sandbox }: Context, pod: PlacedPod, phase: string): Promise<JsonObject> {
  const isThere = (seen: JsonObject | undefined): boolean => at(seen, 'status', 'phase') === phase;
  const seen = await eventually(() => sandbox.current({ ...pod, resource: pods }), isThere, sandbox.timeout);
  if (seen !== undefined && isThere(seen)) return seen;
  const states = itemsOf({ items: at(seen, 'status', 'containerStatuses') }).map(({ state }) => state);
  const came = `${brief(at(seen, 'status', 'phase'))} ${brief(states)}`;
  throw new Prerequisite(`the pod ${pod.name} did not reach the phase ${phase} on ${pod.node}: ${came}`);
}

/** Starts a pod and waits until it runs and has an address. Throws Prerequisite if it does not run in time. */
export async function runningPod(context: Context, spec: JsonObject): Promise<RunningPod> {
  const placed = await startPod(context, spec);
  const address = at(await untilPhase(context, placed, 'Running'), 'status', 'podIP');
  if (typeof address !== 'string') throw new Prerequisite(`the pod ${placed.name} runs and has no address`);
  return { ...placed, address };
}

/** Returns a function that calls `make` once per worker, at the first use. */
export function oncePerSandbox<T>(make: (context: Context) => Promise<T>): (context: Context) => Promise<T> {
  const made = new WeakMap<Sandbox, Promise<T>>();
  return (context) => {
    const own = made.get(context.sandbox) ?? make(context);
    made.set(context.sandbox, own);
    return own;
  };
}

/** Returns the name of a ready node. Throws Prerequisite if there is none. */
async function readyNode(sandbox: Sandbox): Promise<string> {
  const list = await sandbox.list(nodes, undefined);
  const ready = itemsOf(list).find((node) => {
    const conditions = at(node, 'status', 'conditions');
    const isReady = (condition: unknown) => at(condition, 'type') === 'Ready' && at(condition, 'status') === 'True';
    return at(node, 'spec', 'unschedulable') !== true && Array.isArray(conditions) && conditions.some(isReady);
  });
  const name = at(ready, 'metadata', 'name');
  if (typeof name !== 'string') throw new Prerequisite('the target has no node that is ready');
  return name;
}

/** Returns an image with a shell: from the target's file, or a public image that the node of the run also has. */
export const shellImage = ({ run }: Context): string => run.target.images?.shell ?? 'busybox';
