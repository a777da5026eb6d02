// The pod of a connect operation, its container and its node.
import { badRequest } from '../errors.js';
import type { Store } from '../registry/store.js';
import type { PodSpec } from '../registry/strategies/podSpec.js';
import { type KubeObject, type ObjectKey, part } from '../schema/object.js';
import type { Connections } from './options.js';

/** The stores of the objects behind connections, by `group/plural`. */
export interface Objects {
  of(resource: string): Pick<Store, 'get' | 'find'>;
}

/** The dependencies of the handlers of connections. */
export interface ConnectDependencies {
  readonly registry: Objects;
  readonly connections: Connections;
}

/** Returns the pod. Throws 404 if it is absent. */
export async function podAt(registry: Objects, key: ObjectKey): Promise<KubeObject> {
  return (await registry.of('core/pods').get(key)).value;
}

/** Returns the requested container, or the only one. Throws 400 if it is unknown or the request is ambiguous. */
export function containerOf(pod: KubeObject, asked: string | null): string {
  const { name } = pod.metadata;
  const names = (part<PodSpec>(pod, 'spec').containers ?? []).map((container) => container.name ?? '');
  if (asked) {
    if (!names.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`);
    return asked;
  }
  const [only, ...others] = names;
  if (only === undefined) throw badRequest(`a container name must be specified for pod ${name}`);
  if (others.length > 0) {
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
  }
  return only;
}

/** Returns the node of a pod, or undefined if the pod is not scheduled. Throws 404 if the node is absent. */
export async function nodeOf(registry: Objects, pod: KubeObject): Promise<KubeObject | undefined> {
  const { nodeName } = part<PodSpec>(pod, 'spec');
  return nodeName ? nodeAt(registry, nodeName) : undefined;
}

/** Returns the node. Throws 404 if it is absent. */
export async function nodeAt(registry: Objects, name: string): Promise<KubeObject> {
  return (await registry.of('core/nodes').get({ namespace: undefined, name })).value;
}
