// The pod of a connect operation, its container and its node.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { badRequest } from '../errors.js';
import type { Store } from '../registry/store.js';
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

/** The lists of containers in a pod, with their names in a message. */
const lists = [
  ['containers', 'choose one of'],
  ['initContainers', 'or one of the init containers'],
  ['ephemeralContainers', 'or one of the ephemeral containers'],
] as const;

/** Returns the requested container, or the only one. Throws 400 if it is unknown or the request is ambiguous. */
export function containerOf(pod: KubeObject, asked: string | null): string {
  const { name } = pod.metadata;
  const spec = part<ObjectOf<'PodSpec'>>(pod, 'spec');
  const namesIn = (list: (typeof lists)[number][0]): string[] => (spec[list] ?? []).map((one) => one.name);
  if (asked) {
    if (!lists.some(([list]) => namesIn(list).includes(asked)))
      throw badRequest(`container ${asked} is not valid for pod ${name}`);
    return asked;
  }
  const [only, ...others] = namesIn('containers');
  if (only !== undefined && others.length === 0) return only;
  const choices = lists.flatMap(([list, words]) => {
    const names = namesIn(list);
    return names.length === 0 ? [] : [`${words}: [${names.join(' ')}]`];
  });
  throw badRequest(`a container name must be specified for pod ${name}, ${choices.join(' ')}`);
}

/** Returns the node of a pod, or undefined if the pod is not scheduled. Throws 404 if the node is absent. */
export async function nodeOf(registry: Objects, pod: KubeObject): Promise<KubeObject | undefined> {
  const { nodeName } = part<ObjectOf<'PodSpec'>>(pod, 'spec');
  return nodeName ? nodeAt(registry, nodeName) : undefined;
}

/** Returns the node. Throws 404 if it is absent. */
export async function nodeAt(registry: Objects, name: string): Promise<KubeObject> {
  return (await registry.of('core/nodes').get({ namespace: undefined, name })).value;
}
