// Tests that Allure fails what fails the run: no known failure of a baseline, and recommended rules only in a strict run.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

/** Runs with Allure. Returns the exit code, the failures that JUnit counts, and the failed and skipped steps of Allure. */
async function ran(name: string, ...words: readonly string[]) {
  const output = join(folder, name);
  const [results, to] = [join(output, 'allure'), ['--url', broken.url, '--token', server.token]];
  const chosen = ['--chapter', 'create', '--grep', 'configmaps'];
  const { code } = await call('run', ...to, ...chosen, '--output', output, '--allure', results, ...words);
  const tests = readdirSync(results)
    .filter((file) => file.endsWith('-result.json'))
    .map((file) => JSON.parse(readFileSync(join(results, file), 'utf8')) as Result);
  const steps = tests.flatMap((test) => test.steps);
  const count = (status: string): number => steps.filter((step) => step.status === status).length;
  const said = steps.map(({ statusDetails }) => statusDetails?.message ?? '').join('\n');
  const junit = /failures="(\d+)"/.exec(readFileSync(join(output, 'junit.xml'), 'utf8'))?.[1];
  return { code, junit: Number(junit), failed: count('failed'), tests: tests.map(({ status }) => status), said };
}

it('fails as many cases as JUnit, with and without a baseline', async () => {
  const first = await ran('first');
  expect(first.code).toBe(1);
  expect(first.failed).toBeGreaterThan(0);
  expect(first.failed).toBe(first.junit);
  const again = await ran('again', '--baseline', join(folder, 'first', 'report.json'));
  expect(again).toMatchObject({ code: 0, junit: 0, failed: 0 });
  expect(again.tests).not.toContain('failed');
  const strict = await ran('strict', '--strict');
  expect(strict.failed).toBe(strict.junit);
  expect(strict.failed).toBeGreaterThanOrEqual(first.failed);
});
