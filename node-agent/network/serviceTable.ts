// The services of the cluster: where connections to their addresses lead.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { ApiClient } from '../api/apiClient.js';
import type { OnError } from '../api/backoff.js';
import { listAndWatch } from '../api/listWatch.js';
import type { ApiObject } from '../api/types.js';
import { ClusterNames, type Endpoints, type Service } from './clusterNames.js';
import type { Transport } from './virtualNetwork.js';

type ServicePort = ObjectOf<'ServicePort'>;

export interface Target {
  readonly address: string;
  readonly port: number;
}

const keyOf = ({ metadata }: ApiObject): string => `${metadata.namespace}/${metadata.name}`;

/** The seconds that a client stays with an endpoint, by default. */
const usualAffinity = 10_800;

export class ServiceTable {
  readonly #services = new Map<string, Service>();
  readonly #endpoints = new Map<string, Endpoints>();
  readonly names = new ClusterNames(this.#services, this.#endpoints);
  /** How many connections each port of a service has had. */
  readonly #turns = new Map<string, number>();
  /** Where each client of a service with affinity went last, and when, in milliseconds. */
  readonly #last = new Map<string, Target & { readonly at: number }>();
  #following: Promise<void> | undefined;

  /** `nodes` are the addresses of the nodes. Nothing is read before `read`, nor after the signal. */
  constructor(
    readonly client: ApiClient,
    readonly nodes: ReadonlySet<string>,
    readonly signal: AbortSignal,
    readonly onError: OnError,
  ) {}

  /** Begins to follow the services. Resolves when they are known, or cannot be read. */
  read(): Promise<void> {
    this.#following ??= Promise.all([
      this.#follow('services', this.#services),
      this.#follow('endpoints', this.#endpoints),
    ]).then(() => {});
    return this.#following;
  }

  /**
   * Returns where a connection leads that a client opens: the same place, if it is none of a service. Returns undefined
   * for a service without ready endpoints.
   */
  route(address: string, port: number, client: string, transport: Transport): Target | undefined {
    for (const service of this.#services.values()) {
      const found = portAt(service, address, port, transport, this.nodes);
      if (found !== undefined) return this.#endpointFor(service, found, client);
    }
    return { address, port };
  }

  #follow<Kind extends ApiObject>(resource: string, known: Map<string, Kind>): Promise<void> {
    return new Promise((resolve) => {
      const handler = {
        replaced: (items: readonly Kind[]) => {
          known.clear();
          for (const item of items) known.set(keyOf(item), item);
          resolve();
        },
        updated: (item: Kind) => void known.set(keyOf(item), item),
        deleted: (item: Kind) => void known.delete(keyOf(item)),
      };
      const onError = (error: Error) => {
        this.onError(error);
        resolve();
      };
      void listAndWatch(this.client, { path: `/api/v1/${resource}` }, handler, this.signal, onError).then(resolve);
    });
  }

  #endpointFor(service: Service, port: ServicePort, client: string): Target | undefined {
    const key = keyOf(service);
    const targets = (this.#endpoints.get(key)?.subsets ?? []).flatMap(({ addresses = [], ports = [] }) => {
      const found = ports.find(({ name = '' }) => name === (port.name ?? ''));
      return found === undefined ? [] : addresses.map(({ ip }): Target => ({ address: ip, port: found.port }));
    });
    const { sessionAffinity, sessionAffinityConfig } = service.spec ?? {};
    const ofPort = `${key}:${port.port}/${port.protocol}`;
    const next = () => {
      const turn = this.#turns.get(ofPort) ?? 0;
      this.#turns.set(ofPort, turn + 1);
      return targets[turn % targets.length];
    };
    if (sessionAffinity !== 'ClientIP') return next();
    const ofClient = `${ofPort} ${client}`;
    const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? usualAffinity;
    const last = this.#last.get(ofClient);
    const isFresh = last !== undefined && performance.now() - last.at < seconds * 1000;
    const same = isFresh ? targets.find((each) => each.address === last.address && each.port === last.port) : undefined;
    const chosen = same ?? next();
    if (chosen !== undefined) this.#last.set(ofClient, { ...chosen, at: performance.now() });
    return chosen;
  }
}

/** Returns the port of a service at an address, if it is the service's. */
function portAt(
  { spec, status }: Service,
  address: string,
  port: number,
  transport: Transport,
  nodes: ReadonlySet<string>,
): ServicePort | undefined {
  const { clusterIP, clusterIPs = [], externalIPs = [], ports = [], type } = spec ?? {};
  if (type === 'ExternalName') return undefined;
  const own = ports.filter(({ protocol = 'TCP' }) => protocol.toLowerCase() === transport);
  const balanced = status?.loadBalancer?.ingress?.map(({ ip }) => ip) ?? [];
  const isOwn = [clusterIP, ...clusterIPs, ...externalIPs, ...balanced].includes(address);
  const found = isOwn ? own.find((each) => each.port === port) : undefined;
  return found ?? (nodes.has(address) ? own.find(({ nodePort }) => nodePort === port) : undefined);
}
