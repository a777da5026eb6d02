// The files that a kubelet gives a container for its network: /etc/hosts and /etc/resolv.conf.
import type { Pod } from '../api/types.js';
import { clusterDomain } from '../network/clusterNames.js';
import { clusterNameServer } from '../programs/resolver.js';
import { hostnameOf } from './environment.js';

/** Returns the text of /etc/hosts. */
export function hostsOf({ metadata, spec }: Pod, podIP: string): string {
  const hostname = hostnameOf({ metadata, spec });
  const domain = spec.subdomain && `${hostname}.${spec.subdomain}.${metadata.namespace}.svc.${clusterDomain}`;
  const own = spec.hostNetwork
    ? ['# Kubernetes-managed hosts file (host network).', '127.0.0.1\tlocalhost']
    : [
        '# Kubernetes-managed hosts file.',
        '127.0.0.1\tlocalhost',
        '::1\tlocalhost ip6-localhost ip6-loopback',
        'fe00::0\tip6-localnet',
        'fe00::0\tip6-mcastprefix',
        'fe00::1\tip6-allnodes',
        'fe00::2\tip6-allrouters',
        [podIP, ...(domain ? [domain] : []), hostname].join('\t'),
      ];
  const aliases = (spec.hostAliases ?? []).map(({ ip, hostnames = [] }) => [ip, ...hostnames].join('\t'));
  const added = aliases.length === 0 ? [] : ['', '# Entries added by HostAliases.', ...aliases];
  return `${[...own, ...added].join('\n')}\n`;
}

/**
 * Returns the text of /etc/resolv.conf: for the DNS of the cluster, or for that of the node, which has none; and what the
 * pod adds.
 */
export function resolverOf({ metadata, spec }: Pod): string {
  const { dnsPolicy = 'ClusterFirst', hostNetwork = false, dnsConfig = {} } = spec;
  const isOfCluster = dnsPolicy === 'ClusterFirstWithHostNet' || (dnsPolicy === 'ClusterFirst' && !hostNetwork);
  const service = `svc.${clusterDomain}`;
  const searches = isOfCluster ? [`${metadata.namespace}.${service}`, service, clusterDomain] : [];
  const options = new Map(isOfCluster ? [['ndots', '5']] : []);
  for (const { name = '', value = '' } of dnsConfig.options ?? []) options.set(name, value);
  const servers = new Set([...(isOfCluster ? [clusterNameServer] : []), ...(dnsConfig.nameservers ?? [])]);
  const search = [...new Set([...searches, ...(dnsConfig.searches ?? [])])];
  return [
    ...[...servers].map((server) => `nameserver ${server}\n`),
    ...(search.length > 0 ? [`search ${search.join(' ')}\n`] : []),
    ...(options.size > 0
      ? [`options ${[...options].map(([name, value]) => (value ? `${name}:${value}` : name)).join(' ')}\n`]
      : []),
  ].join('');
}
