// Tests each kind of access in a kubeconfig against a server with this kind of access.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startFullServer } from '../../reference-server/later/index.js';
import { Client } from '../../suites/index.js';
import { makeScriptCertificates, makeServerCertificates } from '../../test-certs/index.js';
import { UsageError } from '../errors.js';
import { resolveTarget, type TargetOptions } from '../target/target.js';
import { endRenewals } from './renewal.js';

const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
const tokens = ['one', 'two'].map((token) => ({
  token: `token-${token}`,
  user: { name: token, groups: ['system:masters'] },
}));
const server = await startFullServer({ tokens, basePath: '/k8s/c1' });
const ca = file('ca.crt', server.caCertificate);
afterAll(async () => {
  endRenewals();
  await server.close();
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o700 });
  return path;
}

/** Returns the text of a kubeconfig as JSON, which is valid YAML. */
function configOf(cluster: object, user: object, name = 'a'): string {
  return JSON.stringify({
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server: server.url, ...cluster } }],
    users: [{ name, user }],
  });
}

const trusted = { 'certificate-authority': 'ca.crt' };
const known = { token: 'token-one' };

/** Returns the user that the server authenticates. */
async function userOf(options: TargetOptions): Promise<string> {
  const client = new Client(resolveTarget(options));
  try {
    return await whoAmI(client);
  } finally {
    await client.close();
  }
}

async function whoAmI(client: Client): Promise<string> {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const headers = { 'content-type': 'application/json' };
  const reply = await client.send({ method: 'POST', path, headers, body: '{}' });
  const { status } = reply.tryValue() as { status?: { userInfo?: { username?: string } } };
  return status?.userInfo?.username ?? `${reply.status}`;
}

const with_ = (cluster: object, user: object = known): Promise<string> =>
  userOf({ kubeconfig: file('config', configOf(cluster, user)) });

