// Tests what the DNS server of the cluster answers.
import { expect, test } from 'vitest';
import { ClusterNames, type RecordType } from './clusterNames.js';

const ports = [
  { name: 'http', port: 80, protocol: 'TCP' },
  { name: 'dns', port: 53, protocol: 'UDP' },
];
const service = (name: string, spec: object) => [`ns/${name}`, { metadata: { namespace: 'ns', name }, spec }] as const;
const addresses = [{ ip: '10.244.0.5', hostname: 'one' }, { ip: '10.244.0.6' }];
const endpointPorts = [
  { name: 'http', port: 8080, protocol: 'TCP' },
  { name: 'dns', port: 5353, protocol: 'UDP' },
];
const names = new ClusterNames(
  new Map([
    service('web', { clusterIP: '10.0.0.7', ports }),
    service('bare', { clusterIP: 'None', ports }),
    service('alias', { type: 'ExternalName', externalName: 'web.ns.svc.cluster.local' }),
    service('far', { type: 'ExternalName', externalName: 'example.com.' }),
    service('round', { type: 'ExternalName', externalName: 'round.ns.svc.cluster.local' }),
  ]),
  new Map(
    ['web', 'bare'].map((name) => [
      `ns/${name}`,
      { metadata: { namespace: 'ns', name }, subsets: [{ addresses, ports: endpointPorts }] },
    ]),
  ),
);
const domain = 'ns.svc.cluster.local';

test.each<[string, RecordType, readonly string[] | undefined]>([
  [`web.${domain}`, 'A', ['10.0.0.7']],
  [`WEB.${domain}`, 'A', ['10.0.0.7']],
  [`web.${domain}`, 'CNAME', []],
  [`bare.${domain}`, 'A', ['10.244.0.5', '10.244.0.6']],
  [`one.bare.${domain}`, 'A', ['10.244.0.5']],
  [`10-244-0-6.bare.${domain}`, 'A', ['10.244.0.6']],
  [`two.bare.${domain}`, 'A', undefined],
  [`_http._tcp.web.${domain}`, 'SRV', [`0 100 80 web.${domain}.`]],
  [`_dns._udp.web.${domain}`, 'SRV', [`0 100 53 web.${domain}.`]],
  [`_dns._tcp.web.${domain}`, 'SRV', undefined],
  [`_http._tcp.bare.${domain}`, 'SRV', [`0 50 8080 one.bare.${domain}.`, `0 50 8080 10-244-0-6.bare.${domain}.`]],
  [`alias.${domain}`, 'CNAME', [`web.${domain}.`]],
  [`alias.${domain}`, 'A', [`web.${domain}.`, '10.0.0.7']],
  [`far.${domain}`, 'CNAME', ['example.com.']],
  [`far.${domain}`, 'A', ['example.com.']],
  [`round.${domain}`, 'A', Array.from({ length: 9 }, () => `round.${domain}.`)],
  ['7.0.0.10.in-addr.arpa', 'PTR', [`web.${domain}.`]],
  ['5.0.244.10.in-addr.arpa', 'PTR', [`one.bare.${domain}.`]],
  ['9.0.0.10.in-addr.arpa', 'PTR', undefined],
  ['10-244-0-9.ns.pod.cluster.local', 'A', ['10.244.0.9']],
  ['10-244-0.ns.pod.cluster.local', 'A', undefined],
  ['192-168-0-1.ns.pod.cluster.local', 'A', undefined],
  [`none.${domain}`, 'A', undefined],
  ['web.ns.svc', 'A', undefined],
])('%s %s', (name, type, expected) => {
  expect(names.answer(name, type)?.map(({ data }) => data)).toEqual(expected);
});
