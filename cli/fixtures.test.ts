// Tests the `fixtures` command, and a reference server and a run with its output.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, type Fixtures, passwordUsers, standInUrl, tokenUsers } from '../suites/index.js';
import { readFixtures } from './fixtures/directory.js';
import { resolveTarget } from './target/target.js';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
let folder: string;
let out: string;
let printed: string;
let fixtures: Fixtures;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function call(...options: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...options], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixtures-'));
  out = join(folder, 'made');
  printed = (await call('fixtures', '--out', out, '--san', 'DNS:api.example.org')).stdout;
  fixtures = await readFixtures(out);
});
afterAll(() => rm(folder, { recursive: true }));

const rowsOf = async (file: string) =>
  parse(await readFile(join(out, file), 'utf8'), { relax_column_count: true }) as string[][];

describe('fixtures', () => {
  it('writes the users of the tables as CSV', async () => {
    const tokens = Object.entries(tokenUsers).map(([id, { name, uid, groups }]) => [
      fixtures.secrets.staticToken[id as keyof typeof tokenUsers],
      name,
      uid,
      ...(groups.length === 0 ? [] : [groups.join(',')]),
    ]);
    expect(await rowsOf('tokens.csv')).toEqual(tokens);
    const passwords = Object.entries(passwordUsers).map(([id, { name, uid }]) => [
      fixtures.secrets.staticPassword[id as keyof typeof passwordUsers],
      name,
      uid,
    ]);
    expect(await rowsOf('passwords.csv')).toEqual(passwords);
    expect(await readFile(join(out, 'tokens.csv'), 'utf8')).toContain(',"token-group-1,token-group-2"\n');
  });

  it('has new secrets each time, all different, readable by their owner only', async () => {
    const secrets = Object.values(fixtures.secrets).flatMap((table) => Object.values(table));
    expect(new Set(secrets).size).toBe(secrets.length);
    const other = join(folder, 'other');
    await call('fixtures', '--out', other);
    expect((await readFixtures(other)).secrets.staticToken.admin).not.toBe(fixtures.secrets.staticToken.admin);
    const files = ['fixtures.json', 'tokens.csv', 'passwords.csv', 'server.key', 'service-account.key'];
    for (const name of [...files, 'webhook-client.key', 'clients/plain.key']) {
      expect([name, (await stat(join(out, name))).mode & 0o777]).toEqual([name, 0o600]);
    }
  });

  it('writes a webhook configuration with its files in the same directory', async () => {
    const config = load(await readFile(join(out, 'webhook.kubeconfig'), 'utf8'));
    expect(config).toMatchObject({
      'current-context': 'webhook',
      contexts: [{ name: 'webhook', context: { cluster: 'reviewer', user: 'api-server' } }],
      clusters: [{ cluster: { server: standInUrl(fixtures, 'webhookReviewer') } }],
      users: [{ user: { 'client-certificate': 'webhook-client.crt', 'client-key': 'webhook-client.key' } }],
    });
  });

  it('prints the options of both servers, and no secret', () => {
    const [reference, kubeApiserver] = printed.split('kube-apiserver 1.36:\n');
    expect(reference).toContain(`--experimental-keystone-url=${standInUrl(fixtures, 'identityService')}\n`);
    expect(kubeApiserver).toContain(`--authentication-token-webhook-config-file=${join(out, 'webhook.kubeconfig')}\n`);
    expect(kubeApiserver).not.toMatch(/keystone|basic-auth/);
    for (const table of Object.values(fixtures.secrets)) {
      for (const secret of Object.values(table)) expect(printed).not.toContain(secret);
    }
  });

  it.each([
    [() => ['--out', out], /^fixtures: .+ holds .+ already: give --force/],
    [() => ['--out', join(folder, 'x'), '--san', 'URI:x'], /^fixtures: "URI:x" is no subject alternative name/],
    [() => ['--out', join(folder, 'x'), '--stand-ins-address', '192.0.2.1'], /192\.0\.2\.1 is not an address of this/],
    [() => [], /required option '--out <directory>'/],
  ])('reports errors on one line', async (options, line) => {
    const { code, stderr } = await call('fixtures', ...options());
    expect([code, stderr]).toEqual([2, expect.stringMatching(line)]);
  });
});

describe('a reference server with the fixtures', () => {
  let server: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const file = (name: string) => join(out, name);
    const flags = ['--tls-cert-file', file('server.crt'), '--tls-private-key-file', file('server.key')];
    server = spawn(process.execPath, [main, 'serve', ...flags, '--token-auth-file', file('tokens.csv')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    url = line.toString().replace('serving ', '').trim();
  });
  afterAll(async () => {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  });

  it('accepts the users of the token file', async () => {
    const client = new Client(resolveTarget({ url, ca: join(out, 'ca.crt') }));
    for (const token of Object.values(fixtures.secrets.staticToken)) {
      const reply = await client.send({ method: 'GET', path: '/api/v1', as: { token } });
      expect([token.length, reply.status]).toEqual([token.length, 200]);
    }
    await client.close();
  });

  const run = (...options: readonly string[]) =>
    call('run', '--url', url, '--grep', 'discovery.names', '--output', join(folder, 'report'), ...options);

  it('is tested as the admin of the fixtures, whose token is in no evidence', async () => {
    expect(await run('--fixtures', out)).toMatchObject({ code: 0, stderr: expect.stringMatching(/^server: /) });
    const evidence = await readFile(join(folder, 'report/evidence.jsonl'), 'utf8');
    expect(evidence).toContain('Bearer <redacted>');
    expect(evidence).not.toContain(fixtures.secrets.staticToken.admin);
    expect((await run()).code).toBe(2);
  });

  it('is not tested if a stand-in cannot listen', async () => {
    const taken = createServer().listen(fixtures.ports.oidcIssuer, '127.0.0.1');
    await once(taken, 'listening');
    const { code, stderr } = await run('--fixtures', out);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^a backend of the fixtures in .+ cannot listen .+EADDRINUSE.+\n$/),
    ]);
    taken.close();
  });

  it.each([
    ['none', undefined, /fixtures\.json: ENOENT: make it with `fixtures --out/],
    ['no JSON', '{', /not JSON/],
    ['another version', '{"version":0}', /made by another version/],
  ])('is not tested with fixtures that are %s', async (name, text, line) => {
    const directory = await mkdtemp(join(folder, 'bad-'));
    if (text !== undefined) await writeFile(join(directory, 'fixtures.json'), text);
    expect([name, await run('--fixtures', directory)]).toMatchObject([
      name,
      { code: 2, stderr: expect.stringMatching(line) },
    ]);
  });
});
