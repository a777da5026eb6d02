// What a connect operation names: a pod that is there, its container, its node.
import { badRequest } from '../errors.js';
import type { Registry } from '../registry/registry.js';
import type { PodSpec } from '../registry/strategies/podSpec.js';
import type { Place } from '../registry/update.js';
import { type KubeObject, part } from '../schema/object.js';

/** The pod, or 404. */
export async function podAt(registry: Registry, place: Place): Promise<KubeObject> {
  return (await registry.of('core/pods').get(place)).value as KubeObject;
}

/** The container that is meant: the one that is named, or the only one. */
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

/** The node that a pod runs on; undefined while it is not scheduled. A node that is not there is 404. */
export async function nodeOf(registry: Registry, pod: KubeObject): Promise<KubeObject | undefined> {
  const { nodeName } = part<PodSpec>(pod, 'spec');
  return nodeName ? nodeAt(registry, nodeName) : undefined;
}

/** The node, or 404. */
export async function nodeAt(registry: Registry, name: string): Promise<KubeObject> {
  return (await registry.of('core/nodes').get({ namespace: undefined, name })).value as KubeObject;
}
