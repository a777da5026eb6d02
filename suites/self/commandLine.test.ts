// The command line as a user calls it: exit codes, one line for what can be fixed, nothing left behind.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allCases } from '../../matrix/requirements/index.js';
import { judge, readEvidence } from '../../reports/index.js';
import { Client } from '../index.js';
import { itemsOf } from '../support/json.js';
import { bareTarget } from './bareTarget.js';
import { call } from './calling.js';
import type { Fault } from './faults/parts.js';
import { startFaultyProxy } from './faults/proxy.js';
import { main, type Running, startReferenceServer } from './referenceServer.js';

let server: Running;
let folder: string;

beforeAll(async () => {
  server = await startReferenceServer();
  folder = mkdtempSync(join(tmpdir(), 'command-line-'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const reach = (): string[] => ['--url', server.url, '--ca', server.caFile, '--token', server.token];
const output = (): string => mkdtempSync(join(folder, 'run-'));

async function namespaces(): Promise<unknown[]> {
  const credentials = { staticToken: { token: server.token } };
  const target = bareTarget(server.url, { name: 'reference', ca: server.ca, credentials });
  const client = new Client(target);
  const reply = await client.send({ method: 'GET', path: '/api/v1/namespaces' });
  await client.close();
  return itemsOf(reply.value()).map(({ metadata }) => (metadata as { readonly name: string }).name);
}

describe('run --list', () => {
  it('prints the ids of all cases and needs no target', async () => {
    const { code, stdout } = await call('run', '--list');
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual(allCases().map(({ id }) => id));
  });

  it('prints those that contain a text', async () => {
    const { stdout } = await call('run', '--list', '--grep', 'replace.stale › PUT /api/v1/nodes/{name}');
    expect(stdout).toBe('replace.stale › PUT /api/v1/nodes/{name}\n');
  });
});

describe('run', () => {
  it('runs one case and leaves nothing behind', async () => {
    const before = await namespaces();
    const directory = output();
    const { code, stdout } = await call(
      'run',
      ...reach(),
      '--grep',
      'create.answer › POST /api/v1/nodes',
      '--output',
      directory,
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('cases: 1 passed, 0 failed')]);
    expect([...(await readEvidence(join(directory, 'evidence.jsonl'))).cases.keys()]).toEqual([
      'create.answer › POST /api/v1/nodes',
    ]);
    expect(readdirSync(directory).sort()).toEqual([
      ...[
        'badge.json',
        'badge.svg',
        'evidence.jsonl',
        'index.html',
        'junit.xml',
        'map.svg',
        'report.json',
        'summary.md',
      ],
    ]);
    expect(readFileSync(join(directory, 'evidence.jsonl'), 'utf8')).not.toContain(server.token);
    expect(await namespaces()).toEqual(before);
  });

  it('loads nothing of the reference server', { timeout: 600_000 }, async () => {
    const copy = join(folder, 'without-server');
    const root = dirname(dirname(dirname(main)));
    cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
    cpSync(join(root, 'package.json'), join(copy, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    rmSync(join(copy, 'dist/reference-server'), { recursive: true });
    const options = ['run', ...reach(), '--grep', 'discovery.names', '--output', output()];
    const code = await new Promise((resolve) => {
      spawn(process.execPath, [join(copy, 'dist/cli/main.js'), ...options], { stdio: 'ignore' }).once('exit', resolve);
    });
    expect(code).toBe(0);
  });

  it('takes a kubeconfig', async () => {
    const options = ['--kubeconfig', server.kubeconfig, '--grep', 'discovery.names', '--output', output()];
    expect((await call('run', ...options)).code).toBe(0);
  });

  it.each([
    [
      'nobody listens',
      () => ['--url', 'https://127.0.0.1:1', '--token', 't'],
      /does not respond .*is the server running/,
    ],
    ['the authority is unknown', () => ['--url', server.url, '--token', 't'], /give its CA with --ca/],
    [
      'the token is wrong',
      () => ['--url', server.url, '--ca', server.caFile, '--token', 'wrong'],
      /does not accept the credentials \(401\)/,
    ],
    ['no case is selected', () => [...reach(), '--grep', 'nothing of the kind'], /no case id contains/],
    ['the workers are no number', () => [...reach(), '--workers', 'many'], /--workers: many/],
    ['there is no target', () => [], /no target: give --url/],
    ['an option is unknown', () => ['--urll', 'x'], /unknown option '--urll'/],
  ] as const)('ends with 2 and says in short why when %s', async (_, options, line) => {
    const { code, stderr } = await call('run', ...options(), '--output', output());
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n').length).toBeLessThan(4);
    expect(stderr).toMatch(line);
  });
});

const alwaysCreated: Fault = {
  name: 'answers creates with 201',
  grep: '',
  fails: [],
  reply: (returning, { method }) =>
    method === 'POST' && returning.status === 200 ? { ...returning, status: 201 } : returning,
};

describe('a run with failures', () => {
  it('ends with 1 and keeps its worker', async () => {
    const proxy = await startFaultyProxy(server, alwaysCreated);
    const directory = output();
    const options = [
      '--url',
      proxy.url,
      '--token',
      server.token,
      '--grep',
      'responses.status › POST',
      '--workers',
      '1',
    ];
    const { code, stdout } = await call('run', ...options, '--output', directory);
    await proxy.close();
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^not conformant; .* cases selected: ids with /m)]);
    const evidence = readFileSync(join(directory, 'evidence.jsonl'), 'utf8');
    expect(evidence).toMatch(/kac-[0-9a-f]{6}-w0-/);
    expect(evidence).not.toMatch(/kac-[0-9a-f]{6}-w1-/);
  });

  it('counts what a dead worker left unfinished as failed, and finishes the rest', { timeout: 600_000 }, async () => {
    const directory = output();
    const options = ['--grep', 'responses.', '--output', directory];
    const child = spawn(process.execPath, [main, 'run', ...reach(), ...options], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // One of several kills meets a worker in the middle of a test.
    for (let workers = 1; workers <= 3; workers += 1) {
      await written(join(directory, 'evidence'), workers, () => child.exitCode !== null);
      for (const worker of workersOf(child.pid ?? 0)) process.kill(worker, 'SIGKILL');
    }
    expect(await ended).toBe(1);
    const verdict = judge(await readEvidence(join(directory, 'evidence.jsonl')));
    const lost = verdict.cases.filter(({ message }) => message?.startsWith('no verdict'));
    expect(lost.length).toBeGreaterThan(0);
    expect(verdict.cases.filter((one) => one.verdict === 'passed').length).toBeGreaterThan(0);
    expect(verdict.exitCode).toBe(1);
  });
});

/** Waits until so many workers have written evidence, or it is over: a run may end with fewer. */
async function written(parts: string, workers = 1, isOver = () => false): Promise<void> {
  const deadline = Date.now() + 60_000;
  const hasLines = (): boolean =>
    existsSync(parts) &&
    readdirSync(parts).filter((part) => part.startsWith('worker') && readable(join(parts, part)) !== '').length >=
      workers;
  while (!hasLines() && !isOver()) {
    if (Date.now() > deadline) throw new Error('no worker wrote anything');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The process ids of the Playwright workers below a process. */
const workersOf = (ancestor: number): number[] =>
  descendants(ancestor).filter((pid) => /playwright.*worker/i.test(commandOf(pid)));

function descendants(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((entry) => parentOf(entry) === pid)
    .map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** The parent of a process: the second field after the command, which stands in brackets. */
const parentOf = (entry: string): number =>
  /^\d+$/.test(entry) ? Number(readable(`/proc/${entry}/stat`).split(') ').at(-1)?.split(' ')[1]) : 0;

const commandOf = (pid: number): string => readable(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');

function readable(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
