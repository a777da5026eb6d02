// Tests the workers of a run: they end with the command line, and keep what is done.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge, readEvidence } from '../../reports/index.js';
import { main, type Running, startReferenceServer } from '../../suites/testing/referenceServer.js';
import { call } from '../../suites/testing/runCommand.js';
import { commandLineOf, isRunning, processesBelow } from '../running.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'workers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
