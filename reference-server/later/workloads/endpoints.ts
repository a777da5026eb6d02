// Endpoints and EndpointSlices: the addresses of the pods that a Service selects.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Controller } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import { type DecodedObject, equal, type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import { matcherOf } from '../../selectors/labels.js';
import { unless, unlessGone } from '../../statusError.js';
import { isOver, isReady, referenceTo } from './pods.js';

interface Parts {
  readonly services: Pick<Store, 'list'>;
  readonly pods: Pick<Store, 'list'>;
  readonly endpoints: Pick<Store, 'find' | 'create' | 'updateInternally' | 'delete'>;
  readonly slices: Pick<Store, 'find' | 'create' | 'updateInternally' | 'delete'>;
}

interface Address {
  readonly pod: KubeObject;
  readonly ip: string;
  readonly ready: boolean;
}

const serviceLabel = 'kubernetes.io/service-name';

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
      const { podIP: ip } = part<ObjectOf<'PodStatus'>>(pod, 'status');
      if (ip === undefined || isOver(pod) || !selects(pod.metadata.labels)) return [];
      return [{ pod, ip, ready: isReady(pod) || publishNotReadyAddresses }];
    });
    await write(parts.endpoints, service, endpointsOf(service, addresses));
    await write(parts.slices, service, sliceOf(service, addresses));
    return undefined;
  },
  async forget({ metadata: { namespace, name = '' } }) {
    for (const store of [parts.endpoints, parts.slices]) {
      await store.delete({ namespace, name }, { dryRun: false }).catch(unless(404, 409));
    }
  },
});

/** Creates an object, or replaces all but its metadata. */
async function write(store: Parts['endpoints'], { metadata }: KubeObject, desired: DecodedObject): Promise<void> {
  const key = { namespace: metadata.namespace, name: metadata.name ?? '' };
  const { metadata: own, ...rest } = desired;
  if ((await store.find(key)) === undefined) {
    await store.create(metadata.namespace, desired).catch(unless(403, 404, 409));
    return;
  }
  const changed = (current: KubeObject): KubeObject => {
    const labels = { ...current.metadata.labels, ...own.labels };
    const next = { ...rest, metadata: { ...current.metadata, labels } };
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

const targetOf = ({ metadata: { namespace, name, uid } }: KubeObject) => ({ kind: 'Pod', namespace, name, uid });

function endpointsOf(service: KubeObject, addresses: readonly Address[]): DecodedObject {
  const { ports = [] } = part<ObjectOf<'ServiceSpec'>>(service, 'spec');
  // Pods whose named ports have the same numbers share a subset.
  const subsets = new Map<string, { numbers: object[]; ready: object[]; notReady: object[] }>();
  for (const { pod, ip, ready } of addresses) {
    const numbers = ports.flatMap((port) => {
      const number = portOn(pod, port);
      const { name, protocol = 'TCP' } = port;
      return number === undefined ? [] : [{ ...(name && { name }), port: number, protocol }];
    });
    if (numbers.length === 0 && ports.length > 0) continue;
    const id = JSON.stringify(numbers);
    const subset = subsets.get(id) ?? { numbers, ready: [], notReady: [] };
    const { nodeName, hostname } = part<ObjectOf<'PodSpec'>>(pod, 'spec');
    const address = { ip, ...(hostname && { hostname }), ...(nodeName && { nodeName }), targetRef: targetOf(pod) };
    (ready ? subset.ready : subset.notReady).push(address);
    subsets.set(id, subset);
  }
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: service.metadata.name ?? '', labels: { ...service.metadata.labels } },
    subsets: [...subsets.values()].map(({ numbers, ready, notReady }) => ({
      ...(ready.length > 0 && { addresses: ready }),
      ...(notReady.length > 0 && { notReadyAddresses: notReady }),
      ...(numbers.length > 0 && { ports: numbers }),
    })),
  };
}

function sliceOf(service: KubeObject, addresses: readonly Address[]): DecodedObject {
  const { ports = [] } = part<ObjectOf<'ServiceSpec'>>(service, 'spec');
  const { name = '', labels } = service.metadata;
  const [first] = addresses;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name,
      labels: { ...labels, [serviceLabel]: name, 'endpointslice.kubernetes.io/managed-by': 'endpoints-controller' },
      ownerReferences: [referenceTo(service, 'v1', 'Service')],
    },
    addressType: 'IPv4',
    endpoints: addresses.map(({ pod, ip, ready }) => {
      const { nodeName } = part<ObjectOf<'PodSpec'>>(pod, 'spec');
      const conditions = { ready, serving: ready, terminating: false };
      return { addresses: [ip], conditions, targetRef: targetOf(pod), ...(nodeName && { nodeName }) };
    }),
    ports: ports.flatMap((port) => {
      const number = first === undefined ? undefined : portOn(first.pod, port);
      return number === undefined ? [] : [{ name: port.name ?? '', port: number, protocol: port.protocol ?? 'TCP' }];
    }),
  };
}
