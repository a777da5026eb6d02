import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../matrix/api/freePort.js';
import { issueCertificate, makeServerCertificates } from '../../test-certs/index.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const running: { readonly child: ChildProcess; readonly exit: Promise<unknown> }[] = [];
let folder: string;
const inFolder = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'serve-'));
  const { ca, server } = await makeServerCertificates('127.0.0.1');
  await writeFile(inFolder('ca.crt'), ca.certificate);
  await writeFile(inFolder('server.crt'), server.certificate);
  await writeFile(inFolder('server.key'), server.key);
  await writeFile(inFolder('other.key'), ca.key);
  await writeFile(inFolder('tokens.csv'), 'tok-1,jane,u1,"dev,ops"\n');
  await writeFile(inFolder('bad.csv'), 'tok-1,jane,u1\ntok-2,joe\n');
});
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ exit }) => exit));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command until its first line, or its end. */
async function serve(...options: string[]) {
  const child = spawn(process.execPath, [main, 'serve', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    output.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output.err += chunk.toString();
  });
  const exit = once(child, 'close').then(([code]) => code as number | null);
  running.push({ child, exit });
  await Promise.race([once(child.stdout, 'data'), exit]);
  return { child, output, exit };
}

interface Kubeconfig {
  clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
  users: [{ user: { token?: string } }];
}

async function factsOf(file: string) {
  const [{ clusters, users }] = [load(await readFile(file, 'utf8')) as Kubeconfig];
  const { server, 'certificate-authority-data': data } = clusters[0].cluster;
  return { url: server, ca: Buffer.from(data, 'base64').toString(), token: users[0].user.token };
}

const status = (url: string, ca: string, token: string | undefined): Promise<number> =>
  statusWith(url, { ca, headers: { Authorization: `Bearer ${token}` } });

