// Tests `run --watch`: rounds of what failed and what is near it, until the user ends them.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../matrix/api/freePort.js';
import type { Broken } from '../../suites/testing/faults/wire/fault.js';
import { type FaultyProxy, startFaultyProxy } from '../../suites/testing/faults/wire/faultyProxy.js';
import { set } from '../../suites/testing/faults/wire/objects.js';
import { shown } from '../../suites/testing/faults/wire/replies.js';
import { main, type Running, startReferenceServer } from '../../suites/testing/referenceServer.js';
import { call } from '../../suites/testing/runCommand.js';
import { inSoakAlone } from '../../suites/testing/soak.js';

let server: Running;
let folder: string;
/** Whether the server shows no labels of ConfigMaps. */
let isBroken = true;
let target: FaultyProxy;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'watching-'));
  server = await startReferenceServer();
  const { reply } = shown('GET ConfigMap', set('metadata.labels', {}));
  const broken: Broken = { reply: (answer, request) => (isBroken && reply ? reply(answer, request) : answer) };
  target = await startFaultyProxy(server, broken);
});
afterAll(async () => {
  await target.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Starts a run that watches. `until` resolves when its output, from the last call on, has a line like this. */
function watch(output: string, ...words: readonly string[]) {
  const options = ['--insecure', '--output', output, '--watch', ...words];
  const child = spawn(process.execPath, [main, 'run', ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += String(chunk);
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    ended,
    type: (keys: string) => child.stdin.write(keys),
    endInput: () => child.stdin.end(),
    signal: () => child.kill('SIGINT'),
    until: async (pattern: RegExp): Promise<string> => {
      await expect.poll(() => text, { interval: 20 }).toMatch(pattern);
      const seen = text;
      text = '';
      return seen;
    },
  };
}

const round = /\(\d+\.\d s\)/;
const creates = ['--chapter', 'create', '--grep', 'configmaps'] as const;

it('runs again what failed, and what is near it, after a key and after a change of a file', async () => {
  const output = join(folder, 'report');
  const sources = join(folder, 'sources');
  mkdirSync(join(sources, 'deep'), { recursive: true });
  const run = watch(output, '--url', target.url, '--token', server.token, '--watch-files', sources, ...creates);
  const first = await run.until(round);
  expect(first).toMatch(/^✗ create\..*\n {4}.*expected/m);
  const [, chosen, failed] = /(\d+) chosen: (\d+) failed/.exec(first) ?? [];
  expect(Number(failed)).toBeGreaterThan(0);

  run.type('\n');
  expect(await run.until(round)).toContain(`${failed} that failed: ${failed} failed, 0 passed; `);

  isBroken = false;
  // A file that is made and then written can begin two rounds.
  writeFileSync(join(folder, 'server.c'), 'mended');
  renameSync(join(folder, 'server.c'), join(sources, 'deep', 'server.c'));
  const mended = await run.until(round);
  expect(mended).toMatch(/^✓ create\./m);
  expect(mended).toContain(`${failed} that failed: 0 failed, ${failed} passed; `);
  expect(mended).toMatch(/[1-9]\d* near them: 0 failed/);

  run.type('a');
  expect(await run.until(round)).toContain(`${chosen} chosen: 0 failed, ${chosen} passed`);

  isBroken = true;
  run.type('a');
  expect(await run.until(round)).toContain(`${chosen} chosen: ${failed} failed`);
  run.type('q');
  expect(await run.ended).toBe(1);
  const { cases } = JSON.parse(readFileSync(join(output, 'report.json'), 'utf8'));
  const ofFailed = cases.filter(({ verdict }: { verdict: string }) => verdict === 'failed');
  expect([ofFailed.length, cases.length]).toEqual([Number(failed), Number(chosen)]);
});

it('makes new namespaces for a server that lost its objects, and cleans up after a signal', async (context) => {
  inSoakAlone(context);
  isBroken = false;
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, 'fixed,admin,admin,"system:masters"\n');
  const options = ['--token-auth-file', tokens, '--port', String(await freePort())];
  let own = await startReferenceServer(options);
  const run = watch(join(folder, 'restarted'), '--url', own.url, '--token', 'fixed', ...creates);
  const chosen = /(\d+) chosen/.exec(await run.until(round))?.[1];
  await own.stop();
  own = await startReferenceServer(options);
  run.type('a');
  expect(await run.until(round)).toContain(`${chosen} chosen: 0 failed, ${chosen} passed`);
  run.signal();
  expect(await run.ended).toBe(130);
  await own.stop();
});

it('ends after the cases if there is nothing that could begin a round', async (context) => {
  inSoakAlone(context);
  isBroken = false;
  const run = watch(join(folder, 'alone'), '--url', target.url, '--token', server.token, ...creates);
  await run.until(round);
  run.endInput();
  expect(await run.ended).toBe(0);
});

it('names what cannot be watched', async () => {
  const url = ['--url', target.url, '--token', server.token, '--insecure'];
  for (const [words, message] of [
    [['--watch', '--watch-files', join(folder, 'none')], 'is not there: give files or folders'],
    [['--watch-files', folder], '--watch-files is an option of --watch: add --watch'],
    [['--watch', '--allure', folder], '--watch writes no results for Allure: leave out --allure'],
  ] as const)
    expect(await call('run', ...url, ...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});
