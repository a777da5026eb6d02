// A run in which thousands of cells fail against a green one: wall and CPU time of the whole run, and their ratio.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEvidence } from '../../reports/index.js';
import type { Broken } from '../../suites/testing/faults/wire/fault.js';
import { startFaultyProxy } from '../../suites/testing/faults/wire/faultyProxy.js';
import { main, startReferenceServer } from '../../suites/testing/referenceServer.js';

const broken: Broken = {
  reply: (reply) => ({
    ...reply,
    status: reply.status < 300 ? 200 : 418,
    headers: { ...reply.headers, 'content-type': 'application/json; charset=utf-8' },
    body: reply.body.replaceAll('"uid"', '"UID"').replaceAll('"kind"', '"Kind"'),
  }),
};

interface Figures {
  readonly name: string;
  readonly seconds: number;
  readonly failed: number;
  readonly cases: number;
}

async function measure(name: string, edits: Broken): Promise<Figures> {
  const server = await startReferenceServer();
  const proxy = await startFaultyProxy(server, edits);
  const output = mkdtempSync(join(tmpdir(), 'failing-run-'));
  const started = performance.now();
  const options = ['run', '--url', proxy.url, '--token', server.token, '--disposable', '--output', output];
  const child = spawn(process.execPath, [main, ...options], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  const seconds = (performance.now() - started) / 1000;
  const { cases } = await readEvidence(join(output, 'evidence.jsonl.gz'));
  const failed = [...cases.values()].filter(({ verdict }) => verdict === 'failed' || verdict === 'blocked').length;
  await proxy.close();
  await server.stop();
  rmSync(output, { recursive: true });
  return { name, seconds, failed, cases: cases.size };
}

/** Runs the suite against a good server and a broken one; answers the figures as text. */
export async function compareFailingRun(): Promise<string> {
  const [green, red] = [await measure('good', {}), await measure('broken', broken)];
  const lines = [green, red].map(
    ({ name, seconds, failed, cases }) =>
      `${name.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s  ${failed} of ${cases} cases failed\n`,
  );
  return `${lines.join('')}ratio    ${(red.seconds / green.seconds).toFixed(2).padStart(6)}\n`;
}
