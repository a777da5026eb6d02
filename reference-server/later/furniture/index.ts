// The furniture of a cluster: the objects that clients expect of any server, and that no client has made.
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Addon } from '../../addons.js';
import type { Feature } from '../../features/features.js';
import type { Registry } from '../../registry/registry.js';
import type { DecodedObject, KubeObject } from '../../schema/object.js';
import { reportError, unless } from '../../statusError.js';
import { eventExpiry } from './eventExpiry.js';
import { flowObjects } from './flowControl.js';
import { flowControllers } from './flowSchemas.js';
import { rootCaPublisher } from './rootCa.js';
import { systemPriorities } from './systemPriorities.js';

/** A piece: the feature without which it is absent, and the minor version since which servers have it. */
interface Piece {
  readonly feature: Feature;
  readonly since: number;
  /** As `group/plural`. */
  readonly resource: string;
  readonly object: DecodedObject;
  /** Whether the object stays as clients have changed it. */
  readonly isKept?: true;
}

const system = 'kube-system';
const service = 'kubernetes';
const ofApiserver = { component: 'apiserver', provider: 'kubernetes' };
const address = '10.0.0.1';
/** How soon the service comes back that a client has deleted, in milliseconds. */
const between = 10_000;

const nodeLeases: Piece = {
  feature: 'node-lease-namespace',
  since: 14,
  resource: 'core/namespaces',
  object: { metadata: { name: 'kube-node-lease' } },
  isKept: true,
};

/** The classes of the pods of the system. */
const priorityClasses = Object.entries(systemPriorities).map(
  ([name, { value, description }]): Piece => ({
    feature: 'system-priority-classes',
    since: 14,
    resource: 'scheduling.k8s.io/priorityclasses',
    object: { metadata: { name }, value, description, preemptionPolicy: 'PreemptLowerPriority' },
    isKept: true,
  }),
);

/** The levels and schemas by which servers share their time among clients. */
const flowPieces = flowObjects.map(
  (object): Piece => ({ feature: 'default-flow-control', since: 29, ...object, isKept: true }),
);

/** Since when the use of token Secrets is recorded: a controller-manager that cleans them up reads it. */
const tokenTracking = (now: Date): Piece => ({
  feature: 'token-tracking-configmap',
  since: 27,
  resource: 'core/configmaps',
  object: {
    metadata: { namespace: system, name: 'kube-apiserver-legacy-service-account-token-tracking' },
    data: { since: now.toISOString().slice(0, 10) },
  },
  isKept: true,
});

/** The addresses of services. */
const serviceCidr = (now: Date): Piece => ({
  feature: 'default-service-cidr',
  since: 33,
  resource: 'networking.k8s.io/servicecidrs',
  object: {
    metadata: { name: service },
    spec: { cidrs: ['10.0.0.0/16'] },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          lastTransitionTime: `${now.toISOString().slice(0, 19)}Z`,
          reason: '',
          message: 'Kubernetes default Service CIDR is ready',
        },
      ],
    },
  },
  isKept: true,
});

type Published = Readonly<Record<string, string>>;

/** What servers of extensions read: whom the server believes, and how it proves who it is. */
const authentication = (clientCa: string | undefined, published: Published): Piece => ({
  feature: 'authentication-configmap',
  since: 6,
  resource: 'core/configmaps',
  object: {
    metadata: { namespace: system, name: 'extension-apiserver-authentication' },
    ...((clientCa !== undefined || Object.keys(published).length > 0) && {
      data: { ...(clientCa !== undefined && { 'client-ca-file': clientCa }), ...published },
    }),
  },
});

/** For documentation: no machine has it. */
const nowhere = '192.0.2.1';

/** Returns the address in the endpoints, which may not be one of this machine alone: as real servers choose it. */
function advertised(host: string): string {
  if (isIP(host) !== 0 && !host.startsWith('127.') && host !== '::1') return host;
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? nowhere;
}

/** The service by which pods find the server, and where it is. */
function kubernetesService(host: string, port: number): readonly Piece[] {
  const metadata = { namespace: 'default', name: service };
  const isFamily6 = host.includes(':');
  const named = { name: 'https', protocol: 'TCP', port };
  const piece = (resource: string, since: number, object: DecodedObject): Piece => ({
    feature: 'kubernetes-service',
    since,
    resource,
    object,
  });
  return [
    piece('core/services', 0, {
      metadata: { ...metadata, labels: ofApiserver },
      spec: {
        clusterIP: address,
        ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
        type: 'ClusterIP',
        sessionAffinity: 'None',
      },
    }),
    piece('core/endpoints', 0, {
      metadata: { ...metadata, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: host }], ports: [named] }],
    }),
    piece('discovery.k8s.io/endpointslices', 17, {
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': service } },
      addressType: isFamily6 ? 'IPv6' : 'IPv4',
      endpoints: [{ addresses: [host], conditions: { ready: true } }],
      ports: [named],
    }),
  ];
}

