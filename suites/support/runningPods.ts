// Pods that really run: bound to a node of the target, made once by each worker and shared by its checks.
import { eventually } from './eventually.js';
import { Prerequisite } from './expect.js';
import { at, itemsOf, type JsonObject } from './json.js';
import { nodes, pods } from './related.js';
import type { Scope } from './scope.js';
import type { Context } from './worker.js';

/** A pod whose containers run. */
export interface RunningPod {
  readonly namespace: string;
  readonly name: string;
  /** Its own; the node's for a pod on the host's network. */
  readonly address: string;
  readonly node: string;
}

const known = new WeakMap<Scope, Map<string, Promise<RunningPod>>>();

/** The worker's running pod of that key, with that spec. Throws Prerequisite where it does not come to run. */
export function runningPod({ scope, node }: Context, key: string, spec: JsonObject): Promise<RunningPod> {
  const own = known.get(scope) ?? new Map<string, Promise<RunningPod>>();
  known.set(scope, own);
  const pod = own.get(key) ?? startPod(scope, node?.name, spec);
  own.set(key, pod);
  return pod;
}

async function startPod(scope: Scope, own: string | undefined, spec: JsonObject): Promise<RunningPod> {
  const node = own ?? (await readyNode(scope));
  const bound = { nodeSelector: null, nodeName: node, terminationGracePeriodSeconds: 0 };
  const made = await scope.make(pods, { change: { spec: { ...bound, ...spec } } });
  const settled = (pod: JsonObject | undefined): boolean =>
    at(pod, 'status', 'phase') === 'Running' && typeof at(pod, 'status', 'podIP') === 'string';
  const pod = await eventually(() => scope.current(made), settled);
  if (!settled(pod)) {
    throw new Prerequisite(`pod ${made.name} does not run on ${node}: ${JSON.stringify(at(pod, 'status') ?? 'gone')}`);
  }
  const address = String(at(pod, 'status', 'podIP'));
  return { namespace: made.namespace ?? '', name: made.name, address, node };
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
