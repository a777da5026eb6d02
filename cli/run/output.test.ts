// Tests what a run does with its output: reports of earlier runs, a disk that takes no report, histories that are cut.
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Running, startReferenceServer } from '../../suites/testing/referenceServer.js';
import { call } from '../../suites/testing/runCommand.js';
import { readHistory, reportOn } from '../reporting/write.js';
import { runProgram } from '../testing/npm.js';
import { main } from '../testing/serving.js';

let server: Running;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'output-'));
  server = await startReferenceServer();
  expect((await run('first')).code).toBe(0);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const few = ['--grep', 'list.kind › GET /api/v1/namespaces'];
const to = (url: string, output: string, ...words: readonly string[]): string[] => [
  'run',
  '--url',
  url,
  '--token',
  server.token,
  '--output',
  join(folder, output),
  ...few,
  ...words,
];
const run = (output: string, ...words: readonly string[]) =>
  call(...to(server.url, output, '--ca', server.caFile, ...words));

/** Returns the folder of an earlier run: all are copies of one. */
function earlier(output: string): string {
  const copy = join(folder, output);
  cpSync(join(folder, 'first'), copy, { recursive: true });
  return copy;
}

it('removes its old report if it cannot start, and sets the evidence aside', async () => {
  const output = earlier('old');
  writeFileSync(join(output, 'mine.txt'), '');
  expect((await call(...to('https://127.0.0.1:1', 'old'))).code).toBe(2);
  const left = readdirSync(output).filter((name) => name !== 'exchanges');
  expect(left.sort()).toEqual(['mine.txt', 'previous.jsonl.gz']);
  expect((await call('report', output, '--output', output)).stderr).toContain('no evidence in this directory');
  expect((await run('old', '--failed')).stderr).toMatch(/^--failed: no case failed in the last run/);
});

it('keeps the baseline that is in its output until it has read it', async () => {
  const baseline = join(earlier('known'), 'report.json');
  expect((await call(...to('https://127.0.0.1:1', 'known', '--baseline', baseline))).code).toBe(2);
  expect((await run('known', '--baseline', baseline)).code).toBe(0);
});

it('refuses a folder with files of somebody else, before it asks the server', async () => {
  mkdirSync(join(folder, 'pub'));
  writeFileSync(join(folder, 'pub', 'index.html'), 'mine');
  const { code, stderr } = await run('pub');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^--output: \S+index\.html is not the file of a run/)]);
  expect(readFileSync(join(folder, 'pub', 'index.html'), 'utf8')).toBe('mine');
});

