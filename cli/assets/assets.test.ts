// Starts the programs as envtest of controller-runtime starts them: the same flags, checks of health, users and signals.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get as getPlain } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../matrix/api/freePort.js';
import { startFullServer } from '../../reference-server/later/index.js';
import { WebhookServer } from '../../reference-server/later/testing/webhookServer.js';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { ask } from '../../reference-server/testing/standIn.js';
import { issueCertificate } from '../../test-certs/index.js';
import { runProgram } from '../testing/npm.js';
import { main } from '../testing/serving.js';

const folder = mkdtempSync(join(tmpdir(), 'assets-'));
const assets = join(folder, "it's here");
const certificates = join(folder, 'certificates');
const children: ChildProcess[] = [];
let webhooks: WebhookServer;
beforeAll(async () => {
  webhooks = await WebhookServer.start();
  const { code, stdout } = await runProgram(process.execPath, [main, 'assets', assets], folder);
  expect([code, stdout]).toEqual([0, `export KUBEBUILDER_ASSETS='${assets.replace("'", "'\\''")}'\n`]);
});
afterAll(async () => {
  await webhooks?.close();
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const helpOf = async (name: string) => (await runProgram(join(assets, name), ['--help'], folder)).stdout;

/** Starts a program; what it says goes to `said`. */
function start(name: string, words: readonly string[]) {
  const child = spawn(join(assets, name), words, { stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  const started = { child, said: '', ended: once(child, 'exit') };
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    started.said += part;
  });
  return started;
}

type Call = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ readonly code: number; readonly object: AnyShape }>;

/** Returns a function that sends requests with a client certificate, or without one, as the checks of health do. */
const clientOf =
  (port: number, credentials: { readonly cert?: string; readonly key?: string } = {}): Call =>
  async (method, path, body) => {
    const options = { method, rejectUnauthorized: false, agent: false, ...credentials };
    const sent = request(`https://127.0.0.1:${port}${path}`, {
      ...options,
      headers: { 'content-type': 'application/json' },
    });
    sent.end(body && JSON.stringify(body));
    const [response] = await once(sent, 'response');
    const answer = await text(response);
    return { code: response.statusCode, object: answer.startsWith('{') ? JSON.parse(answer) : {} };
  };

/** Makes what envtest makes before it starts kube-apiserver. Returns the certificates of two users. */
async function provision() {
  const subject = { commonName: 'envtest-environment' };
  const authority = await issueCertificate({ subject, usage: 'authority' });
  const serving = await issueCertificate({
    subject: { commonName: 'apiserver' },
    issuer: authority,
    usage: 'server',
    names: ['IP:127.0.0.1', 'DNS:localhost'],
  });
  const signer = await issueCertificate({ subject, usage: 'authority' });
  const clients = await issueCertificate({ subject, usage: 'authority' });
  mkdirSync(certificates, { recursive: true });
  const files = {
    'apiserver.crt': serving.certificate,
    'apiserver.key': serving.key,
    'sa-signer.crt': signer.certificate,
    'sa-signer.key': signer.key,
    'client-cert-auth-ca.crt': clients.certificate,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(certificates, name), content);
  const user = async (commonName: string, ...organizations: string[]) => {
    const { certificate, key } = await issueCertificate({
      subject: { commonName, organizations },
      issuer: clients,
      usage: 'client',
    });
    return { cert: certificate, key };
  };
  return { admin: await user('admin', 'system:masters'), jane: await user('jane', 'devs') };
}

describe('the programs of assets', () => {
  it('have the flags that envtest looks for, and not those of old servers', async () => {
    // The patterns are those of envtest.
    expect(await helpOf('etcd')).toMatch(/^\s*--unsafe-no-fsync\b/m);
    const help = await helpOf('kube-apiserver');
    expect(help).toMatch(/^\s*--client-ca-file\b/m);
    expect(help).not.toMatch(/^\s*--insecure-port\b/m);
  });

  it.each([[], ['--kube-version=1.30']])('report the version of the server with %j', async (...words) => {
    const { stdout } = await runProgram(join(assets, 'kube-apiserver'), ['--version', ...words], folder);
    await using server = await startFullServer(words.length === 0 ? {} : { kubeVersion: '1.30' });
    const { gitVersion } = JSON.parse((await ask(server, '/version')).text);
    expect(stdout).toBe(`Kubernetes ${gitVersion}\n`);
  });

  it('run a control plane of envtest from its start to its end', async () => {
    const users = await provision();
    const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
    const etcd = start('etcd', [
      `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
      `--data-dir=${folder}`,
      `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
      `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
      '--unsafe-no-fsync=true',
    ]);
    const etcdHealth = () =>
      new Promise((resolve) => {
        getPlain(`http://127.0.0.1:${etcdPort}/health`, { agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on('error', (error) => resolve(error.message));
      });
    await expect.poll(etcdHealth).toBe(200);
    const words = [
      '--allow-privileged=true',
      '--authorization-mode=RBAC',
      '--bind-address=127.0.0.1',
      `--cert-dir=${certificates}`,
      `--client-ca-file=${join(certificates, 'client-cert-auth-ca.crt')}`,
      '--disable-admission-plugins=ServiceAccount',
      `--etcd-servers=http://127.0.0.1:${etcdPort}`,
      `--secure-port=${port}`,
      `--service-account-issuer=https://127.0.0.1:${port}/`,
      `--service-account-key-file=${join(certificates, 'sa-signer.crt')}`,
      `--service-account-signing-key-file=${join(certificates, 'sa-signer.key')}`,
      '--service-cluster-ip-range=10.0.0.0/24',
    ];
    for (const round of ['first', 'second']) {
      const server = start('kube-apiserver', words);
      const anyone = clientOf(port);
      const health = (path: string) => anyone('GET', path).then(({ code }) => code, String);
      await expect.poll(() => health('/readyz')).toBe(200);
      expect(await health('/healthz')).toBe(200);
      expect(server.said).toContain(
        'no effect here: --allow-privileged, --service-account-issuer, --service-cluster-ip-range\n',
      );

      const [admin, jane] = [clientOf(port, users.admin), clientOf(port, users.jane)];
      const made = await admin('POST', '/api/v1/namespaces', { metadata: { name: round } });
      expect(made.code).toBeLessThan(300);
      const pods = `/api/v1/namespaces/${round}/pods`;
      expect(await jane('GET', pods)).toMatchObject({
        code: 403,
        object: { message: expect.stringContaining('User "jane"') },
      });
      const binding = {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'devs' }],
        metadata: { name: 'devs' },
      };
      const bindings = `/apis/rbac.authorization.k8s.io/v1/namespaces/${round}/rolebindings`;
      expect((await admin('POST', bindings, binding)).code).toBe(201);
      expect((await jane('GET', pods)).code).toBe(200);

      // There are no controllers, and no accounts are needed.
      const spec = { containers: [{ name: 'a', image: 'a' }] };
      const pod = await admin('POST', pods, { metadata: { name: 'a' }, spec });
      expect(pod.code).toBeLessThan(300);
      expect(pod.object.spec.serviceAccountName).toBeUndefined();
      expect((await admin('GET', `/api/v1/namespaces/${round}/serviceaccounts`)).object.items).toEqual([]);
      await admin('DELETE', `/api/v1/namespaces/${round}`);
      expect((await admin('GET', pods)).object.items).toHaveLength(1);
      expect((await admin('GET', `/api/v1/namespaces/${round}`)).object.status.phase).toBe('Terminating');

      // Test suites serve their webhooks on loopback.
      const clientConfig = webhooks.on('/no', () => ({ allowed: false, status: { message: `not in ${round}` } }));
      const webhook = {
        ...{ name: 'no.example.com', clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
      };
      const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
      await admin('POST', configurations, { metadata: { name: 'no' }, webhooks: [webhook] });
      expect(await admin('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'a' } })).toMatchObject({
        code: 400,
        object: { message: `admission webhook "no.example.com" denied the request: not in ${round}` },
      });

      const accounts = '/api/v1/namespaces/default/serviceaccounts';
      await admin('POST', accounts, { metadata: { name: 'robot' } });
      const token = await admin('POST', `${accounts}/robot/token`, { spec: {} });
      expect(token.object.status.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);

      server.child.kill('SIGTERM');
      expect(await server.ended).toEqual([0, null]);
    }
    etcd.child.kill('SIGTERM');
    expect(await etcd.ended).toEqual([0, null]);
  });

  it('make a certificate if the folder has none', async () => {
    const [etcdPort, port] = [await freePort(), await freePort()];
    const etcd = start('etcd', [`--listen-client-urls=http://127.0.0.1:${etcdPort}`]);
    await expect
      .poll(() => fetch(`http://127.0.0.1:${etcdPort}/readyz`).then(({ status }) => status, String))
      .toBe(200);
    const directory = join(folder, 'new', 'certificates');
    const words = ['--cert-dir', directory, '--secure-port', `${port}`, '--authorization-mode=Node,RBAC', '-v=4'];
    const server = start('kube-apiserver', [...words, `--etcd-servers=http://127.0.0.1:${etcdPort}`]);
    await expect.poll(() => clientOf(port)('GET', '/version').then(({ code }) => code, String)).toBe(200);
    expect(server.said).toContain('no effect here: --v\n');
    expect(existsSync(join(directory, 'apiserver.key'))).toBe(true);
    expect(readFileSync(join(directory, 'apiserver.crt'), 'utf8').match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    for (const { child, ended } of [server, etcd]) {
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
  });

  it.each([
    ['kube-apiserver', [], 'kube-apiserver: --etcd-servers is missing'],
    [
      'kube-apiserver',
      ['--authorization-mode=ABAC'],
      'kube-apiserver: --authorization-mode: "ABAC" is none of AlwaysAllow, Node, RBAC',
    ],
    [
      'kube-apiserver',
      ['--secure-port=x', '--etcd-servers=http://127.0.0.1:1'],
      'kube-apiserver: --port: "x" is not a port; give 0 to 65535',
    ],
    [
      'etcd',
      ['--listen-client-urls=https://127.0.0.1:1'],
      'etcd: --listen-client-urls: "https://127.0.0.1:1" is no http URL',
    ],
  ])('%s %j says what is wrong', async (name, words, message) => {
    const all = name === 'kube-apiserver' ? [`--cert-dir=${join(folder, 'wrong')}`, ...words] : words;
    expect(await runProgram(join(assets, name), all, folder)).toEqual({ code: 2, stdout: '', stderr: `${message}\n` });
  });
});
