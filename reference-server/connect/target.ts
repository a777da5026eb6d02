// What a connect operation names: a pod, a service or a node that is there, and what of it can be reached.
import { badRequest, StatusError } from '../errors.js';
import type { Registry } from '../registry/registry.js';
import type { EndpointSubset } from '../registry/strategies/endpoints.js';
import type { PodSpec } from '../registry/strategies/podSpec.js';
import type { Place } from '../registry/update.js';
import { type KubeObject, part } from '../schema/object.js';

/** 503 for what is there and cannot be reached. */
export const unavailable = (message: string): StatusError => new StatusError(503, 'ServiceUnavailable', message);

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

/** `scheme:name:port`, of which only the name has to be there. */
export interface Reference {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/** Reads the name of a proxied object. */
export function parseReference(text: string, what: string): Reference {
  const parts = text.split(':');
  const [first = '', second = '', third = ''] = parts;
  if (parts.length === 1) return { scheme: '', name: first, port: '' };
  if (parts.length === 2) return { scheme: '', name: first, port: second };
  if (parts.length === 3 && ['', 'http', 'https'].includes(first)) return { scheme: first, name: second, port: third };
  throw badRequest(`invalid ${what} request "${text}"`);
}

/** The endpoints of a service that are ready. A service without any cannot be reached. */
export async function readyEndpoints(registry: Registry, place: Place): Promise<readonly EndpointSubset[]> {
  await registry.of('core/services').get(place);
  const entry = await registry.storage.get(`${registry.of('core/endpoints').prefix(place.namespace)}${place.name}`);
  const subsets = ((entry?.value.subsets ?? []) as readonly EndpointSubset[]).filter(
    ({ addresses = [] }) => addresses.length > 0,
  );
  if (subsets.length === 0) throw unavailable(`no endpoints available for service "${place.name}"`);
  return subsets;
}
