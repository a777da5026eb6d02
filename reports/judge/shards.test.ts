// The shards of one run, judged together.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunHeader } from '../../suites/requirements/index.js';
import { jobs, judgeSample, pods, result, runFooter, runHeader, services } from '../testing/sample.js';
import { readEvidence } from './evidence.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shards-'));
});
afterAll(() => rm(directory, { recursive: true }));

const header = (index: number, more: Partial<RunHeader> = {}): RunHeader =>
  runHeader({
    runId: `r${index}`,
    startedAt: `2026-11-21T10:00:0${9 - index}.000Z`,
    choice: { chapters: ['create'], shard: { index, of: 3 } },
    ...more,
  });

async function write(name: string, ...lines: readonly unknown[]): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

describe('the evidence of shards', () => {
  it('makes one run: the first start, all cases, the last end, all leftovers', async () => {
    const one = await write('1', header(1), result(pods, 'passed'), runFooter({ leftovers: ['a'] }));
    const two = await write('2', header(2), result(services, 'failed'), runFooter({ endedAt: '2026-11-21T11:00:00Z' }));
    const { run, end, shards, cases } = await readEvidence([two, one]);
    expect(run).toEqual({
      ...header(1),
      runId: 'r1, r2',
      startedAt: '2026-11-21T10:00:07.000Z',
      choice: { chapters: ['create'] },
    });
    expect(end).toEqual(runFooter({ leftovers: ['a'], endedAt: '2026-11-21T11:00:00Z' }));
    expect(shards).toEqual({ of: 3, present: [1, 2], killed: [] });
    expect([...cases.keys()].sort()).toEqual([pods.id, services.id]);
  });

  it('may come from a server of each shard, on different ports', async () => {
    const at = (port: number) => ({ name: `127.0.0.1:${port}`, url: `https://127.0.0.1:${port}` });
    const one = await write('one', header(1, { target: at(1) }), runFooter());
    const two = await write('two', header(2, { target: at(2) }), runFooter());
    expect((await readEvidence([one, two])).shards?.present).toEqual([1, 2]);
  });

  it('may be in one file', async () => {
    const lines = [header(1), result(pods, 'passed'), runFooter(), header(2), result(jobs, 'passed'), runFooter()];
    expect((await readEvidence(await write('both', ...lines))).shards?.present).toEqual([1, 2]);
  });

  it('names the killed shards, and the reasons of stopped ones', async () => {
    const killed = await write('killed', header(1), result(pods, 'passed'));
    const stopped = await write('stopped', header(3), runFooter({ aborted: 'gone' }));
    const { end, shards } = await readEvidence([killed, stopped]);
    expect(shards).toEqual({ of: 3, present: [1, 3], killed: [1] });
    expect(end?.aborted).toBe('shard 3 of 3: gone');
  });

  it.each<[string, RunHeader]>([
    ['both are shard 1 of 3', header(1, { runId: 'r2' })],
    ['another number of shards', header(2, { choice: { chapters: ['create'], shard: { index: 2, of: 4 } } })],
    ['another choice', header(2, { choice: { shard: { index: 2, of: 3 } } })],
    ['another version of the suite', header(2, { version: '9' })],
    ['another target', header(2, { target: { ...header(2).target, name: 'other' } })],
    ['another version of the server', header(2, { target: { name: 'sample', url: 'https://127.0.0.1:1' } })],
    ['other deviations', header(2, { deviations: [{ requirement: 'a.b', reason: 'c' }] })],
    ['another level', header(2, { strict: true })],
    ['another baseline', header(2, { baseline: { file: 'b', failed: ['x'] } })],
    ['run r2 among the evidence of run r1', runHeader({ runId: 'r2' })],
  ])('is refused if it is not of one run: %s', async (why, other) => {
    const first = await write('first', header(1), runFooter());
    const second = await write('second', other, runFooter());
    await expect(readEvidence([first, second])).rejects.toThrow(why);
  });

  it.each([
    [{ shard: { index: 0, of: 2 } }],
    [{ shard: { index: 1, of: 1e9 } }],
    [{ profile: 'tiny' }],
    [{ chapters: 'create' }],
  ])('is refused with an invalid choice: %j', async (choice) => {
    const file = await write('bad', { ...runHeader(), choice });
    await expect(readEvidence(file)).rejects.toThrow('"choice" is missing or malformed');
  });
});

it('a shard of which no case is judged says nothing, and has not failed: the others may', () => {
  const sample = (of: number, present: readonly number[]) => ({
    expected: [pods, jobs],
    results: [pods, jobs].map((one) => result(one, 'not-supported')),
    run: { choice: { shard: { index: 1, of } } },
    shards: { of, present, killed: [] },
  });
  const one = judgeSample(sample(2, [1]), { shardAlone: true });
  expect([one.outcome, one.exitCode]).toEqual(['partial', 0]);
  const whole = judgeSample(sample(1, [1]));
  expect([whole.outcome, whole.exitCode]).toEqual(['could-not-run', 2]);
});
