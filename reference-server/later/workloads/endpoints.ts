// Endpoints and EndpointSlices: the addresses of the pods that a Service selects.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { referenceTo } from '../../controllers/claims.js';
import type { Controller } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import { type DecodedObject, equal, type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import { matcherOf } from '../../selectors/labels.js';
import { unless, unlessGone } from '../../statusError.js';
import {
  type Endpoint,
  type EndpointGroup,
  familyOf,
  type SliceOwner,
  type SliceStore,
  writeSlices,
} from './endpointSlices.js';
import { hasEnded, isReady } from './pods.js';

interface Parts {
  readonly services: Pick<Store, 'list' | 'find'>;
  readonly pods: Pick<Store, 'list'>;
  readonly endpoints: Pick<Store, 'find' | 'create' | 'updateInternally' | 'delete'>;
  readonly slices: SliceStore;
  /** The minor version of Kubernetes that the server reports. */
  readonly minor: number;
}

interface Address {
  readonly pod: KubeObject;
  readonly ips: readonly string[];
  readonly ready: boolean;
  /** Whether the pod is on its way out: only slices tell. */
  readonly leaves: boolean;
}

/** The most addresses of Endpoints, and the most endpoints of a slice. */
const [mostAddresses, mostEndpoints] = [1000, 100];
/** The annotation of Endpoints that lack addresses. */
const overCapacity = 'endpoints.kubernetes.io/over-capacity';

export const endpointsController = (parts: Parts): Controller => ({
  name: 'endpoints-controller',
  feature: 'endpoints-controller',
  resource: 'core/services',
  sources: [
    {
      resource: 'core/pods',
      // A pod that loses its labels concerns the Services that selected it before.
      concerned: async ({ metadata }) =>
        (await parts.services.list(metadata.namespace)).entries
          .filter(({ value }) => part<ObjectOf<'ServiceSpec'>>(value, 'spec').selector !== undefined)
          .map(({ value }) => objectKeyIn(value)),
    },
  ],
  async reconcile(service) {
    const { selector, publishNotReadyAddresses = false } = part<ObjectOf<'ServiceSpec'>>(service, 'spec');
    if (selector === undefined || service.metadata.deletionTimestamp !== undefined) return undefined;
    const selects = matcherOf({ matchLabels: selector });
    const { entries } = await parts.pods.list(service.metadata.namespace);
    const addresses = entries.flatMap(({ value: pod }): Address[] => {
      const { podIP, podIPs = [] } = part<ObjectOf<'PodStatus'>>(pod, 'status');
      if (podIP === undefined || hasEnded(pod) || !selects(pod.metadata.labels)) return [];
      const ips = [...new Set([podIP, ...podIPs.flatMap(({ ip }) => ip ?? [])])];
      const leaves = pod.metadata.deletionTimestamp !== undefined;
      return [{ pod, ips, leaves, ready: (isReady(pod) && !leaves) || publishNotReadyAddresses }];
    });
    const staying = addresses.filter(({ leaves }) => !leaves);
    await write(parts.endpoints, service, endpointsOf(service, staying));
    if (parts.minor < sinceSlices) return undefined;
    const shown = parts.minor < sinceTermination ? staying : addresses;
    await writeSlices(ownerOf(service), groupsOf(service, shown, parts.minor), parts.slices);
    return undefined;
  },
  async forget(service) {
    const key = objectKeyIn(service);
    // Another one may have its name by now.
    if ((await parts.services.find(key)) !== undefined) return;
    await parts.endpoints.delete(key, { dryRun: false }).catch(unless(404, 409));
  },
});

/** Since these versions, servers have slices, and slices have pods that are on their way out. */
const [sinceSlices, sinceTermination] = [17, 22];

/** Creates an object, or replaces all but its metadata. */
async function write(store: Parts['endpoints'], { metadata }: KubeObject, desired: DecodedObject): Promise<void> {
  const key = { namespace: metadata.namespace, name: metadata.name ?? '' };
  const { metadata: own, ...rest } = desired;
  if ((await store.find(key)) === undefined) {
    await store.create(metadata.namespace, desired).catch(unless(403, 404, 409));
    return;
  }
  const changed = (current: KubeObject): KubeObject => {
    const { annotations: before = {}, ...metadata } = current.metadata;
    const labels = { ...metadata.labels, ...own.labels };
    const { [overCapacity]: _before, ...others } = before;
    const annotations = { ...others, ...own.annotations };
    const next = {
      ...rest,
      metadata: { ...metadata, labels, ...(Object.keys(annotations).length > 0 && { annotations }) },
    };
    return equal(next, current) ? current : next;
  };
  await store.updateInternally(key, changed).catch(unlessGone);
}

/** The number of a port on a pod: a name means a port of a container. Undefined if the pod has no such port. */
function portOn(pod: KubeObject, { targetPort, port }: ObjectOf<'ServicePort'>): number | undefined {
  if (typeof targetPort !== 'string') return targetPort || port;
  const ports = part<ObjectOf<'PodSpec'>>(pod, 'spec').containers?.flatMap((container) => container.ports ?? []) ?? [];
  return ports.find(({ name }) => name === targetPort)?.containerPort;
}

const targetOf = ({ metadata: { namespace = '', name = '', uid = '' } }: KubeObject) => ({
  ...{ kind: 'Pod', namespace, name, uid },
});

/** The ports of a Service on a pod; undefined if the pod has none of them. */
function portsOn(pod: KubeObject, service: KubeObject) {
  const { ports = [] } = part<ObjectOf<'ServiceSpec'>>(service, 'spec');
  const numbers = ports.flatMap((port) => {
    const number = portOn(pod, port);
    const { name, protocol = 'TCP', appProtocol } = port;
    return number === undefined ? [] : [{ name, port: number, protocol, ...(appProtocol && { appProtocol }) }];
  });
  return numbers.length === 0 && ports.length > 0 ? undefined : numbers;
}

/** The host name by which a Service finds its pod. */
function hostnameIn(service: KubeObject, pod: KubeObject): { readonly hostname?: string } {
  const { hostname, subdomain } = part<ObjectOf<'PodSpec'>>(pod, 'spec');
  return hostname && subdomain === service.metadata.name ? { hostname } : {};
}

const nodeIn = (pod: KubeObject): { readonly nodeName?: string } => {
  const { nodeName } = part<ObjectOf<'PodSpec'>>(pod, 'spec');
  return nodeName ? { nodeName } : {};
};

/** The family of the first address of a Service, and all of its families. */
function familiesOf(service: KubeObject): readonly EndpointGroup['addressType'][] {
  const { ipFamilies = [], clusterIP = '' } = part<ObjectOf<'ServiceSpec'>>(service, 'spec');
  const known = ipFamilies.filter((family) => family === 'IPv4' || family === 'IPv6');
  return known.length > 0 ? (known as EndpointGroup['addressType'][]) : [familyOf(clusterIP)];
}

function endpointsOf(service: KubeObject, addresses: readonly Address[]): DecodedObject {
  const [family] = familiesOf(service);
  // Pods whose named ports have the same numbers share a subset.
  const subsets = new Map<string, { numbers: object[]; ready: object[]; notReady: object[] }>();
  // Those that are not ready go first, if there are too many.
  const ordered = [...addresses].sort((one, other) => Number(other.ready) - Number(one.ready));
  for (const { pod, ips, ready } of ordered.slice(0, mostAddresses)) {
    const ip = ips.find((each) => familyOf(each) === family);
    const numbers = portsOn(pod, service)?.map(({ name, ...port }) => ({ ...(name && { name }), ...port }));
    if (ip === undefined || numbers === undefined) continue;
    const id = JSON.stringify(numbers);
    const subset = subsets.get(id) ?? { numbers, ready: [], notReady: [] };
    const address = { ip, ...hostnameIn(service, pod), ...nodeIn(pod), targetRef: targetOf(pod) };
    (ready ? subset.ready : subset.notReady).push(address);
    subsets.set(id, subset);
  }
  const isOver = addresses.length > mostAddresses;
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name: service.metadata.name ?? '',
      labels: { ...service.metadata.labels },
      ...(isOver && { annotations: { [overCapacity]: 'truncated' } }),
    },
    subsets: [...subsets.values()].map(({ numbers, ready, notReady }) => ({
      ...(ready.length > 0 && { addresses: ready }),
      ...(notReady.length > 0 && { notReadyAddresses: notReady }),
      ...(numbers.length > 0 && { ports: numbers }),
    })),
  };
}

