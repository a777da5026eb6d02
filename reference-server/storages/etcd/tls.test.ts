// Tests the options of etcd: over TLS with client certificates, and each that cannot be used.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueCertificate } from '../../../test-certs/index.js';
import { ask } from '../../testing/standIn.js';
import { noEtcd, TestEtcd } from '../testing/etcd.js';
import { type ServerOptions, startServer } from '../testing/server.js';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'etcd-tls-'));
  const authority = await issueCertificate({ subject: { commonName: 'ca' }, usage: 'authority' });
  const names = ['IP:127.0.0.1'];
  const server = await issueCertificate({ subject: { commonName: 's' }, issuer: authority, names, usage: 'server' });
  const client = await issueCertificate({ subject: { commonName: 'c' }, issuer: authority, usage: 'client' });
  const stranger = await issueCertificate({ subject: { commonName: 'x' }, usage: 'authority' });
  writeFileSync(file('ca.crt'), authority.certificate);
  writeFileSync(file('stranger.crt'), stranger.certificate);
  for (const [name, { certificate, key }] of Object.entries({ server, client })) {
    writeFileSync(file(`${name}.crt`), certificate);
    writeFileSync(file(`${name}.key`), key);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string): string => join(folder, name);

describe.skipIf(noEtcd !== undefined)(`etcd over TLS${noEtcd === undefined ? '' : ` (${noEtcd})`}`, () => {
  let etcd: TestEtcd;
  beforeAll(async () => {
    const more = ['--cert-file', file('server.crt'), '--key-file', file('server.key')];
    more.push('--client-cert-auth', '--trusted-ca-file', file('ca.crt'));
    etcd = await TestEtcd.start({ scheme: 'https', more });
  });
  afterAll(() => etcd?.stop());

  test('a server with the authority and a client certificate stores objects', async () => {
    const options = {
      etcdServers: etcd.servers,
      etcdCafile: file('ca.crt'),
      etcdCertfile: file('client.crt'),
      etcdKeyfile: file('client.key'),
    };
    await using server = await startServer(options);
    const body = JSON.stringify({ metadata: { name: 'over-tls' } });
    expect((await ask(server, '/api/v1/namespaces', { method: 'POST', body })).status).toBe(200);
    await using other = await startServer(options);
    expect((await ask(other, '/api/v1/namespaces/over-tls')).status).toBe(200);
  });

  test.each([
    ['without a client certificate', () => ({ etcdCafile: file('ca.crt') })],
    ['with another authority', () => ({ etcdCafile: file('stranger.crt') })],
  ])('a server %s does not start', async (_, options) => {
    await expect(startServer({ etcdServers: etcd.servers, ...options() })).rejects.toThrow('no etcd responds');
  });
});

const servers = 'http://127.0.0.1:1';
test.each<[what: string, options: () => ServerOptions, message: string]>([
  ['no URL', () => ({ etcdServers: 'here' }), '--etcd-servers: "here" is not an address of etcd'],
  ['a path', () => ({ etcdServers: `${servers}/v3` }), '/v3" is not an address of etcd; give URLs like'],
  ...[
    'http://joe:hunter2@127.0.0.1:1',
    'http://:hunter2@127.0.0.1:1',
    'joe:hunter2@etcd',
    'http://joe:hunter2@a b',
  ].map((etcdServers): [string, () => ServerOptions, string] => [
    `a password in ${etcdServers}`,
    () => ({ etcdServers }),
    '--etcd-servers: a URL takes no user and password',
  ]),
  ['two schemes', () => ({ etcdServers: `${servers},https://127.0.0.1:2` }), 'some URLs have https and some http'],
  ['the whole etcd', () => ({ etcdServers: servers, etcdPrefix: '/' }), '--etcd-prefix: "/" is the whole etcd'],
  ['certificates over http', () => ({ etcdServers: servers, etcdCafile: 'ca' }), '--etcd-cafile requires https URLs'],
  [
    'a certificate without its key',
    () => ({ etcdServers: 'https://127.0.0.1:1', etcdCertfile: 'c' }),
    '--etcd-certfile and --etcd-keyfile belong together',
  ],
  [
    'a file that is not there',
    () => ({ etcdServers: 'https://127.0.0.1:1', etcdCafile: file('none') }),
    '--etcd-cafile: cannot read',
  ],
  [
    'a file that is not a certificate',
    () => ({ etcdServers: 'https://127.0.0.1:1', etcdCafile: file('client.key') }),
    '--etcd-servers: ',
  ],
  [
    'not a duration',
    () => ({ etcdServers: servers, etcdCompactionInterval: 'often' }),
    '--etcd-compaction-interval: "often"',
  ],
  [
    'a data directory too',
    () => ({ etcdServers: servers, dataDir: 'data' }),
    '--data-dir and --etcd-servers contradict',
  ],
  ['a prefix alone', () => ({ etcdPrefix: '/p' }), '--etcd-prefix requires --etcd-servers, which is missing'],
])('%s is refused', async (_, options, message) => {
  await expect(startServer(options())).rejects.toThrow(message);
});
