// Runs that are interrupted, and concurrent runs: their messages, and the objects that they leave.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RanHere, runHere } from '../../cli/testing/runHere.js';
import { readEvidence } from '../../reports/index.js';
import { Client, findLeftRuns } from '../index.js';
import { bareTarget } from './bareTarget.js';
import { startFaultyProxy } from './faults/wire/faultyProxy.js';
import { main, type Running, startReferenceServer } from './referenceServer.js';
import { call, linesOfText, withoutWaits } from './runCommand.js';
import { startDangerousServer } from './safety/dangerousServer.js';
import { readObjects, untilAtRest } from './safety/existingObjects.js';

let server: Running;
let folder: string;
let tokens: readonly string[];

beforeAll(async () => {
  server = await startReferenceServer();
  await untilAtRest(server);
  folder = mkdtempSync(join(tmpdir(), 'interruption-'));
  tokens = ['--url', server.url, '--ca', server.caFile, '--token', server.token];
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Cases that take longer than a signal needs, and few for the report: two workers run them. */
const many = ['--chapter', 'responses,create', '--grep', '/api/v1/'];
/** Cases that one worker runs, one after the other: they last longer than a signal needs, too. */
const few = ['--chapter', 'create,delete,replace', '--grep', '/api/v1/', '--concurrency', '1'];

interface Started {
  readonly child: ChildProcess;
  readonly directory: string;
  readonly said: () => string;
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Starts a run and waits until it has written objects. */
async function inTheMiddle(...options: readonly string[]): Promise<Started> {
  const directory = mkdtempSync(join(folder, 'run-'));
  const child = spawn(process.execPath, [main, 'run', ...options, '--output', directory]);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
  await until(() => evidenceOf(directory).split('"verdict":"passed"').length > 20);
  return { child, directory, said: () => text, ended };
}

/** Returns the evidence that the workers have written so far. */
function evidenceOf(directory: string): string {
  try {
    const parts = readdirSync(join(directory, 'evidence')).filter((part) => part.startsWith('worker'));
    return parts.map((part) => readFileSync(join(directory, 'evidence', part), 'utf8')).join('');
  } catch {
    return '';
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(holds, { interval: 20 }).toBe(true);
}

const runIdOf = (directory: string): string =>
  /"runId":"([0-9a-f]{6})"/.exec(readFileSync(join(directory, 'evidence/0-run.jsonl'), 'utf8'))?.[1] ?? '';

/** Returns the ids of the runs that left objects or events, as `clean` finds them. */
async function left(): Promise<string[]> {
  const { url, ca, token } = server;
  const client = new Client(bareTarget(url, { ca, credentials: { staticToken: { token } } }));
  try {
    return [...(await findLeftRuns(client, [], [])).keys()];
  } finally {
    await client.close();
  }
}

describe('a run that is killed', () => {
  it('stops to write, is listed by clean, and is cleaned by it', async () => {
    const recorded = await startDangerousServer(server);
    const reach = ['--url', recorded.url, '--token', server.token];
    const before = await readObjects(server);
    const { child, directory } = await inTheMiddle(...reach, '--grep', '/configmaps');
    const run = runIdOf(directory);
    const gone = once(child, 'close');
    child.kill('SIGKILL');
    // The workers share its output, and end too. What they have sent may still come from a socket.
    await gone;
    let seen = -1;
    await until(async () => {
      const same = seen === recorded.writes.length && recorded.underWay() === 0;
      seen = recorded.writes.length;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return same;
    });
    const { stdout } = await call('clean', ...reach);
    expect(stdout.split('\n').filter((line) => /^[0-9a-f]{6}: /.test(line))).toEqual([
      expect.stringMatching(new RegExp(`^${run}: \\d+ objects`)),
    ]);
    expect(await call('clean', ...reach, '--run', run)).toMatchObject({ code: 0, stdout: 'nothing is left\n' });
    expect(await left()).toEqual([]);
    expect(await readObjects(server)).toEqual(before);
    await recorded.close();
  });
});

describe('a run that is interrupted', () => {
  it.each([
    ['SIGINT', 130, many],
    ['SIGTERM', 143, few],
  ] as const)('by %s cleans up, reports the finished cases, and ends with %i', async (signal, code, chosen) => {
    const { child, directory, said, ended } = await inTheMiddle(...tokens, ...chosen);
    child.kill(signal);
    expect(await ended).toBe(code);
    expect(said()).toMatch(/^interrupted after \d[\d,]* of [\d,]+ cases, none failed until then$/m);
    expect(said()).toMatch(/^cleaning up: \d+ namespaces/m);
    expect(said()).toMatch(/ 0 failed, .* [\d]+ skipped/);
    const evidence = await readEvidence(join(directory, 'evidence.jsonl'));
    expect(evidence.end).toMatchObject({ leftovers: [], aborted: `interrupted (${signal})` });
    expect([...evidence.cases.values()].filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(0);
    expect(await left()).toEqual([]);
  });
});

describe('a run that is interrupted twice', () => {
  it('leaves its objects, names the command that removes them, and still writes the report', async () => {
    // The first delete of the clean-up is held back, so the second signal comes before it.
    let isHeld = false;
    const proxy = await startFaultyProxy(server, {
      request: (given) => (isHeld && given.method === 'DELETE' ? new Promise<never>(() => {}) : given),
    });
    const reach = ['--url', proxy.url, '--ca', server.caFile, '--token', server.token];
    const { child, directory, said, ended } = await inTheMiddle(...reach, ...few);
    isHeld = true;
    child.kill('SIGINT');
    await until(() => said().includes('interrupt again to skip the cleanup'));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    const evidence = await readEvidence(join(directory, 'evidence.jsonl'));
    const run = evidence.run?.runId ?? '';
    expect(said()).toMatch(new RegExp(`^cleanup skipped: clean --run ${run}`, 'm'));
    expect(said()).toMatch(/^interrupted after \d/m);
    expect(evidence.end?.leftovers).toEqual(['unknown: the cleanup was skipped']);
    await proxy.close();
    expect(await left()).toEqual([run]);
    expect(await call('clean', ...tokens, '--run', run)).toMatchObject({ code: 0, stdout: 'nothing is left\n' });
    expect(await left()).toEqual([]);
  });

  it('stops a server that it started', async () => {
    const state = join(folder, 'managed');
    const target = join(folder, 'managed.yaml');
    const start = `printf 'url: ${server.url}\\nca: ${server.caFile}\\ntoken: ${server.token}\\n'; touch ${state}`;
    writeFileSync(target, JSON.stringify({ name: 'managed', start, stop: `rm ${state}`, nodes: 'none' }));
    const { child, said, ended } = await inTheMiddle('--target', target, ...few);
    expect(existsSync(state)).toBe(true);
    child.kill('SIGTERM');
    await until(() => said().includes('interrupt again to skip the cleanup'));
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
    expect(existsSync(state)).toBe(false);
    for (const run of await left()) await call('clean', ...tokens, '--run', run);
  });
});

describe('two runs at once', () => {
  it('do not disturb each other', async () => {
    // What one run could change for another: whole collections, lists, and what watches tell.
    const chapters = [
      '--chapter',
      'create,deleteCollection,read,watch',
      '--grep',
      'configmaps',
      '--profile',
      'standard',
    ];
    const one = (): Promise<RanHere> => runHere(...tokens, ...chapters, '--output', mkdtempSync(join(folder, 'run-')));
    for (const { verdict, summary } of await Promise.all([one(), one()]))
      expect([verdict.exitCode, summary]).toEqual([0, expect.stringMatching(/ passed, 0 failed/)]);
    expect(await left()).toEqual([]);
  });
});

describe('clean', () => {
  it.each([
    ['the id is none', () => [...tokens, '--run', 'kac-1'], /is not the id of a run/],
    ['no server listens', () => ['--url', 'https://127.0.0.1:1', '--run', 'abcdef'], /nothing listens there/],
    ['the token is wrong', () => [...tokens.slice(0, 4), '--token', 'wrong'], /does not accept the credentials \(401 /],
    ['a key is alone', () => [...tokens, '--client-key', 'x'], /go together/],
  ] as const)('ends with 2 and one sentence if %s', async (_, options, sentence) => {
    const { code, stderr } = await call('clean', ...options());
    expect([code, linesOfText(withoutWaits(stderr)).length, stderr]).toEqual([2, 1, expect.stringMatching(sentence)]);
  });
});
