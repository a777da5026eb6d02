// The command line as a user calls it: exit codes, one line for each mistake that a user can fix, no files left behind.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../cli/errors.js';
import { commandLineOf, isRunning, processesBelow } from '../../cli/running.js';
import { runHere } from '../../cli/testing/runHere.js';
import { judge, readEvidence } from '../../reports/index.js';
import { itemsOf } from '../client/json.js';
import { Client } from '../index.js';
import { allCases } from '../requirements/index.js';
import { bareTarget } from './bareTarget.js';
import { evidenceText } from './evidenceText.js';
import { startFaultyProxy } from './faults/wire/faultyProxy.js';
import { status } from './faults/wire/replies.js';
import { main, type Running, startReferenceServer } from './referenceServer.js';
import { call, linesOfText } from './runCommand.js';

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

  it('prints the ids that contain a text', async () => {
    const { stdout } = await call('run', '--list', '--grep', 'replace.stale › PUT /api/v1/nodes/{name}');
    expect(stdout).toBe('replace.stale › PUT /api/v1/nodes/{name}\n');
  });
});

describe('run', () => {
  it('runs one case and leaves no objects behind', async () => {
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
        'evidence.jsonl.gz',
        'index.html',
        'junit.xml',
        'map.svg',
        'report.json',
        'summary.md',
      ],
    ]);
    expect(evidenceText(directory)).not.toContain(server.token);
    expect(await namespaces()).toEqual(before);
  });

  it('accepts a kubeconfig, and does not load the reference server', async () => {
    const copy = join(folder, 'without-server');
    const root = dirname(dirname(dirname(main)));
    cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
    for (const part of ['package.json', 'targets']) cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    // The bundle has the server in chunks of its own; the compiled modules show what is loaded.
    for (const part of ['bundle', 'reference-server']) rmSync(join(copy, 'dist', part), { recursive: true });
    const options = ['run', '--kubeconfig', server.kubeconfig, '--grep', 'discovery.names', '--output', output()];
    const code = await new Promise((resolve) => {
      spawn(process.execPath, [join(copy, 'dist/cli/main.js'), ...options], { stdio: 'ignore' }).once('exit', resolve);
    });
    expect(code).toBe(0);
  });

  it('ends with 2 and a short reason if an option is unknown', async () => {
    const { code, stderr } = await call('run', '--urll', 'x', '--output', output());
    expect([code, linesOfText(stderr).length]).toEqual([2, 1]);
    expect(stderr).toMatch(/unknown option '--urll'/);
  });
});

describe('a run that cannot start', () => {
  it.each([
    [
      'no server listens',
      () => ['--url', 'https://127.0.0.1:1', '--token', 't'],
      /does not respond .*is the server running/,
    ],
    ['no case is selected', () => [...reach(), '--grep', 'nothing of the kind'], /no case id contains/],
    ['there is no target', () => [], /no target: give --url/],
    ['the authority is unknown', () => ['--url', server.url, '--token', 't'], /give its CA with --ca/],
    [
      'the token is wrong',
      () => ['--url', server.url, '--ca', server.caFile, '--token', 'wrong'],
      /does not accept the credentials \(401 /,
    ],
  ] as const)('says how to mend it if %s', async (_, options, line) => {
    const error: unknown = await runHere(...options(), '--output', output()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    const { exitCode, message } = error as UsageError;
    expect([exitCode, linesOfText(message).length < 4, message]).toEqual([2, true, expect.stringMatching(line)]);
  });
});

const alwaysCreated = status('POST', 200, 201);

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
      'responses.status › POST /api/v1/n',
      '--workers',
      '1',
    ];
    const { code, stdout } = await call('run', ...options, '--output', directory);
    await proxy.close();
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^not conformant; .* cases selected: ids with /m)]);
    const evidence = evidenceText(directory);
    expect(evidence).toMatch(/kac-[0-9a-f]{6}-w0-/);
    expect(evidence).not.toMatch(/kac-[0-9a-f]{6}-w1-/);
  });

  it('finishes a run of which workers die, and has no verdict', async () => {
    const directory = output();
    const options = ['--chapter', 'responses', '--profile', 'standard', '--grep', '/api/v1/', '--output', directory];
    const child = spawn(process.execPath, [main, 'run', ...reach(), ...options], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // A worker writes evidence at the end of a test. After a delay, at least one of the kills happens during the next test.
    for (let workers = 1; workers <= 3; workers += 1) {
      await written(join(directory, 'evidence'), workers, () => child.exitCode !== null);
      await sleep(50 * workers);
      for (const worker of workersOf(child.pid ?? 0)) kill(worker);
    }
    expect(await ended).toBe(2);
    const verdict = judge(await readEvidence(join(directory, 'evidence.jsonl')));
    const lost = verdict.cases.filter(({ message }) => message?.startsWith('no verdict'));
    expect(lost.length).toBeGreaterThan(0);
    expect(verdict.cases.filter((one) => one.verdict === 'passed').length).toBeGreaterThan(0);
    expect(verdict.exitCode).toBe(2);
  });

  it('ends the bundled server and the workers when the run is killed', async () => {
    const directory = output();
    const options = ['--grep', 'responses.', '--output', directory];
    const child = spawn(process.execPath, [main, 'run', '--target', 'reference-server', ...options], {
      stdio: 'ignore',
    });
    await written(join(directory, 'evidence'));
    const started = processesBelow(child.pid ?? 0);
    expect(started.map(commandLineOf)).toContainEqual(expect.stringContaining(' serve '));
    child.kill('SIGKILL');
    await expect.poll(() => started.filter(isRunning)).toEqual([]);
  });
});

/** Waits until so many workers have written evidence, or until the run is over: a run may end with fewer workers. */
async function written(parts: string, workers = 1, isOver = () => false): Promise<void> {
  const hasLines = (): boolean =>
    existsSync(parts) &&
    readdirSync(parts).filter((part) => part.startsWith('worker') && readable(join(parts, part)) !== '').length >=
      workers;
  await expect.poll(() => hasLines() || isOver(), { interval: 5 }).toBe(true);
}

/** Returns the process ids of the workers below a process. */
const workersOf = (ancestor: number): number[] =>
  processesBelow(ancestor).filter((pid) => commandLineOf(pid)?.includes('workerProcess.js'));

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function readable(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