const keyOf = ({ object: { metadata } }: Piece) => ({ namespace: metadata.namespace, name: metadata.name ?? '' });

const isThere = async (piece: Piece, registry: Pick<Registry, 'of'>): Promise<boolean> =>
  (await registry.of(piece.resource).find(keyOf(piece))) !== undefined;

/**
 * Stores a piece; one that says where the server is says so again at each start. Several servers of one storage may do so
 * at once. A service of a client may have the address of the service: then it gets another one.
 */
async function place(piece: Piece, registry: Pick<Registry, 'of'>): Promise<void> {
  const { resource, object, isKept } = piece;
  const store = registry.of(resource);
  const { metadata, ...content } = object;
  const key = keyOf(piece);
  const { clusterIP: _address, ...spec } = (content.spec ?? {}) as { readonly clusterIP?: string };
  const withoutAddress = { ...content, ...(content.spec !== undefined && { spec }) };
  if (await isThere(piece, registry)) {
    if (isKept) return;
    await store.updateInternally(key, (current) => ({
      ...current,
      ...withoutAddress,
      ...(content.spec !== undefined && { spec: { ...(current.spec as object), ...spec } }),
    }));
    return;
  }
  const create = (content: object) =>
    store.create(key.namespace, structuredClone({ metadata, ...content })).catch(unless(409, 422));
  await create(content);
  if (!(await isThere(piece, registry))) await create(withoutAddress);
  const { status } = content;
  if (status !== undefined)
    await store.updateInternally(key, (current) => ({ ...current, status }), { part: 'status' });
}

/** Puts back a level or a schema that a client has deleted, if it is one of those that every cluster has. */
async function restoreFlow({ metadata: { name } }: KubeObject, registry: Pick<Registry, 'of'>, of: string) {
  const piece = flowPieces.find(({ resource, object }) => resource === of && object.metadata.name === name);
  if (piece !== undefined && !(await isThere(piece, registry))) await place(piece, registry);
}

/** `published` returns what the servers of extensions have to know besides. */
export const furniture = (published: () => Published): Addon => ({
  partsOf: ({ ownRegistry, controllerRegistry, rootCa, minor, lacks, now }) => ({
    controllers: [
      eventExpiry(ownRegistry.of('core/events'), now),
      ...(minor < 20 || lacks('root-ca-configmap') || rootCa === ''
        ? []
        : [rootCaPublisher(controllerRegistry.of('core/configmaps'), rootCa)]),
      ...(minor < 29 || lacks('default-flow-control')
        ? []
        : flowControllers(ownRegistry, now, (gone, resource) => restoreFlow(gone, ownRegistry, resource))),
    ],
  }),
  serve({ cluster, options }) {
    const minor = Number(options.kubeVersion.split('.')[1]);
    let isOpen = true;
    let cancel = (): void => {};
    return {
      close() {
        isOpen = false;
        cancel();
      },
      async listening({ host, port, clientCa }) {
        if (cluster === undefined) return;
        const { ownRegistry, clock } = cluster;
        const isHere = (piece: Piece): boolean => minor >= piece.since && !options.lacks?.(piece.feature);
        const service = kubernetesService(advertised(host), port).filter(isHere);
        const others = [
          nodeLeases,
          authentication(clientCa, published()),
          ...priorityClasses,
          ...flowPieces,
          tokenTracking(cluster.now()),
          serviceCidr(cluster.now()),
        ];
        for (const piece of [...others.filter(isHere), ...service]) await place(piece, ownRegistry);
        // Other servers of the storage say where they are: only what is gone comes back.
        const restore = async (): Promise<void> => {
          for (const piece of service) if (!(await isThere(piece, ownRegistry))) await place(piece, ownRegistry);
        };
        const restoreLater = (): void => {
          const again = () => void restore().catch(reportError).then(restoreLater);
          // A test that moves the clock by a day need not wait for thousands of looks.
          if (isOpen) cancel = clock.after(between, again, 'background');
        };
        if (service.length > 0) restoreLater();
      },
    };
  },
});
