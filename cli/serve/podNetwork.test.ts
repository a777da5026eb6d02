// The network of pods on the simulated node of `serve`: services, names, and what containers find of them in their files.
import { beforeEach, describe, expect, it } from 'vitest';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { core, useServing } from '../testing/workloads.js';

const { sent, call, eventually } = useServing();
const [one, other] = ['server-1', 'server-2'];

/** Runs a script in a pod of its own, and returns what it writes. */
async function said(name: string, script: string, spec: object = {}): Promise<string> {
  const containers = [{ name: 'c', image: 'busybox', command: ['sh', '-c', script] }];
  await call('POST', `${core}/pods`, { metadata: { name }, spec: { restartPolicy: 'Never', containers, ...spec } });
  await eventually(`${core}/pods/${name}`, ({ status }) => status?.phase).toMatch(/Succeeded|Failed/);
  return (await sent('GET', `${core}/pods/${name}/log`)).text;
}
const service = (name: string, spec: object) =>
  call('POST', `${core}/services`, { metadata: { name }, spec: { selector: { app: 'server' }, ...spec } });
const ports = [{ name: 'http', port: 80, targetPort: 8080 }];

beforeEach(async () => {
  if ((await sent('GET', `${core}/pods/${one}`)).status === 200) return;
  for (const name of [one, other]) {
    const containers = [{ name: 'c', image: 'agnhost', args: ['netexec'] }];
    const spec = { containers, hostname: name, subdomain: 'headless' };
    await call('POST', `${core}/pods`, { metadata: { name, labels: { app: 'server' } }, spec });
  }
  await service('web', { ports });
  await service('sticky', { ports, sessionAffinity: 'ClientIP' });
  await service('headless', { ports: [{ port: 8080 }], clusterIP: 'None' });
  await service('outside', { ports, type: 'NodePort' });
  await service('empty', { ports, selector: { app: 'nobody' } });
  await service('alias', { type: 'ExternalName', externalName: 'web.default.svc.cluster.local', selector: undefined });
  await service('abroad', { type: 'ExternalName', externalName: 'example.com', selector: undefined });
  for (const name of ['web', 'sticky', 'headless', 'outside']) {
    await eventually(`${core}/endpoints/${name}`, ({ subsets }) => subsets?.[0]?.addresses?.length).toBe(2);
  }
});

describe('a port of the node', () => {
  it('leads to the pod that asks for it, at the address that it asks for', async () => {
    const host = async (name: string, port: object) => {
      const containers = [
        { name: 'c', image: 'agnhost', args: ['netexec'], ports: [{ containerPort: 8080, ...port }] },
      ];
      await call('POST', `${core}/pods`, { metadata: { name }, spec: { containers, hostname: name } });
      await eventually(`${core}/pods/${name}`, ({ status }) => status?.phase).toBe('Running');
    };
    await host('everywhere', { hostPort: 5001 });
    await host('loopback', { hostPort: 5002, hostIP: '127.0.0.1' });
    await host('address', { hostPort: 5002, hostIP: '10.250.0.1' });
    const udp = { hostPort: 5002, hostIP: '10.250.0.1', protocol: 'UDP', containerPort: 8081 };
    await host('datagrams', udp);
    const ask = (address: string) =>
      `curl -sS --interface 10.250.0.1 http://${address}/hostname 2>/dev/null; echo " $?"`;
    const script = [
      ...['10.250.0.1:5001', '127.0.0.1:5001', '10.250.0.1:5002', '127.0.0.1:5002', '10.250.0.1:5003'].map(ask),
      'echo hostname | nc -u -w 1 10.250.0.1 5002; echo',
      'nc -vuz -w 1 127.0.0.1 5002 2>/dev/null; echo $?',
    ].join('; ');
    const onHost = ['everywhere 0', 'everywhere 0', 'address 0', 'loopback 0', ' 7', 'datagrams', '1', ''].join('\n');
    expect(await said('on-host', script, { hostNetwork: true })).toBe(onHost);
    const inside = ['everywhere 0', ' 7', 'address 0', ' 7', ' 7', 'datagrams', '1', ''].join('\n');
    expect(await said('in-pod', script)).toBe(inside);
    await call('DELETE', `${core}/pods/everywhere?gracePeriodSeconds=0`);
    await expect.poll(async () => (await sent('GET', `${core}/pods/everywhere`)).status).toBe(404);
    expect(await said('after', ask('10.250.0.1:5001'))).toBe(' 7\n');
  });
});

