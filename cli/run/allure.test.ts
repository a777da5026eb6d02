// Tests runs by Playwright, for Allure: they find what our workers find, and Allure fails what fails the run: no known
// failure of a baseline, and recommended rules only in a strict run.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEvidence } from '../../reports/index.js';
import { type FaultyProxy, startFaultyProxy } from '../../suites/testing/faults/wire/faultyProxy.js';
import { set } from '../../suites/testing/faults/wire/objects.js';
import { shown } from '../../suites/testing/faults/wire/replies.js';
import { type Running, startReferenceServer } from '../../suites/testing/referenceServer.js';
import { call } from '../../suites/testing/runCommand.js';

let server: Running;
let broken: FaultyProxy;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'allure-'));
  server = await startReferenceServer();
  broken = await startFaultyProxy(server, shown('GET ConfigMap', set('metadata.labels', {})));
});
afterAll(async () => {
  await broken.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

interface Result {
  readonly status: string;
  readonly steps: readonly { readonly status: string; readonly statusDetails?: { readonly message?: string } }[];
}

const chosen = ['--chapter', 'create', '--grep', 'configmaps', '--evidence', 'all'];

/** Runs the cases. Returns the exit code, the folder, and each case with its verdict and whether it has exchanges. */
async function run(name: string, ...words: readonly string[]) {
  const output = join(folder, name);
  const to = ['--url', broken.url, '--token', server.token];
  const { code } = await call('run', ...to, ...chosen, '--output', output, ...words);
  const { cases } = await readEvidence(join(output, 'evidence.jsonl'));
  const found = [...cases.values()].map(({ id, verdict, exchanges }) => [id, verdict, exchanges.length > 0] as const);
  return { code, output, found: found.sort() };
}

/** Runs with Allure. Adds the failures that JUnit counts, and the failed and skipped steps of Allure. */
async function ran(name: string, ...words: readonly string[]) {
  const results = join(folder, name, 'allure');
  const { output, ...ended } = await run(name, '--allure', results, ...words);
  const tests = readdirSync(results)
    .filter((file) => file.endsWith('-result.json'))
    .map((file) => JSON.parse(readFileSync(join(results, file), 'utf8')) as Result);
  const steps = tests.flatMap((test) => test.steps);
  const count = (status: string): number => steps.filter((step) => step.status === status).length;
  const junit = /failures="(\d+)"/.exec(readFileSync(join(output, 'junit.xml'), 'utf8'))?.[1];
  return { ...ended, junit: Number(junit), failed: count('failed'), tests: tests.map(({ status }) => status) };
}

it('fails as many cases as JUnit, with and without a baseline', async () => {
  const own = await run('own');
  const first = await ran('first');
  expect(first.code).toBe(1);
  expect(first.failed).toBeGreaterThan(0);
  expect(first.failed).toBe(first.junit);
  expect(own).toMatchObject({ code: 1, found: first.found });
  expect(new Set(own.found.map(([, verdict]) => verdict))).toEqual(new Set(['passed', 'failed']));
  const again = await ran('again', '--baseline', join(folder, 'own', 'report.json'));
  expect(again).toMatchObject({ code: 0, junit: 0, failed: 0 });
  expect(again.tests).not.toContain('failed');
  const strict = await ran('strict', '--strict');
  expect(strict.failed).toBe(strict.junit);
  expect(strict.failed).toBeGreaterThanOrEqual(first.failed);
});
