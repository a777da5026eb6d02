// What a request to the kubelet names: a pod of the node, a container of it.
import type { ContainerKeeper } from '../pods/containerKeeper.js';
import type { PodManager } from '../pods/podManager.js';
import type { PodWorker } from '../pods/podWorker.js';
import { Refusal } from './refusal.js';

/** A request, taken apart. */
export interface Place {
  readonly operation: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly query: URLSearchParams;
}

/** Throws Refusal where the pod is not on this node. */
export function podAt(pods: PodManager, { namespace, pod }: Place): PodWorker {
  const found = pods.find(namespace, pod);
  if (found === undefined) throw new Refusal(404, `pod "${pod}" not found`);
  return found;
}

/** Throws Refusal where the pod has no such container. */
export function containerAt(pod: PodWorker, { container, pod: name }: Place): ContainerKeeper {
  const found = pod.container(container);
  if (found === undefined) throw new Refusal(404, `container "${container}" not found in pod "${name}"`);
  return found;
}
