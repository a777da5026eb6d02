// A server that is killed while it writes: everything that it acknowledged is there afterwards, and nothing is half.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';

const kills = 50;
const writers = 4;
const main = resolve(import.meta.dirname, '../../dist/cli/main.js');
const collection = '/api/v1/namespaces/default/configmaps';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crash-'));
  writeFileSync(join(folder, 'tokens.csv'), 'crash-token,admin,admin\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Running {
  readonly child: ChildProcess;
  readonly pool: Pool;
}

async function start(round: number): Promise<Running> {
  const kubeconfig = join(folder, `kubeconfig-${round}`);
  const files = ['--data-dir', join(folder, 'data'), '--token-auth-file', join(folder, 'tokens.csv')];
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', ...files, '--write-kubeconfig', kubeconfig], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!existsSync(kubeconfig)) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await new Promise((wake) => setTimeout(wake, 10));
  }
  const { clusters } = load(readFileSync(kubeconfig, 'utf8')) as {
    readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  };
  const { server = '', 'certificate-authority-data': ca = '' } = clusters[0]?.cluster ?? {};
  return { child, pool: new Pool(server, { connect: { ca: Buffer.from(ca, 'base64').toString('utf8') } }) };
}

async function send(pool: Pool, method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
  const answer = await pool.request({
    method,
    path,
    headers: { authorization: 'Bearer crash-token', 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const value: unknown = await answer.body.json();
  if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode}`);
  return value;
}

interface Listed {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
    readonly data: unknown;
  }[];
}

/** Writes until the server is gone; notes what was acknowledged, and what may or may not have happened. */
async function write(pool: Pool, prefix: string, there: Map<string, string>, unsure: Set<string>): Promise<void> {
  for (let count = 0; ; count += 1) {
    const name = `${prefix}-${count}`;
    unsure.add(name);
    try {
      const made = (await send(pool, 'POST', collection, {
        metadata: { name },
        data: { one: name, two: name },
      })) as Listed['items'][number];
      there.set(name, made.metadata.resourceVersion);
      if (count % 3 === 2) {
        await send(pool, 'DELETE', `${collection}/${name}`);
        there.delete(name);
      }
      unsure.delete(name);
    } catch {
      return;
    }
  }
}

/** Compares the server with what was acknowledged. What was on its way counts from now on as it is found. */
function reconcile({ items }: Listed, there: Map<string, string>, unsure: Set<string>): void {
  const found = new Map(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  for (const name of unsure) {
    const version = found.get(name);
    if (version === undefined) there.delete(name);
    else there.set(name, version);
  }
  unsure.clear();
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(there));
  for (const { metadata, data } of items) expect(data).toEqual({ one: metadata.name, two: metadata.name });
}

test(`loses no acknowledged write in ${kills} crashes`, { timeout: 240_000 }, async () => {
  const there = new Map<string, string>();
  const unsure = new Set<string>();
  let revision = 0;
  for (let round = 0; round <= kills; round += 1) {
    const { child, pool } = await start(round);
    const gone = new Promise((done) => child.once('exit', done));
    const list = (await send(pool, 'GET', collection)) as Listed;
    reconcile(list, there, unsure);
    expect(Number(list.metadata.resourceVersion)).toBeGreaterThanOrEqual(revision);
    const work =
      round === kills
        ? []
        : Array.from({ length: writers }, (_, one) => write(pool, `r${round}-w${one}`, there, unsure));
    await new Promise((wake) => setTimeout(wake, 20 + ((round * 37) % 150)));
    child.kill('SIGKILL');
    await Promise.all([gone, ...work]);
    await pool.destroy();
    revision = Math.max(revision, ...[...there.values()].map(Number));
  }
  expect(there.size).toBeGreaterThan(kills);
});