it('refuses a folder into which another run is writing', async () => {
  const waiting = spawn(process.execPath, [main, ...to(server.url, 'both', '--ca', server.caFile, '--watch')], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise((resolve) => waiting.once('exit', resolve));
  try {
    const lock = join(folder, 'both', '.run.lock');
    await expect.poll(() => existsSync(lock) && /runId/.test(readFileSync(lock, 'utf8'))).toBe(true);
    const { code, stderr } = await run('both');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^--output: run [0-9a-f]{6} \\(pid ${waiting.pid}\\) is writing into`)),
    ]);
  } finally {
    waiting.kill('SIGTERM');
    await ended;
  }
  expect(readdirSync(join(folder, 'both'))).not.toContain('.run.lock');
});

/** Lets one file of a report fail, as a disk does that is full. */
const blocked = (output: string, name: string): string => {
  const blocking = join(output, `${name}.unfinished`);
  mkdirSync(blocking, { recursive: true });
  return blocking;
};

it('gives the verdict where a report cannot be written, which is written later', async () => {
  const output = join(folder, 'full');
  const blocking = blocked(output, 'index.html');
  const { code, stdout, stderr } = await run('full');
  expect(code).toBe(2);
  expect(stdout).toMatch(/^partial: .*\n\ncases: 10 passed, 0 failed/m);
  expect(stderr).toMatch(/make room, then write it with: npx kube-api-conformance report \S+ --output \S+\n$/);
  expect(existsSync(join(output, 'index.html'))).toBe(false);
  rmdirSync(blocking);
  const again = await call('report', output, '--output', output);
  expect([again.code, existsSync(join(output, 'index.html'))]).toEqual([0, true]);
});

it.each(['junit.xml', 'summary.md'])('gives the verdict where %s cannot be written', async (name) => {
  const output = earlier(`full-${name}`);
  rmSync(join(output, name));
  blocked(output, name);
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const written = reportOn([join(output, 'evidence.jsonl.gz')], output, { writtenBy: 'thisRun' });
  await expect(written).rejects.toThrow(/: make room, then write it with: npx kube-api-conformance report \S+/);
  expect(said.mock.calls.join('')).toMatch(/^partial: .*\n\ncases: 10 passed, 0 failed/m);
  said.mockRestore();
  expect(existsSync(join(output, name))).toBe(false);
});

it('begins a new history where the old one is cut, and keeps the cut one', async () => {
  const history = join(folder, 'history.json');
  const cut = '{"historyVersion":1,"runs":[\n{"target":"a","ru';
  writeFileSync(history, cut);
  const { code, stderr } = await run('history', '--history', history, '--name', 'mine');
  expect([code, stderr]).toEqual([0, expect.stringContaining(`${history} is cut: it is now ${history}.damaged, and`)]);
  expect(readFileSync(`${history}.damaged`, 'utf8')).toBe(cut);
  // The history of a server is kept by the name that a run gives it.
  expect(JSON.parse(readFileSync(history, 'utf8')).runs).toEqual([expect.objectContaining({ target: 'mine' })]);
});

it.each([
  ['nothing', '', true],
  ['something else', 'hello', false],
  ['other JSON', '{"name":"x"}', false],
])('a history that is %s', (name, text, isReplaced) => {
  const history = join(folder, `${name}.json`);
  writeFileSync(history, text);
  if (isReplaced) expect(readHistory(history)).toEqual([]);
  else expect(() => readHistory(history)).toThrow(/^--history: .* is not a history of runs; give another file$/);
  expect(readFileSync(isReplaced ? `${history}.damaged` : history, 'utf8')).toBe(text);
});

it('adds to the summary of a job of GitHub, and annotates it', async () => {
  const summary = join(folder, 'step.md');
  writeFileSync(summary, 'before\n');
  writeFileSync(
    join(folder, 'stale.yaml'),
    'deviations: [{requirement: list.kind, subject: ^GET /api/v1/namespaces$, reason: it is gone}]\n',
  );
  const words = ['--ca', server.caFile, '--target', join(folder, 'stale.yaml')];
  const ran = (variables: NodeJS.ProcessEnv) =>
    runProgram(process.execPath, [main, ...to(server.url, 'github', ...words)], folder, variables);
  const { code, stdout } = await ran({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^::error title=run%3A declares no deviation that is/m)]);
  expect(readFileSync(summary, 'utf8')).toMatch(/^before\n## ❌ Not conformant\n/);
  const elsewhere = await runProgram(process.execPath, [main, 'report', join(folder, 'github')], folder, {
    ...{ GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: summary, FORCE_COLOR: '1' },
  });
  expect(elsewhere.stdout).not.toContain('::error');
  expect(elsewhere.stdout).toContain('\u001b[31mnot conformant');
  expect(readFileSync(summary, 'utf8').match(/^## /gm)).toHaveLength(1);
});

it.each([
  ['no server responds', ['run', '--url', 'https://127.0.0.1:1', '--insecure', '--token', 'x'], /127\.0\.0\.1/],
  ['an option that is none', ['run', '--no-such-option'], /^unknown option '--no-such-option'/],
  ['an unknown command', ['rnu'], /^there is no command rnu/],
] as const)('annotates the job of GitHub that cannot start: %s', async (_, words, message) => {
  const { code, stdout, stderr } = await runProgram(process.execPath, [main, ...words], folder, {
    GITHUB_ACTIONS: 'true',
  });
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  const text = stderr.trimEnd().split('\n').at(-1);
  expect(stdout).toBe(`::error title=kube-api-conformance::${text}\n`);
});
