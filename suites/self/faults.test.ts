// Every requirement can fail: the suite runs against servers that are broken in one way each.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requirements } from '../../matrix/requirements/index.js';
import { isChecked } from '../../matrix/requirements/types.js';
import { readEvidence } from '../../reports/index.js';
import type { Fault } from './faultParts.js';
import { faults } from './faults.js';
import { startFaultyProxy } from './faultyProxy.js';
import { main, type Running, startReferenceServer } from './referenceServer.js';

let good: Running;
let folder: string;

beforeAll(async () => {
  good = await startReferenceServer();
  folder = mkdtempSync(join(tmpdir(), 'faults-'));
});
afterAll(async () => {
  await good.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the suite against the broken server; the requirements that failed, in order of their ids. */
async function failing(fault: Fault): Promise<string[]> {
  const proxy = await startFaultyProxy(good.url, good.ca, fault);
  const output = mkdtempSync(join(folder, 'run-'));
  const options = [
    'run',
    '--url',
    proxy.url,
    '--token',
    good.token,
    '--workers',
    '1',
    '--output',
    output,
    '--grep',
    fault.grep,
  ];
  try {
    const child = spawn(process.execPath, [main, ...options], { stdio: 'ignore' });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    if (code !== 0 && code !== 1) throw new Error(`the suite could not run: ${String(code)}`);
    const { cases } = await readEvidence(join(output, 'evidence.jsonl'));
    const bad = [...cases.values()].filter(({ verdict }) => verdict === 'failed' || verdict === 'not-testable');
    return [...new Set(bad.map(({ requirement }) => requirement))].sort();
  } finally {
    await proxy.close();
  }
}

describe.concurrent('a server that', () => {
  it('is good passes', async ({ expect }) => {
    expect(await failing({ name: '', grep: 'configmaps', fails: [] })).toEqual([]);
  });

  it.for(faults.map((fault) => [fault.name, fault] as const))('%s', async ([, fault], { expect }) => {
    expect(await failing(fault)).toEqual([...fault.fails].sort());
  });
});

describe('the faults', () => {
  it('make every checked requirement fail once', () => {
    const caught = new Set(faults.flatMap(({ fails }) => fails));
    const never = requirements.filter(({ row, id }) => isChecked(row) && !caught.has(id)).map(({ id }) => id);
    expect(never).toEqual([]);
  });
});
