// The EndpointSlices of Endpoints that clients write, for Services without a selector.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { referenceTo } from '../../controllers/claims.js';
import type { Controller } from '../../controllers/controller.js';
import type { Note } from '../../controllers/events.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import {
  type Endpoint,
  type EndpointGroup,
  familyOf,
  type SliceOwner,
  type SliceStore,
  writeSlices,
} from './endpointSlices.js';

interface Parts {
  readonly services: Pick<Store, 'find'>;
  readonly slices: SliceStore;
  readonly note: Note;
}

type Subset = ObjectOf<'EndpointSubset'>;
type Address = ObjectOf<'EndpointAddress'>;

const skipLabel = 'endpointslice.kubernetes.io/skip-mirror';
/** The annotation of Endpoints that are a lock. */
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';
/** What of the Endpoints is not for the slices. */
const ownAnnotations = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'endpoints.kubernetes.io/last-change-trigger-time',
];
/** The most addresses of a subset that are mirrored, and the most in a slice. */
const most = 1000;

export const endpointMirrors = (parts: Parts): Controller => ({
  name: 'endpointslicemirroring-controller',
  feature: 'endpoints-controller',
  resource: 'core/endpoints',
  sources: [{ resource: 'core/services', concerned: (service) => [objectKeyIn(service)] }],
  async reconcile(endpoints) {
    const isMirrored = await hasMirror(endpoints, parts);
    const { subsets = [] } = endpoints as { readonly subsets?: readonly Subset[] };
    await writeSlices(ownerOf(endpoints), isMirrored ? groupsOf(subsets) : [], parts.slices);
    const skipped = subsets.reduce((sum, subset) => sum + Math.max(0, addressesOf(subset).length - most), 0);
    if (isMirrored && skipped > 0) {
      const message = `A max of ${most} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
      const remark = { type: 'Warning', reason: 'TooManyAddressesToMirror', message } as const;
      await parts.note(endpoints, { apiVersion: 'v1', kind: 'Endpoints' }, remark);
    }
    return undefined;
  },
  async forget(endpoints) {
    await writeSlices(ownerOf(endpoints), [], parts.slices);
  },
});

async function hasMirror(endpoints: KubeObject, { services }: Parts): Promise<boolean> {
  const { labels, annotations = {}, deletionTimestamp } = endpoints.metadata;
  if (deletionTimestamp !== undefined || labels?.[skipLabel] === 'true') return false;
  if (Object.hasOwn(annotations, leaderAnnotation)) return false;
  const service = (await services.find(objectKeyIn(endpoints)))?.value;
  return service !== undefined && part<ObjectOf<'ServiceSpec'>>(service, 'spec').selector === undefined;
}

function ownerOf(endpoints: KubeObject): SliceOwner {
  const { name = '', namespace, labels, annotations = {} } = endpoints.metadata;
  const { [skipLabel]: _skip, ...others } = labels ?? {};
  const kept = Object.entries(annotations).filter(([key]) => !ownAnnotations.includes(key));
  return {
    ...{ name, namespace, most, labels: others, annotations: Object.fromEntries(kept) },
    managedBy: 'endpointslicemirroring-controller.k8s.io',
    reference: referenceTo(endpoints, 'v1', 'Endpoints'),
  };
}

const addressesOf = ({ addresses = [], notReadyAddresses = [] }: Subset) => [
  ...addresses.map((address) => ({ address, ready: true })),
  ...notReadyAddresses.map((address) => ({ address, ready: false })),
];

/** One group for each family of each list of ports. An address that several subsets have comes once. */
function groupsOf(subsets: readonly Subset[]): readonly EndpointGroup[] {
  const groups = new Map<string, EndpointGroup & { readonly endpoints: Endpoint[] }>();
  const seen = new Set<string>();
  for (const subset of subsets) {
    const ports = (subset.ports ?? []).map(({ name = '', ...port }) => ({ name, ...port }));
    for (const { address, ready } of addressesOf(subset).slice(0, most)) {
      const addressType = familyOf(address.ip ?? '');
      const key = JSON.stringify([addressType, ports]);
      const group = groups.get(key) ?? { addressType, ports, endpoints: [] };
      groups.set(key, group);
      if (seen.has(`${key} ${address.ip}`)) continue;
      seen.add(`${key} ${address.ip}`);
      group.endpoints.push(endpointOf(address, ready));
    }
  }
  return [...groups.values()];
}

function endpointOf({ ip = '', hostname, nodeName, targetRef }: Address, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname && { hostname }),
    ...(nodeName && { nodeName }),
    ...(targetRef && { targetRef }),
  };
}