describe('a service', () => {
  it.each(['web', 'web.default', 'web.default.svc', 'web.default.svc.cluster.local', '$WEB_SERVICE_HOST', 'alias'])(
    'leads to its pods in turn: %s',
    async (host) => {
      const script = `for i in 1 2 3 4; do curl -sS http://${host}/hostname; echo; done`;
      const lines = (await said(`asks-${host.toLowerCase().replace(/[^a-z]/g, '')}`, script)).trim().split('\n');
      expect(lines.sort()).toEqual([one, one, other, other]);
    },
  );

  it('with affinity leads a client to one pod', async () => {
    const lines = (await said('stays', 'for i in 1 2 3 4; do curl -sS sticky/hostname; echo; done')).trim().split('\n');
    expect(lines.length).toBe(4);
    expect(new Set(lines).size).toBe(1);
  });

  it('has a port on the nodes', async () => {
    const { spec } = await call('GET', `${core}/services/outside`);
    const script = `curl -sS http://10.250.0.1:${spec.ports[0].nodePort}/hostname`;
    expect(await said('from-node', script)).toMatch(/^server-[12]$/);
  });

  it('without a cluster address names its pods', async () => {
    const script = `curl -sS headless:8080/hostname; echo; curl -sS ${other}.headless:8080/hostname; echo; nslookup headless | tail -n +4`;
    const [any, its, ...rest] = (await said('names', script)).trim().split('\n');
    expect([any, its]).toEqual([expect.stringMatching(/^server-[12]$/), other]);
    expect(rest.filter((line) => line.startsWith('Address: 10.244.0.')).length).toBe(2);
  });

  it.each([
    ['empty', 'Failed to connect to empty port 80: Connection refused'],
    ['web:81', 'Failed to connect to web port 81: Connection refused'],
    ['abroad', 'Could not resolve host: abroad'],
    ['kubernetes:443', 'Failed to connect to kubernetes port 443: Connection refused'],
  ])('that leads nowhere is refused: %s', async (host, message) => {
    expect(await said(`fails-${host.replace(':', '-')}`, `curl -sS ${host}`)).toContain(message);
  });

  it('sees the address of its client, and its own by loopback', async () => {
    const { status } = await call('GET', `${core}/pods/${one}`);
    const text = await said('clients', `curl -sS http://${status.podIP}:8080/clientip`);
    const { status: own } = await call('GET', `${core}/pods/clients`);
    expect(text).toMatch(new RegExp(`^${own.podIP.replaceAll('.', '\\.')}:\\d+$`));
    const dialled = await said(
      'dials',
      `curl -sS "http://${status.podIP}:8080/dial?host=localhost&port=8080&request=hostname"`,
    );
    expect(dialled).toBe(`{"responses":["${one}"]}`);
  });
});

describe('the files of a container', () => {
  it('name the pod, and what its spec adds', async () => {
    const hostAliases = [
      { ip: '1.2.3.4', hostnames: ['a.example', 'b'] },
      { ip: '1.2.3.5', hostnames: ['c'] },
    ];
    const spec = { hostAliases, hostname: 'me', subdomain: 'sub' };
    const lines = (await said('hosts', 'cat /etc/hosts', spec)).split('\n');
    const { status } = await call('GET', `${core}/pods/hosts`);
    expect(lines.slice(0, 2)).toEqual(['# Kubernetes-managed hosts file.', '127.0.0.1\tlocalhost']);
    expect(lines.slice(-6)).toEqual([
      `${status.podIP}\tme.sub.default.svc.cluster.local\tme`,
      '',
      '# Entries added by HostAliases.',
      '1.2.3.4\ta.example\tb',
      '1.2.3.5\tc',
      '',
    ]);
  });

  const cluster =
    'nameserver 10.0.0.10\nsearch default.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n';
  it.each<[string, AnyShape, string]>([
    ['cluster', {}, cluster],
    ['node', { dnsPolicy: 'Default' }, ''],
    ['host', { hostNetwork: true }, ''],
    ['both', { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' }, cluster],
    [
      'none',
      {
        dnsPolicy: 'None',
        dnsConfig: {
          nameservers: ['1.1.1.1'],
          searches: ['x.y'],
          options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
        },
      },
      'nameserver 1.1.1.1\nsearch x.y\noptions ndots:2 edns0\n',
    ],
    [
      'more',
      {
        dnsConfig: {
          nameservers: ['1.1.1.1'],
          searches: ['x.y', 'cluster.local'],
          options: [{ name: 'ndots', value: '2' }],
        },
      },
      cluster.replace('\nsearch', '\nnameserver 1.1.1.1\nsearch').replace('\noptions ndots:5', ' x.y\noptions ndots:2'),
    ],
  ])('say where names are asked for: %s', async (name, spec, text) => {
    expect(await said(`resolver-${name}`, 'cat /etc/resolv.conf', spec)).toBe(text);
  });
});

it('guestbook: a replica has what its primary is told', async () => {
  for (const [name, args] of [
    ['agnhost-primary', []],
    ['agnhost-replica', ['--replicaof', 'agnhost-primary']],
  ] as const) {
    const containers = [{ name: 'c', image: 'agnhost', args: ['guestbook', '--http-port', '6379', ...args] }];
    await call('POST', `${core}/pods`, { metadata: { name, labels: { book: name } }, spec: { containers } });
    await service(name, { ports: [{ port: 6379 }], selector: { book: name } });
  }
  const get = 'curl -s "agnhost-replica:6379/get?key=k"';
  const set = 'curl -s "agnhost-primary:6379/set?key=k&value=told"';
  const script = `while ! ${get} | grep -q told; do ${set} > /dev/null; sleep 0.1; done; ${get}`;
  expect(await said('reader-of-book', script)).toBe('{"data":"told"}');
});
