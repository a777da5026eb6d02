// Pods that really run: on the node of the run, or on a ready node of the target.

import { Prerequisite, Unchecked } from '../client/expect.js';
import { at, brief, itemsOf, type JsonObject } from '../client/json.js';
import { eventually } from '../objects/eventually.js';
import { nodes, pods } from '../objects/related.js';
import type { Sandbox } from '../objects/sandbox.js';
import type { Context } from './context.js';
import { usableIn } from './nodes.js';

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

/** The most nodes on which to try a pod: all nodes of a large cluster can be full. */
const mostNodes = 3;

/**
 * Starts a pod on one of the nodes, and returns it once each container of its spec is in that state; containers that the
 * target added may be in any. Throws Prerequisite if they are not in time, and Unchecked if no node has room.
 */
async function startPod(context: Context, spec: JsonObject, state: State): Promise<[PlacedPod, JsonObject]> {
  const { sandbox, node } = context;
  const refusals: string[] = [];
  for (const nodeName of node === undefined ? await usableNodes(sandbox) : [node.name]) {
    const place = { nodeSelector: null, nodeName, terminationGracePeriodSeconds: 0 };
    const { name, namespace = '' } = await sandbox.make(pods, { change: { spec: { ...place, ...spec } } });
    const placed = { name, namespace, node: nodeName };
    const pod = await until(context, placed, spec, state);
    if (!isWithoutRoom(pod)) return [placed, pod];
    refusals.push(`${nodeName}: ${String(at(pod, 'status', 'message') ?? at(pod, 'status', 'reason'))}`);
  }
  throw new Unchecked('skipped', `the nodes have no room for a pod: ${refusals.join('; ')}`);
}

/** Reports whether the node refused the pod, because others use what the pod needs. */
const isWithoutRoom = (pod: unknown): boolean =>
  at(pod, 'status', 'phase') === 'Failed' && /^(OutOf|Evicted)/.test(String(at(pod, 'status', 'reason')));

/** Returns the containers of a pod that its spec, as it was sent, does not have. */
function addedTo(pod: unknown, sent: unknown): readonly string[] {
  const own = containersOf(sent);
  return containersOf(at(pod, 'spec')).filter((name) => !own.includes(name));
}

/** What containers must do, and the state in which they have done so. */
type State = readonly [what: string, isIn: (state: unknown) => boolean];

/** Returns the pod once its containers are in that state, or its node has no room. Throws Prerequisite if they are late. */
async function until({ sandbox }: Context, pod: PlacedPod, spec: JsonObject, [what, isIn]: State): Promise<JsonObject> {
  const isThere = (seen: JsonObject | undefined): boolean => {
    const states = itemsOf({ items: at(seen, 'status', 'containerStatuses') });
    const reached = states.filter(({ state }) => isIn(state)).map(({ name }) => name);
    return containersOf(spec).every((name) => reached.includes(name));
  };
  const isOver = (seen: JsonObject | undefined): boolean => isThere(seen) || isWithoutRoom(seen);
  const seen = await eventually(() => sandbox.current({ ...pod, resource: pods }), isOver, sandbox.timeout);
  if (seen !== undefined && isOver(seen)) return seen;
  const states = itemsOf({ items: at(seen, 'status', 'containerStatuses') }).map(({ state }) => state);
  const why = ['reason', 'message']
    .map((field) => at(seen, 'status', field))
    .filter((text) => typeof text === 'string');
  const came = [brief(at(seen, 'status', 'phase')), ...why, brief(states)].join(' ');
  throw new Prerequisite(`the containers of the pod ${pod.name} did not ${what} on ${pod.node}: ${came}`);
}

const succeeded: State = ['succeed', (state) => at(state, 'terminated', 'exitCode') === 0];
const running: State = ['run', (state) => at(state, 'running') !== undefined];

/** A pod whose containers have ended without an error, and the containers that the target added. */
export type FinishedPod = PlacedPod & Pick<RunningPod, 'added'>;

/** Starts a pod and waits until its containers have ended. Throws Prerequisite if they do not end well in time. */
export async function finishedPod(context: Context, spec: JsonObject): Promise<FinishedPod> {
  const [placed, pod] = await startPod(context, spec, succeeded);
  return { ...placed, added: addedTo(pod, spec) };
}

/** Starts a pod and waits until it runs and has an address. Throws Prerequisite if it does not run in time. */
export async function runningPod(context: Context, spec: JsonObject): Promise<RunningPod> {
  const [placed, pod] = await startPod(context, spec, running);
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

/** Returns the names of nodes that run pods. Throws Prerequisite if there is none. */
async function usableNodes(sandbox: Sandbox): Promise<string[]> {
  const names = usableIn(itemsOf(await sandbox.list(nodes, undefined))).slice(0, mostNodes);
  if (names.length === 0) throw new Prerequisite('the target has no node that is ready');
  return names;
}

/** Returns an image with a shell: from the target's file, or a public image that the node of the run also has. */
export const shellImage = ({ run }: Context): string => run.target.images?.shell ?? 'busybox';

/** Throws Unchecked if the target added containers to a pod whose only container the check is about. */
export function mustBeAlone({ name, added }: Pick<FinishedPod, 'name' | 'added'>): void {
  if (added.length > 0)
    throw new Unchecked('skipped', `the target adds containers to every pod: ${name} also has ${added.join(', ')}`);
}
