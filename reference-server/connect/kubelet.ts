// A node's kubelet: its address, and the paths of its API.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { unavailable } from '../errors.js';
import { type KubeObject, part } from '../schema/object.js';
import type { Address } from './dialer.js';
import type { Connections } from './options.js';

/** Addresses come before names, which need a lookup. */
const preferred = ['InternalIP', 'ExternalIP', 'Hostname', 'InternalDNS', 'ExternalDNS'];
const usualPort = 10_250;

/** Returns the address of a node. Throws 503 if its status has none. */
export function hostOf(node: KubeObject): string {
  const { addresses = [] } = part<ObjectOf<'NodeStatus'>>(node, 'status');
  for (const type of preferred) {
    const found = addresses.find((address) => address.type === type)?.address;
    if (found) return found;
  }
  throw unavailable(`node ${node.metadata.name} has told no address`);
}

/** Returns the address of the node's kubelet. */
export function kubeletOf(node: KubeObject, { kubeletTls }: Connections): Address {
  const { daemonEndpoints } = part<ObjectOf<'NodeStatus'>>(node, 'status');
  return { host: hostOf(node), port: daemonEndpoints?.kubeletEndpoint?.Port || usualPort, tls: kubeletTls };
}

/** `/{operation}/{namespace}/{pod}/{container}?query`. */
export function kubeletPath(operation: string, names: readonly string[], query: URLSearchParams): string {
  const path = [operation, ...names.map(encodeURIComponent)].join('/');
  const search = query.toString();
  return search === '' ? `/${path}` : `/${path}?${search}`;
}
