// The columns of services, endpoints, ingresses and network policies.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { ageColumn, nameColumn, none, tableOf } from './column.js';
import { labelsText, selectorText, shortList } from './text.js';

/** Returns the addresses of a load balancer, sorted, each once. */
function addressesOf(balancer: ObjectOf<'LoadBalancerStatus'> | undefined): string {
  const addresses = (balancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
  return [...new Set(addresses.filter((address) => address !== ''))].sort().join(',');
}

function externalAddress({ spec, status }: ObjectOf<'Service'>): string {
  const { type = '', externalIPs = [], externalName = '' } = spec ?? {};
  if (type === 'ClusterIP' || type === 'NodePort') return externalIPs.join(',') || none;
  if (type === 'ExternalName') return externalName;
  if (type !== 'LoadBalancer') return '<unknown>';
  return (
    [addressesOf(status?.loadBalancer), ...externalIPs].filter((address) => address !== '').join(',') || '<pending>'
  );
}

export const serviceColumns = tableOf<ObjectOf<'Service'>>([
  nameColumn,
  { name: 'Type', description: 'How the service is reached.', cell: ({ spec }) => spec?.type ?? '' },
  {
    name: 'Cluster-IP',
    description: 'The address of the service within the cluster.',
    cell: ({ spec }) => spec?.clusterIPs?.[0] || spec?.clusterIP || none,
  },
  { name: 'External-IP', description: 'The addresses of the service outside the cluster.', cell: externalAddress },
  {
    name: 'Port(s)',
    description: 'The ports of the service, with the ports of the nodes after a colon.',
    cell: ({ spec }) =>
      (spec?.ports ?? [])
        .map(({ port = 0, nodePort = 0, protocol = '' }) => `${port}${nodePort > 0 ? `:${nodePort}` : ''}/${protocol}`)
        .join(',') || none,
  },
  ageColumn,
  {
    name: 'Selector',
    wide: true,
    description: 'The labels of the pods behind the service.',
    cell: ({ spec }) => labelsText(spec?.selector),
  },
]);

function endpointsText({ subsets = [] }: ObjectOf<'Endpoints'>): string {
  if (subsets.length === 0) return none;
  const all = subsets.flatMap(({ addresses = [], ports = [] }) => {
    if (ports.length === 0) return addresses.map(({ ip = '' }) => ip);
    return ports.flatMap(({ port = 0 }) =>
      addresses.map(({ ip = '' }) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`),
    );
  });
  return shortList(all);
}

export const endpointColumns = tableOf<ObjectOf<'Endpoints'>>([
  nameColumn,
  { name: 'Endpoints', description: 'The addresses and ports behind the service.', cell: endpointsText },
  ageColumn,
]);

function hostsText({ spec }: ObjectOf<'networking.v1.Ingress'>): string {
  const hosts = (spec?.rules ?? []).flatMap(({ host }) => (host ? [host] : []));
  return shortList(hosts) || '*';
}

export const ingressColumns = tableOf<ObjectOf<'networking.v1.Ingress'>>([
  nameColumn,
  {
    name: 'Class',
    description: 'The class of controllers that serve the ingress.',
    cell: ({ spec }) => spec?.ingressClassName ?? none,
  },
  { name: 'Hosts', description: 'The hosts of the rules.', cell: hostsText },
  {
    name: 'Address',
    description: 'The addresses at which the ingress is reached.',
    cell: ({ status }) => addressesOf(status?.loadBalancer),
  },
  {
    name: 'Ports',
    description: 'The ports at which the ingress is reached.',
    cell: ({ spec }) => ((spec?.tls ?? []).length > 0 ? '80, 443' : '80'),
  },
  ageColumn,
]);

export const networkPolicyColumns = tableOf<ObjectOf<'networking.v1.NetworkPolicy'>>([
  nameColumn,
  {
    name: 'Pod-Selector',
    description: 'The selector of the pods that the policy applies to.',
    cell: ({ spec }) => selectorText(spec?.podSelector),
  },
  ageColumn,
]);
