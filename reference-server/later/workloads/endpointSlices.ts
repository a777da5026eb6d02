// The EndpointSlices of a Service or of Endpoints: at most so many endpoints in each, and as few changes as possible.
import { typeOf } from '../../../matrix/api/modern/index.js';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Store } from '../../registry/store.js';
import { decodeValue } from '../../schema/decode.js';
import { type DecodedObject, equal, type KubeObject, objectKeyIn } from '../../schema/object.js';
import { unless, unlessGone } from '../../statusError.js';
import { doAll } from '../../turns.js';

export type Endpoint = ObjectOf<'discovery.v1.Endpoint'>;
type EndpointPort = ObjectOf<'discovery.v1.EndpointPort'>;

/** Endpoints with the same ports and the same family of addresses. */
export interface EndpointGroup {
  readonly addressType: 'IPv4' | 'IPv6';
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** Whose slices they are. */
export interface SliceOwner {
  /** The name of the Service, and the namespace. */
  readonly name: string;
  readonly namespace: string | undefined;
  readonly managedBy: string;
  /** The most endpoints in a slice. */
  readonly most: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly reference?: ObjectOf<'OwnerReference'>;
}

export type SliceStore = Pick<Store, 'list' | 'create' | 'updateInternally' | 'delete'>;

const serviceLabel = 'kubernetes.io/service-name';
const managerLabel = 'endpointslice.kubernetes.io/managed-by';

type Slice = ObjectOf<'discovery.v1.EndpointSlice'> & KubeObject;

export const familyOf = (ip: string): EndpointGroup['addressType'] => (ip.includes(':') ? 'IPv6' : 'IPv4');

const idOf = ({ addresses = [], targetRef }: Endpoint): string => `${addresses.join()} ${targetRef?.uid ?? ''}`;

/** Ports that are the same have the same key, in any order. */
function keyOf({ addressType, ports = [] }: Pick<Slice, 'addressType' | 'ports'>): string {
  const parts = ports.map(({ name = '', protocol = 'TCP', port, appProtocol = '' }) =>
    [name, protocol, port, appProtocol].join(),
  );
  return [addressType, ...parts.sort()].join(' ');
}

/** Makes the slices of an owner hold the endpoints of the groups, and no others. */
export async function writeSlices(
  owner: SliceOwner,
  groups: readonly EndpointGroup[],
  store: SliceStore,
): Promise<void> {
  const present = await slicesOf(owner, store);
  const wanted = new Map(groups.map((group) => [keyOf(group), group]));
  const byKey = new Map<string, Slice[]>();
  for (const slice of present) {
    const key = keyOf(slice);
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, [slice]);
    else same.push(slice);
    if (!wanted.has(key)) await remove(slice, store);
  }
  for (const [key, group] of wanted) await fill(owner, group, byKey.get(key) ?? [], store);
}

async function slicesOf({ name, namespace, managedBy }: SliceOwner, store: SliceStore): Promise<readonly Slice[]> {
  const all = (await store.list(namespace)).entries.map(({ value }) => value as Slice);
  return all.filter(
    ({ metadata: { labels, deletionTimestamp } }) =>
      labels?.[serviceLabel] === name && labels[managerLabel] === managedBy && deletionTimestamp === undefined,
  );
}

const remove = (slice: KubeObject, store: SliceStore) =>
  store.delete(objectKeyIn(slice), { dryRun: false }).catch(unless(404, 409));

/** Endpoints stay in their slices. New ones go where there is room, then into new slices; an empty slice goes. */
async function fill(owner: SliceOwner, group: EndpointGroup, slices: readonly Slice[], store: SliceStore) {
  const missing = new Map(group.endpoints.map((endpoint) => [idOf(endpoint), endpoint]));
  const contents = slices.map((slice) => {
    const kept = (slice.endpoints ?? []).map(idOf).flatMap((id) => {
      const endpoint = missing.get(id);
      missing.delete(id);
      return endpoint ?? [];
    });
    return { slice, endpoints: kept.slice(0, owner.most) };
  });
  const rest = [...missing.values()];
  for (const { endpoints } of contents) endpoints.push(...rest.splice(0, owner.most - endpoints.length));
  const isEmpty = group.endpoints.length === 0;
  for (const [index, { slice, endpoints }] of contents.entries()) {
    if (endpoints.length === 0 && !(isEmpty && index === 0)) await remove(slice, store);
    else await change(slice, contentOf(owner, group, endpoints), store);
  }
  while (rest.length > 0 || (isEmpty && contents.length === 0)) {
    const content = contentOf(owner, group, rest.splice(0, owner.most));
    await store.create(owner.namespace, content).catch(unless(403, 404, 409));
    if (isEmpty) return;
  }
}

async function change(slice: Slice, content: DecodedObject, store: SliceStore): Promise<void> {
  const { labels, annotations, ownerReferences } = content.metadata;
  const changed = (current: KubeObject): KubeObject => {
    const { annotations: _before, ...metadata } = current.metadata;
    const own = { labels, ...(annotations && { annotations }), ...(ownerReferences && { ownerReferences }) };
    const next = { ...content, metadata: { ...metadata, ...own } } as KubeObject;
    return equal(next, current) ? current : next;
  };
  await store.updateInternally(objectKeyIn(slice), changed).catch(unlessGone);
}

function contentOf(
  { name, managedBy, labels, annotations, reference }: SliceOwner,
  { addressType, ports }: EndpointGroup,
  endpoints: readonly Endpoint[],
): DecodedObject {
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      // The server generates the name.
      ...{ generateName: `${name}-`, labels: { ...labels, [serviceLabel]: name, [managerLabel]: managedBy } },
      ...(annotations && Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
      ...(reference && { ownerReferences: [reference] }),
    },
    ...{ addressType, endpoints, ports },
  };
  return doAll(decodeValue(typeOf('discovery.v1.EndpointSlice'), slice)) as DecodedObject;
}