const ownerOf = (service: KubeObject): SliceOwner => ({
  name: service.metadata.name ?? '',
  namespace: service.metadata.namespace,
  managedBy: 'endpointslice-controller.k8s.io',
  most: mostEndpoints,
  labels: {
    ...service.metadata.labels,
    ...(part<ObjectOf<'ServiceSpec'>>(service, 'spec').clusterIP === 'None' && {
      'service.kubernetes.io/headless': '',
    }),
  },
  reference: referenceTo(service, 'v1', 'Service'),
});

/** The endpoints of a Service, for each family and the ports that pods have. Without any, a family has an empty group. */
function groupsOf(service: KubeObject, addresses: readonly Address[], minor: number): readonly EndpointGroup[] {
  return familiesOf(service).flatMap((addressType) => {
    const groups = new Map<string, EndpointGroup & { readonly endpoints: Endpoint[] }>();
    for (const { pod, ips, ready, leaves } of addresses) {
      const own = ips.filter((ip) => familyOf(ip) === addressType);
      const numbers = portsOn(pod, service)?.map(({ name = '', ...port }) => ({ name, ...port }));
      if (own.length === 0 || numbers === undefined) continue;
      const key = JSON.stringify(numbers);
      const group = groups.get(key) ?? { addressType, ports: numbers, endpoints: [] };
      groups.set(key, group);
      group.endpoints.push({
        addresses: own,
        conditions: { ready, ...(minor >= sinceTermination && { serving: isReady(pod), terminating: leaves }) },
        targetRef: targetOf(pod),
        ...hostnameIn(service, pod),
        ...nodeIn(pod),
      });
    }
    return groups.size > 0 ? [...groups.values()] : [{ addressType, ports: [], endpoints: [] }];
  });
}
