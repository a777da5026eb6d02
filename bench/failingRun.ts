// A run in which thousands of cells fail against a green one: wall and CPU time of the whole run, and their ratio.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEvidence } from '../reports/index.js';
import type { Fault } from '../suites/self/faults/parts.js';
import { startFaultyProxy } from '../suites/self/faults/proxy.js';
import { main, startReferenceServer } from '../suites/self/referenceServer.js';

const none: Fault = { name: 'good', grep: '', fails: [] };
const broken: Fault = {
  name: 'broken',
  grep: '',
  fails: [],
  reply: (returning) => ({
    ...returning,
    status: returning.status < 300 ? 200 : 418,
    headers: { ...returning.headers, 'content-type': 'application/json; charset=utf-8' },
    body: returning.body.replaceAll('"uid"', '"UID"').replaceAll('"kind"', '"Kind"'),
  }),
};

interface Figures {
  readonly name: string;
  readonly seconds: number;
  readonly failed: number;
  readonly cases: number;
}

async function measure(fault: Fault): Promise<Figures> {
  const server = await startReferenceServer();
  const proxy = await startFaultyProxy(server, fault);
  const output = mkdtempSync(join(tmpdir(), 'failing-run-'));
  const started = performance.now();
  const options = ['run', '--url', proxy.url, '--token', server.token, '--disposable', '--output', output];
  const child = spawn(process.execPath, [main, ...options], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  const seconds = (performance.now() - started) / 1000;
  const { cases } = await readEvidence(join(output, 'evidence.jsonl'));
  const failed = [...cases.values()].filter(({ verdict }) => verdict === 'failed' || verdict === 'blocked').length;
  await proxy.close();
  await server.stop();
  rmSync(output, { recursive: true });
  return { name: fault.name, seconds, failed, cases: cases.size };
}

/** Runs the suite against a good server and a broken one; answers the figures as text. */
export async function compareFailingRun(): Promise<string> {
  const [green, red] = [await measure(none), await measure(broken)];
  const lines = [green, red].map(
    ({ name, seconds, failed, cases }) =>
      `${name.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s  ${failed} of ${cases} cases failed\n`,
  );
  return `${lines.join('')}ratio    ${(red.seconds / green.seconds).toFixed(2).padStart(6)}\n`;
}
