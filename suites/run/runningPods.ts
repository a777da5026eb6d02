// Pods that really run: on the node of the run, or on a ready node of the target.

import { Prerequisite, Unchecked } from '../client/expect.js';
import { at, brief, itemsOf, type JsonObject } from '../client/json.js';
import { eventually } from '../objects/eventually.js';
import { nodes, pods } from '../objects/related.js';
import type { Sandbox } from '../objects/sandbox.js';
import type { Context } from './context.js';

interface PlacedPod {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
}

/** A pod whose containers run. */
export interface RunningPod extends PlacedPod {
  /** The pod's own address; the node's address for a pod on the host network. */
  readonly address: string;
  /** The containers that the target added to those of the spec, such as the sidecar of a service mesh. */
  readonly added: readonly string[];
}

const containersOf = (spec: unknown): readonly string[] =>
  itemsOf({ items: at(spec, 'containers') }).map(({ name }) => String(name));

/** Starts a pod. Throws Prerequisite if the target has no node for it. */
async function startPod({ sandbox, node }: Context, spec: JsonObject): Promise<PlacedPod> {
  const nodeName = node?.name ?? (await readyNode(sandbox));
  const place = { nodeSelector: null, nodeName, terminationGracePeriodSeconds: 0 };
  const { name, namespace = '' } = await sandbox.make(pods, { change: { spec: { ...place, ...spec } } });
  return { name, namespace, node: nodeName };
}

/** Returns the containers of a pod that its spec, as it was sent, does not have. */
function addedTo(pod: unknown, sent: unknown): readonly string[] {
  const own = containersOf(sent);
  return containersOf(at(pod, 'spec')).filter((name) => !own.includes(name));
}

/** What a container's state must be. */
type State = (state: unknown) => boolean;

/**
 * Returns the pod once each container of its spec is in that state; containers that the target added may be in any.
 * Throws Prerequisite if they are not in time.
 */
async function until(
  { sandbox }: Context,
  pod: PlacedPod,
  spec: JsonObject,
  [what, isIn]: readonly [what: string, isIn: State],
): Promise<JsonObject> {
  const isThere = (seen: JsonObject | undefined): boolean => {
    const states = itemsOf({ items: at(seen, 'status', 'containerStatuses') });
    const reached = states.filter(({ state }) => isIn(state)).map(({ name }) => name);
    return containersOf(spec).every((name) => reached.includes(name));
  };
  const seen = await eventually(() => sandbox.current({ ...pod, resource: pods }), isThere, sandbox.timeout);
  if (seen !== undefined && isThere(seen)) return seen;
  const states = itemsOf({ items: at(seen, 'status', 'containerStatuses') }).map(({ state }) => state);
  const why = ['reason', 'message']
    .map((field) => at(seen, 'status', field))
    .filter((text) => typeof text === 'string');
  const came = [brief(at(seen, 'status', 'phase')), ...why, brief(states)].join(' ');
  throw new Prerequisite(`the containers of the pod ${pod.name} did not ${what} on ${pod.node}: ${came}`);
}

const succeeded: State = (state) => at(state, 'terminated', 'exitCode') === 0;
const running: State = (state) => at(state, 'running') !== undefined;

/** A pod whose containers have ended without an error, and the containers that the target added. */
export type FinishedPod = PlacedPod & Pick<RunningPod, 'added'>;

/** Starts a pod and waits until its containers have ended. Throws Prerequisite if they do not end well in time. */
export async function finishedPod(context: Context, spec: JsonObject): Promise<FinishedPod> {
  const placed = await startPod(context, spec);
  const pod = await until(context, placed, spec, ['succeed', succeeded]);
  return { ...placed, added: addedTo(pod, spec) };
}

/** Starts a pod and waits until it runs and has an address. Throws Prerequisite if it does not run in time. */
export async function runningPod(context: Context, spec: JsonObject): Promise<RunningPod> {
  const placed = await startPod(context, spec);
  const pod = await until(context, placed, spec, ['run', running]);
  const address = at(pod, 'status', 'podIP');
  if (typeof address !== 'string') throw new Prerequisite(`the pod ${placed.name} runs and has no address`);
  return { ...placed, address, added: addedTo(pod, spec) };
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

/** Throws Unchecked if the target added containers to a pod whose only container the check is about. */
export function mustBeAlone({ name, added }: Pick<FinishedPod, 'name' | 'added'>): void {
  if (added.length > 0)
    throw new Unchecked('skipped', `the target adds containers to every pod: ${name} also has ${added.join(', ')}`);
}
