// Tests the workers of a run: they find what Playwright finds, and end with the command line.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge, readEvidence } from '../../reports/index.js';
import { startFaultyProxy } from '../../suites/testing/faults/wire/faultyProxy.js';
import { set } from '../../suites/testing/faults/wire/objects.js';
import { shown } from '../../suites/testing/faults/wire/replies.js';
import { main, type Running, startReferenceServer } from '../../suites/testing/referenceServer.js';
import { call } from '../../suites/testing/runCommand.js';
import { commandLineOf, isRunning, processesBelow } from '../running.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'workers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('has the verdicts of Playwright, with the exchanges', async () => {
  const server = await startReferenceServer();
  const broken = await startFaultyProxy(server, shown('GET ConfigMap', set('metadata.labels', {})));
  const choice = ['--chapter', 'create,delete', '--grep', 'configmaps', '--evidence', 'all'];
  const found = async (name: string, ...more: readonly string[]) => {
    const output = join(folder, name);
    const reach = ['--url', broken.url, '--token', server.token, '--insecure', '--output', output];
    const { code } = await call('run', ...reach, ...choice, ...more);
    const { cases } = await readEvidence(join(output, 'evidence.jsonl'));
    return {
      code,
      // Only Playwright leaves results for Allure.
      byPlaywright: more.length > 0 && readdirSync(join(output, 'allure')).length > 0,
      cases: [...cases.values()].map(({ id, verdict, exchanges }) => [id, verdict, exchanges.length > 0]).sort(),
    };
  };
  const [own, other] = [await found('own'), await found('other', '--allure', join(folder, 'other/allure'))];
  await broken.close();
  await server.stop();
  expect([own.code, own.byPlaywright, other.code, other.byPlaywright]).toEqual([1, false, 1, true]);
  expect(own.cases).toEqual(other.cases);
  expect(new Set(own.cases.map(([, verdict]) => verdict))).toEqual(new Set(['passed', 'failed']));
});

describe('a run that does not come to its end', () => {
  let slow: Running;
  beforeAll(async () => {
    slow = await startReferenceServer(['--latency', '200']);
  });
  afterAll(() => slow.stop());

  /** Starts a run, and waits until a case has passed. */
  async function inTheMiddle(name: string) {
    const output = join(folder, name);
    const reach = ['--url', slow.url, '--ca', slow.caFile, '--token', slow.token, '--output', output];
    const choice = ['--chapter', 'create,delete,replace', '--grep', 'configmaps', '--concurrency', '1'];
    const child = spawn(process.execPath, [main, 'run', ...reach, ...choice], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await expect.poll(() => written(join(output, 'evidence')), { interval: 20 }).toContain('"verdict":"passed"');
    return { child, ended, evidence: () => readEvidence(join(output, 'evidence.jsonl')) };
  }

  it('keeps what is done after a signal, and leaves nothing', async () => {
    const { child, ended, evidence } = await inTheMiddle('interrupted');
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    const { end, cases } = await evidence();
    expect(end).toMatchObject({ aborted: 'interrupted (SIGINT)', leftovers: [] });
    expect([...cases.values()].some(({ verdict }) => verdict === 'passed')).toBe(true);
  });

  it('has no verdict if its runner dies, and leaves nothing', async () => {
    const { child, ended, evidence } = await inTheMiddle('dead');
    process.kill(runnerOf(child), 'SIGKILL');
    expect(await ended).toBe(2);
    const lines = await evidence();
    expect(lines.end).toMatchObject({ aborted: 'the runner ended with SIGKILL', leftovers: [] });
    expect(judge(lines).exitCode).toBe(2);
  });

  it('ends its runner when the command line is gone', async () => {
    const { child, ended } = await inTheMiddle('gone');
    const runner = runnerOf(child);
    child.kill('SIGKILL');
    await ended;
    await expect.poll(() => isRunning(runner)).toBe(false);
    await call('clean', '--url', slow.url, '--ca', slow.caFile, '--token', slow.token);
  });
});

/** Returns the evidence that the runner has written so far. */
function written(parts: string): string {
  try {
    const names = readdirSync(parts).filter((name) => name.startsWith('worker'));
    return names.map((name) => readFileSync(join(parts, name), 'utf8')).join('');
  } catch {
    return '';
  }
}

/** Returns the process that runs the cases of a run. */
const runnerOf = ({ pid = 0 }: ChildProcess): number =>
  processesBelow(pid).find((below) => commandLineOf(below)?.includes('workerProcess.js')) ?? Number.NaN;
