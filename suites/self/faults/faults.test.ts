// Every requirement can fail: its chapter runs against servers that are broken in one way each.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseId, requirements, selects, type Target } from '../../../matrix/requirements/index.js';
import { isChecked } from '../../../matrix/requirements/types.js';
import { type RunningNodeAgent, startNodeAgent } from '../../../node-agent/index.js';
import { cleanUp, type NodeRecord, startNodeRecord } from '../../index.js';
import { runCell } from '../../support/cell.js';
import { performances } from '../../support/chapter.js';
import { Client } from '../../support/client.js';
import { Context } from '../../support/worker.js';
import { type Running, startReferenceServer } from '../referenceServer.js';
import { faults } from './index.js';
import type { Fault } from './parts.js';
import { startFaultyProxy } from './proxy.js';

let good: Running;
let folder: string;
let runs = 0;
let record: NodeRecord;
let agent: RunningNodeAgent;
let current: Fault | undefined;
const nodeName = 'faults-node';

const suites = join(import.meta.dirname, '../..');
const specs = readdirSync(suites).filter((file) => file.endsWith('.spec.ts'));

beforeAll(async () => {
  for (const spec of specs) {
    const file = join(suites, spec);
    await import(file);
  }
  folder = mkdtempSync(join(tmpdir(), 'faults-'));
  const egressSocket = join(folder, 'egress.sock');
  good = await startReferenceServer('--egress-proxy', egressSocket);
  record = await startNodeRecord();
  agent = await startNodeAgent({
    api: good,
    nodes: [{ name: nodeName, address: '10.250.0.1', podCidr: '10.244.0.0/24' }],
    egressSocket,
    onRequest: (request) => record.add(current?.atNode?.(request) ?? request),
  });
  await agent.registered;
});
afterAll(async () => {
  await agent.close();
  await record.close();
  await good.stop();
  rmSync(folder, { recursive: true, force: true });
});

function targetAt(url: string): Target {
  return {
    name: 'broken',
    url,
    credentials: { staticToken: { token: good.token } },
    vendor: 'kubernetes',
    domains: { authentication: 'k8s.io', secretType: 'kubernetes.io' },
    notOffered: [],
    deviations: [],
    disposable: false,
  };
}

/** Runs the selected cells against the broken server; the requirements that failed, in order of their ids. */
async function failing(fault: Fault): Promise<string[]> {
  const proxy = await startFaultyProxy(good.url, good.ca, fault);
  runs += 1;
  const runId = runs.toString(16).padStart(6, '0');
  current = fault;
  const run = {
    runId,
    target: targetAt(proxy.url),
    directory: folder,
    grep: fault.grep,
    patience: 1_000,
    node: { name: nodeName, controlUrl: record.controlUrl },
  };
  const context = new Context(run, String(runs));
  const failed = new Set<string>();
  for (const performance of performances) {
    if (fault.chapters?.includes(performance.chapter) === false) continue;
    for (const subject of performance.subjects) {
      if (!performance.judges.some(({ id }) => selects(fault.grep, caseId(id, subject)))) continue;
      for (const { requirement, verdict } of await runCell(context, subject, performance)) {
        if (verdict === 'failed' || verdict === 'not-testable') failed.add(requirement);
      }
      context.client.takeExchanges();
    }
  }
  await context.client.close();
  await proxy.close();
  const cleaner = new Client({ ...run.target, url: good.url, ca: good.ca });
  await cleanUp(cleaner, runId, []);
  await cleaner.close();
  return [...failed].sort();
}

describe('a server that', () => {
  it('is good passes', async () => {
    expect(await failing({ name: '', grep: 'configmaps', fails: [] })).toEqual([]);
  });

  it.each(faults.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
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