/** Starts a proxy. Returns it with a list of its opened tunnels. */
async function startProxy(listener: Server, authorization?: string) {
  const opened: string[] = [];
  listener.on('connect', (request: IncomingMessage, socket: Socket) => {
    if (request.headers['proxy-authorization'] !== authorization) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    opened.push(request.url ?? '');
    const far = connect(server.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.pipe(socket);
      socket.pipe(far);
    });
    const end = (): void => {
      far.destroy();
      socket.destroy();
    };
    far.on('error', end).on('close', end);
    socket.on('error', end).on('close', end);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return { port, opened, close: () => void listener.close() };
}

describe('a kubeconfig', () => {
  it('leads to a server below a path', async () => {
    expect(await with_(trusted)).toBe('one');
  });

  it.each([
    ['the server has no scheme', { ...trusted, server: server.url.replace('https://', '') }, known],
    ['its certificate is not verified', { 'insecure-skip-tls-verify': true }, known],
    [
      'authority in the file',
      { 'certificate-authority-data': Buffer.from(server.caCertificate).toString('base64') },
      known,
    ],
    ['tokenFile', trusted, { tokenFile: file('token', 'token-one\n') }],
    ['tokenFile before token', trusted, { token: 'token-two', tokenFile: 'token' }],
    ['an absolute path', { 'certificate-authority': ca }, known],
  ])('is used: %s', async (_, cluster, user) => {
    expect(await with_(cluster, user)).toBe('one');
  });

  it('sets the server name of the certificate', async () => {
    const made = await makeScriptCertificates('api.example');
    await using other = await startFullServer({ tokens, tls: { ...made.server, ca: made.ca.certificate } });
    const cluster = { server: other.url, 'certificate-authority': file('other.crt', made.ca.certificate) };
    await expect(with_(cluster)).rejects.toThrow(/altnames|does not match/);
    expect(await with_({ ...cluster, 'tls-server-name': 'api.example' })).toBe('one');
    await expect(with_({ ...cluster, 'tls-server-name': 'other.example' })).rejects.toThrow(/altnames/);
    const flags = { url: other.url, ca: file('other.crt', made.ca.certificate), token: 'token-two' };
    expect(await userOf({ ...flags, tlsServerName: 'api.example' })).toBe('two');
    expect(await userOf({ url: other.url, token: 'token-two', insecure: true })).toBe('two');
  });

  it('names a proxy, of HTTP or HTTPS, with or without a password', async () => {
    const plain = await startProxy(createServer());
    expect(await with_({ ...trusted, 'proxy-url': `http://127.0.0.1:${plain.port}` })).toBe('one');
    expect(plain.opened).toEqual([`127.0.0.1:${server.port}`]);
    plain.close();
    const asking = await startProxy(createServer(), `Basic ${btoa('me:it is')}`);
    expect(await with_({ ...trusted, 'proxy-url': `http://me:it%20is@127.0.0.1:${asking.port}` })).toBe('one');
    await expect(with_({ ...trusted, 'proxy-url': `http://127.0.0.1:${asking.port}` })).rejects.toThrow('no answer');
    asking.close();
    const made = await makeServerCertificates('127.0.0.1');
    const secure = await startProxy(createSecureServer({ cert: made.server.certificate, key: made.server.key }));
    const hidden = `https://127.0.0.1:${secure.port}`;
    await expect(with_({ ...trusted, 'proxy-url': hidden })).rejects.toThrow('no answer');
    secure.close();
  });

  it('uses the proxy for streams and upgrades too', async () => {
    const proxy = await startProxy(createServer());
    const cluster = { ...trusted, 'proxy-url': `http://127.0.0.1:${proxy.port}` };
    const client = new Client(resolveTarget({ kubeconfig: file('config', configOf(cluster, known)) }));
    const path = '/api/v1/namespaces?watch=true&timeoutSeconds=1';
    expect(await client.stream({ method: 'GET', path }, async ({ status }) => status)).toBe(200);
    expect(await client.webSocket({ path }, async (opened) => 'received' in opened)).toBe(true);
    const exec = '/api/v1/namespaces/default/pods/none/exec?command=a';
    const refusal = await client.spdy(
      { method: 'POST', path: exec, protocols: ['v4.channel.k8s.io'] },
      async (opened) => ('status' in opened ? opened.status : 101),
    );
    expect(refusal).toBe(404);
    const urls = client.takeExchanges().map(({ request }) => request.url);
    expect(urls).toEqual([`${server.url}${path}`, `${server.url}${path}`, `${server.url}${exec}`]);
    expect(proxy.opened.length).toBeGreaterThanOrEqual(3);
    await client.close();
    proxy.close();
  });

  it('runs a plugin with its input, and again when its credential expires', async () => {
    const plugin = file(
      'plugin.mjs',
      `import { readFileSync, writeFileSync } from 'node:fs';
const { apiVersion, spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
const [, , state] = process.argv;
let count = 0;
try { count = Number(readFileSync(state, 'utf8')); } catch {}
writeFileSync(state, String(count + 1));
const isRight = spec.interactive === false && spec.cluster.server === process.env.SERVER && spec.cluster.config.audience === 'me';
const token = isRight ? ['token-one', 'token-two'][Math.min(count, 1)] : 'wrong';
const expirationTimestamp = new Date(Date.now() + (count === 0 ? 2000 : 3600000)).toISOString();
console.log(JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token, expirationTimestamp } }));
`,
    );
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: [plugin, join(folder, 'state')],
      env: [{ name: 'SERVER', value: server.url }],
      provideClusterInfo: true,
      interactiveMode: 'IfAvailable',
    };
    const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'me' } }];
    const target = resolveTarget({ kubeconfig: file('config', configOf({ ...trusted, extensions }, { exec })) });
    expect(JSON.stringify(target)).not.toContain('token-one');
    const client = new Client(target);
    expect(await whoAmI(client)).toBe('one');
    await expect.poll(() => whoAmI(client), { interval: 200 }).toBe('two');
    expect((await client.send({ method: 'GET', path: '/api/v1', as: 'none' })).status).toBe(401);
    expect(client.redactor.redact('a token-two b')).toBe('a <redacted> b');
    await client.close();
  });

  it('may be several files: the first value counts', async () => {
    mkdirSync(join(folder, 'inner'), { recursive: true });
    file('inner/ca.crt', server.caCertificate);
    const first = file(
      'inner/first',
      JSON.stringify({ clusters: [{ name: 'a', cluster: { server: server.url, ...trusted } }] }),
    );
    const second = file('second', configOf({ server: 'https://127.0.0.1:1' }, known));
    const third = file('third', configOf(trusted, { token: 'token-two' }, 'b'));
    const list = ['', join(folder, 'absent'), first, second, third].join(':');
    expect(await userOf({ kubeconfig: list })).toBe('one');
    expect(await userOf({ kubeconfig: list, context: 'b' })).toBe('two');
  });

  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'sh' };
  const says = (text: string) => ({ exec: { ...exec, args: ['-c', `printf '%s' '${text}'`] } });

  it.each<[string, object, object, string]>([
    ['impersonation', {}, { ...known, as: 'x' }, 'user: as: impersonation is not supported'],
    ['impersonation of groups', {}, { ...known, 'as-groups': ['x'] }, 'as-groups: impersonation is not supported'],
    ['an auth provider', {}, { 'auth-provider': { name: 'gcp' } }, 'auth-provider: removed from Kubernetes'],
    [
      'an unknown field',
      {},
      { tokenfile: 'x' },
      'user: unknown field tokenfile; did you mean tokenFile? Known are client-certificate,',
    ],
    ['an unknown field of the cluster', { proxy: 'x' }, known, 'cluster: unknown field proxy;'],
    ['a socks proxy', { 'proxy-url': 'socks5://127.0.0.1:1' }, known, 'proxy-url: socks5:// proxies are not supported'],
    ['a proxy that is not a URL', { 'proxy-url': 'here' }, known, 'proxy-url: here is not a URL'],
    ['an authority that does not count', { ...trusted, 'insecure-skip-tls-verify': true }, known, 'contradict'],
    ['a token file that is not there', {}, { tokenFile: 'nowhere' }, 'tokenFile: cannot read'],
    ['data that is not base64', { 'certificate-authority-data': '!!!' }, {}, 'certificate-authority-data: not base64'],
    ['PEM in place of base64', {}, { 'client-key-data': '-----BEGIN' }, 'client-key-data: not base64'],
    ['half a pair', {}, { 'client-key-data': 'YQ==' }, 'client-certificate and client-key go together'],
    [
      'a plugin that is not there',
      {},
      { exec: { ...exec, command: 'no-such-plugin', installHint: 'get it\nthere' } },
      'cannot be run (ENOENT); get it there',
    ],
    ['a plugin that fails', {}, { exec: { ...exec, args: ['-c', 'echo no >&2; exit 3'] } }, 'exited with 3: no'],
    ['a plugin that says nothing', {}, says(''), 'the output is not JSON'],
    [
      'a plugin that says something else',
      {},
      says('{}'),
      'the output is not an ExecCredential of client.authentication.k8s.io/v1',
    ],
    [
      'a plugin that gives nothing',
      {},
      says('{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential"}'),
      'neither a token nor a certificate',
    ],
    [
      'a plugin of an old version',
      {},
      { exec: { ...exec, apiVersion: 'client.authentication.k8s.io/v1alpha1' } },
      'plugins speak client',
    ],
    ['a plugin that asks', {}, { exec: { ...exec, interactiveMode: 'Always' } }, 'interactiveMode Always needs a user'],
    ['an unknown field of a plugin', {}, { exec: { ...exec, arguments: [] } }, 'exec: unknown field arguments'],
  ])('is refused in one line: %s', (_, cluster, user, message) => {
    const resolve = () => resolveTarget({ kubeconfig: file('config', configOf(cluster, user)) });
    expect(resolve).toThrow(UsageError);
    expect(resolve).toThrow(message);
    expect(resolve).not.toThrow(/\n/);
  });
});