function statusWith(url: string, credentials: RequestOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/api/v1/namespaces/default`, { agent: false, ...credentials });
    asked.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    asked.on('error', reject).end();
  });
}

describe('serve', () => {
  it('prints one line when it is ready, after the kubeconfig is written', async () => {
    const file = inFolder('kubeconfig');
    const { child, output, exit } = await serve('--port', '0', '--write-kubeconfig', file);
    expect(existsSync(file)).toBe(true);
    const { url, ca, token } = await factsOf(file);
    expect(output.out).toBe(`serving ${url}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await status(url, ca, token)).toBe(200);
    expect(await status(url, ca, 'wrong')).toBe(401);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(output).toEqual({ out: `serving ${url}\n`, err: '' });
  });

  it('writes a kubeconfig of its own if it is given no place for one, and removes it', async () => {
    const { child, output, exit } = await serve('--port', '0');
    await expect.poll(() => output.err).toMatch(/\n$/);
    const file = /^for clients: export KUBECONFIG=(.*)\n$/.exec(output.err)?.[1] ?? '';
    const { url, ca, token } = await factsOf(file);
    expect(output.out).toBe(`serving ${url}\n`);
    expect(await status(url, ca, token)).toBe(200);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  it('uses the given certificate and tokens', async () => {
    const { child, output, exit } = await serve(
      ...['--tls-cert-file', inFolder('server.crt'), '--tls-private-key-file', inFolder('server.key')],
      ...['--root-ca-file', inFolder('ca.crt'), '--token-auth-file', inFolder('tokens.csv')],
      ...['--write-kubeconfig', inFolder('given')],
    );
    const ca = await readFile(inFolder('ca.crt'), 'utf8');
    const facts = await factsOf(inFolder('given'));
    expect(facts).toMatchObject({ ca, token: 'tok-1' });
    expect(await status(output.out.slice('serving '.length).trim(), ca, 'tok-1')).toBe(200);
    child.kill('SIGINT');
    expect(await exit).toBe(0);
  });

  it('accepts certificates, passwords and anonymous requests if they are enabled', async () => {
    const { ca, server } = await makeServerCertificates('127.0.0.1');
    const { certificate: cert, key } = await issueCertificate({
      subject: { commonName: 'jane' },
      issuer: ca,
      usage: 'client',
    });
    await writeFile(inFolder('clients.crt'), ca.certificate);
    await writeFile(inFolder('passwords.csv'), 'pa:ss,anna,u2\n');
    await writeFile(inFolder('accounts.key'), server.key);
    const options = ['--client-ca-file', inFolder('clients.crt'), '--basic-auth-file', inFolder('passwords.csv')];
    const { output } = await serve(
      ...[...options, '--service-account-key-file', inFolder('accounts.key')],
      ...['--write-kubeconfig', inFolder('several')],
    );
    const { url, ca: trusted } = await factsOf(inFolder('several'));
    expect(output.out).toBe(`serving ${url}\n`);
    expect(await statusWith(url, { ca: trusted, cert, key })).toBe(200);
    expect(await statusWith(url, { ca: trusted, auth: 'anna:pa:ss' })).toBe(200);
    expect(await statusWith(url, { ca: trusted, auth: 'anna:pass' })).toBe(401);
    expect(await statusWith(url, { ca: trusted })).toBe(401);
    const open = await serve('--anonymous-auth', '--write-kubeconfig', inFolder('open'));
    const facts = await factsOf(inFolder('open'));
    expect(await statusWith(facts.url, { ca: facts.ca })).toBe(200);
    expect(await statusWith(facts.url, { ca: facts.ca, auth: 'anna:pa:ss' })).toBe(401);
    expect(open.output.err).toBe('');
  });

  it.each([
    ['a port that is none', () => ['--port', '70000'], '--port: "70000" is not a port; give 0 to 65535'],
    [
      'a missing certificate',
      () => ['--tls-cert-file', '/nowhere', '--tls-private-key-file', inFolder('server.key')],
      '--tls-cert-file: cannot read',
    ],
    [
      'half a pair',
      () => ['--tls-cert-file', inFolder('server.crt')],
      '--tls-private-key-file is missing: give both, or neither to have them made',
    ],
    [
      'another key',
      () => ['--tls-cert-file', inFolder('server.crt'), '--tls-private-key-file', inFolder('other.key')],
      '--tls-private-key-file does not belong to',
    ],
    ['a folder as a token file', () => ['--token-auth-file', folder], '--token-auth-file: cannot read'],
    [
      'a malformed token file',
      () => ['--token-auth-file', inFolder('bad.csv')],
      'bad.csv, line 2: 2 columns, where at least 3 are needed',
    ],
    [
      'an issuer in plain text',
      () => ['--oidc-issuer-url', 'http://issuer.example', '--oidc-client-id', 'me'],
      '--oidc-issuer-url is not an https URL',
    ],
    [
      'a webhook without a configuration',
      () => ['--runtime-config', 'api/all', '--authentication-token-webhook-config-file', inFolder('nowhere')],
      '--authentication-token-webhook-config-file: cannot read',
    ],
    ['a wrong switch', () => ['--runtime-config', 'batch/v1=no'], '--runtime-config: "batch/v1=no" is not understood'],
    [
      'authorities that are none',
      () => ['--client-ca-file', inFolder('server.key')],
      'server.key holds no PEM certificate',
    ],
    [
      'a malformed password file',
      () => ['--basic-auth-file', inFolder('bad.csv')],
      'bad.csv, line 2: 2 columns, where at least 3 are needed: password,user,uid',
    ],
    [
      'a certificate as a signing key',
      () => ['--service-account-key-file', inFolder('ca.crt')],
      'ca.crt holds no PEM private key without a passphrase',
    ],
    [
      'neither true nor false',
      () => ['--anonymous-auth=perhaps'],
      '--anonymous-auth: "perhaps" is neither true nor false',
    ],
    [
      'a kubeconfig nowhere',
      () => ['--write-kubeconfig', '/nowhere/kubeconfig'],
      '--write-kubeconfig: cannot write /nowhere/kubeconfig: there is none (ENOENT)',
    ],
    [
      'a version that is to come',
      () => ['--kube-version', '1.99'],
      '--kube-version: there is no 1.99 to report; the newest version is 1.36',
    ],
    [
      'a mode that is none',
      () => ['--authorization-mode', 'rbac'],
      '--authorization-mode: there is no mode rbac; did you',
    ],
    ['a number of nodes that is none', () => ['--nodes', 'many'], '--nodes: "many"; give 0 to 200'],
    [
      'the address of another',
      () => ['--bind-address', '192.0.2.1'],
      '--bind-address: 192.0.2.1 is not an address of this machine',
    ],
  ])('refuses %s in one line', async (_, options, message) => {
    const { output, exit } = await serve(...options());
    expect(await exit).toBe(2);
    expect(output.out).toBe('');
    expect(output.err).toMatch(/^serve: [^\n]+\n$/);
    expect(output.err).toContain(message);
  });

  describe.skipIf(process.platform === 'win32')('that waits for the writer of a pipe', () => {
    const opened = (pipe: string) => openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    /** Starts the command, and writes into the pipe once the command reads it. Returns the open pipe. */
    async function waiting(...options: string[]) {
      const pipe = join(await mkdtemp(inFolder('pipe-')), 'pipe');
      execFileSync('mkfifo', [pipe]);
      const child = spawn(process.execPath, [main, 'serve', ...options, pipe], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exit = once(child, 'close').then(([code]) => code as number | null);
      running.push({ child, exit });
      let writer = -1;
      await expect
        .poll(() => {
          writer = opened(pipe);
        })
        .toBeUndefined();
      return { child, exit, writer };
    }

    it.each(['SIGTERM', 'SIGINT'] as const)('ends at a %s', async (signal) => {
      const { child, exit, writer } = await waiting('--client-ca-file');
      child.kill(signal);
      expect(await exit).toBe(0);
      closeSync(writer);
    });

    it('starts with what is written', async () => {
      const kubeconfig = inFolder('late');
      const { child, writer } = await waiting('--write-kubeconfig', kubeconfig, '--token-auth-file');
      const ready = once(child.stdout, 'data');
      writeSync(writer, 'late,');
      writeSync(writer, 'jane,u1\n');
      closeSync(writer);
      await ready;
      expect((await factsOf(kubeconfig)).token).toBe('late');
    });
  });

  it('ends at a signal while it waits for etcd', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const child = spawn(process.execPath, [main, 'serve', '--etcd-servers', url], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('says within a second or two that it waits for etcd', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const child = spawn(process.execPath, [main, 'serve', '--etcd-servers', url], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [said] = await once(child.stderr, 'data');
    expect(String(said)).toBe(`waiting for etcd at ${url}\n`);
    child.kill('SIGKILL');
  });

  it('refuses a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const { output, exit } = await serve('--port', String(port));
    expect(await exit).toBe(2);
    expect(output.err).toBe(`serve: --port: ${port} is in use on 127.0.0.1; choose another, or 0 for a free one\n`);
    taken.close();
  });
});
