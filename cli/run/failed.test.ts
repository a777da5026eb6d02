// Tests `run --failed`: what failed in the last run is run again, and nothing else.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
let output: string;
beforeAll(async () => {
  output = mkdtempSync(join(tmpdir(), 'failed-'));
  server = await startReferenceServer();
  broken = await startFaultyProxy(server, shown('GET ConfigMap', set('metadata.labels', {})));
});
afterAll(async () => {
  await broken.close();
  await server.stop();
  rmSync(output, { recursive: true });
});

const run = (url: string, ...words: readonly string[]) =>
  call('run', '--url', url, '--token', server.token, '--output', output, ...words);

it('runs what failed again, until nothing fails', async () => {
  expect(await run(broken.url, '--failed')).toMatchObject({ code: 2, stderr: expect.stringContaining('no report in') });
  const first = await run(broken.url, '--chapter', 'create', '--grep', 'configmaps');
  expect(first.code).toBe(1);
  const count = Number(/(\d+) failed/.exec(first.stdout)?.[1]);
  expect(count).toBeGreaterThan(0);
  const again = await run(broken.url, '--failed');
  expect([again.code, again.stdout]).toEqual([1, expect.stringContaining(`cases: 0 passed, ${count} failed`)]);
  expect(again.stdout).toContain('what failed in the run before');
  const mended = await run(server.url, '--ca', server.caFile, '--failed');
  expect([mended.code, mended.stdout]).toEqual([0, expect.stringContaining(`cases: ${count} passed, 0 failed`)]);
  const none = await run(server.url, '--ca', server.caFile, '--failed');
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('no case failed in the last run') });

  writeFileSync(join(output, 'report.json'), '{');
  const damaged = await run(server.url, '--ca', server.caFile, '--failed');
  expect(damaged).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--failed: .* is not JSON/) });
});
