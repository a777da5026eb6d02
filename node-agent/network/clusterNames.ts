// The names of the cluster: the records that its DNS server has of services and pods.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { ApiObject } from '../api/types.js';

export type Service = ApiObject & ObjectOf<'Service'>;
export type Endpoints = ApiObject & ObjectOf<'Endpoints'>;
type EndpointAddress = ObjectOf<'EndpointAddress'>;

export type RecordType = 'A' | 'CNAME' | 'SRV' | 'PTR';

export interface DnsRecord {
  /** Without the dot at its end. */
  readonly name: string;
  readonly type: RecordType;
  /** An address, or text with whole names, each with the dot at its end. */
  readonly data: string;
}

/** The domain of the names of services and pods. */
export const clusterDomain = 'cluster.local';

/** The most external names that lead to one another. */
const mostAliases = 8;

/** A port of a service, with the addresses behind it. */
interface Subset {
  readonly addresses: readonly EndpointAddress[];
  readonly ports: readonly ObjectOf<'EndpointPort'>[];
}

export class ClusterNames {
  /** The keys are `NAMESPACE/NAME`. */
  constructor(
    readonly services: ReadonlyMap<string, Service>,
    readonly endpoints: ReadonlyMap<string, Endpoints>,
  ) {}

  /**
   * Returns the records that answer a question, with the aliases that lead to them; undefined if there is no such name.
   * The name has no dot at its end.
   */
  answer(name: string, type: RecordType): readonly DnsRecord[] | undefined {
    const found: DnsRecord[] = [];
    let at = name.toLowerCase();
    for (let aliases = 0; aliases <= mostAliases; aliases++) {
      const records = this.#recordsOf(at);
      if (records === undefined) return found.length > 0 ? found : undefined;
      const [alias] = records.filter((record) => record.type === 'CNAME');
      if (alias === undefined || type === 'CNAME') return [...found, ...records.filter((each) => each.type === type)];
      found.push(alias);
      at = alias.data.slice(0, -1).toLowerCase();
    }
    return found;
  }

  #recordsOf(name: string): readonly DnsRecord[] | undefined {
    const address = addressIn(/^((?:\d{1,3}\.){4})in-addr\.arpa$/.exec(name)?.[1]?.split('.').slice(0, 4).reverse());
    if (address !== undefined) return this.#reverse(name, address);
    const parts = name.split('.');
    const domain = clusterDomain.split('.');
    if (parts.slice(-domain.length).join('.') !== clusterDomain) return undefined;
    const [kind, namespace, ...before] = parts.slice(0, -domain.length).reverse();
    const records = (type: RecordType, data: readonly string[]) => data.map((each) => ({ name, type, data: each }));
    if (kind === 'pod' && before.length === 1) {
      const own = addressIn(before[0]?.split('-'));
      return own === undefined ? undefined : records('A', [own]);
    }
    const [serviceName = '', ...within] = before;
    const key = `${namespace}/${serviceName}`;
    const spec = this.services.get(key)?.spec;
    if (kind !== 'svc' || spec === undefined) return undefined;
    if (spec.type === 'ExternalName') {
      return within.length > 0 ? undefined : records('CNAME', [`${(spec.externalName ?? '').replace(/\.$/, '')}.`]);
    }
    const { clusterIP = 'None', clusterIPs = [clusterIP] } = spec;
    const isHeadless = clusterIP === 'None';
    if (within.length === 2) {
      const targets = isHeadless ? this.#endpointPorts(key, within) : servicePorts(spec, within);
      const whole = (target: string) => [target, serviceName, namespace, kind, clusterDomain].filter(Boolean).join('.');
      const data = targets.map(({ host, port }) => `0 ${Math.floor(100 / targets.length)} ${port} ${whole(host)}.`);
      return data.length > 0 ? records('SRV', data) : undefined;
    }
    const [hostname] = within;
    if (within.length > 1) return undefined;
    if (!isHeadless && hostname === undefined) return records('A', clusterIPs);
    const all = this.#subsets(key).flatMap(({ addresses }) => addresses);
    const wanted = hostname === undefined ? all : all.filter((each) => hostOf(each) === hostname);
    const found = records('A', [...new Set(wanted.map(({ ip }) => ip))]);
    return found.length > 0 || hostname === undefined ? found : undefined;
  }

  /** Returns the names of the service and of the endpoints that have an address. */
  #reverse(name: string, address: string): readonly DnsRecord[] | undefined {
    const found: DnsRecord[] = [];
    for (const [key, { metadata, spec }] of this.services) {
      const whole = `${metadata.name}.${metadata.namespace}.svc.${clusterDomain}.`;
      if (spec?.clusterIP === address) found.push({ name, type: 'PTR', data: whole });
      if (spec?.clusterIP !== 'None') continue;
      const own = this.#subsets(key).flatMap(({ addresses }) => addresses.filter(({ ip }) => ip === address));
      for (const each of own) found.push({ name, type: 'PTR', data: `${hostOf(each)}.${whole}` });
    }
    return found.length > 0 ? found : undefined;
  }

  #endpointPorts(key: string, within: readonly string[]) {
    return this.#subsets(key).flatMap(({ addresses, ports }) => {
      const found = ports.find((port) => isAsked(port, within));
      return found === undefined ? [] : addresses.map((each) => ({ host: hostOf(each), port: found.port }));
    });
  }

  #subsets(key: string): readonly Subset[] {
    const { subsets = [] } = this.endpoints.get(key) ?? {};
    return subsets.map(({ addresses = [], ports = [] }) => ({ addresses, ports }));
  }
}

const servicePorts = ({ ports = [] }: ObjectOf<'ServiceSpec'>, within: readonly string[]) =>
  ports.filter((port) => isAsked(port, within)).map(({ port }) => ({ host: '', port }));

/** Whether the labels before the name of a service, such as `_tcp` and `_http`, mean a port. */
const isAsked = (
  { name = '', protocol = 'TCP' }: { readonly name?: string; readonly protocol?: string },
  within: readonly string[],
): boolean => within[0] === `_${protocol.toLowerCase()}` && within[1] === `_${name}` && name !== '';

/** Endpoints without a hostname are called by their addresses. */
const hostOf = ({ hostname, ip }: EndpointAddress): string => hostname || ip.replaceAll('.', '-');

/** Returns the virtual address that four numbers make. */
const addressIn = (numbers: readonly string[] = []): string | undefined =>
  numbers.length === 4 && numbers[0] === '10' && numbers.every((each) => /^\d{1,3}$/.test(each))
    ? numbers.join('.')
    : undefined;
