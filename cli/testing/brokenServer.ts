// A good server behind a proxy that breaks it in one way, and the run of the chapters that should notice.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  allCases,
  type CaseResult,
  caseId,
  choose,
  type Level,
  type NotSupported,
  requirements,
  type Target,
} from '../../matrix/requirements/index.js';
import { type RunningNodeAgent, startNodeAgent } from '../../node-agent/index.js';
import { judgeSample } from '../../reports/testing/sample.js';
import { cleanUp, type NodeRecord, startNodeRecord } from '../../suites/index.js';
import type { Fault, Known } from '../../suites/self/faults/parts.js';
import { startFaultyProxy } from '../../suites/self/faults/proxy.js';
import { type Running, startReferenceServer } from '../../suites/self/referenceServer.js';
import { connectControl, controlOperations, type StandInControl } from '../../suites/stand-ins/control.js';
import { type ControlServer, serveControl } from '../../suites/stand-ins/controlServer.js';
import { runCell } from '../../suites/support/cell.js';
import { performances } from '../../suites/support/chapter.js';
import { Client } from '../../suites/support/client.js';
import { type Looking, readFeatures } from '../../suites/support/features/read.js';
import { at } from '../../suites/support/json.js';
import { Context } from '../../suites/support/worker.js';
import { referenceServerFlags } from '../fixtures/flags.js';
import { type RunFixtures, startFixtures } from '../runFixtures.js';
import { type Started, serveSecondServer } from '../secondServer.js';

let good: Running;
let users: RunFixtures;
let known: Known;
let second: Awaited<ReturnType<typeof serveSecondServer>>;
/** What is wrong with servers that are started now. */
let present: Fault = { name: 'nothing', grep: '', fails: [] };
let folder: string;
let runs = 0;
let record: NodeRecord;
let agent: RunningNodeAgent;
const nodeName = 'faults-node';
const levels = new Map<string, Level>(requirements.map(({ id, row }) => [id, row.level]));

const suites = join(import.meta.dirname, '../../suites');
const specs = readdirSync(suites).filter((file) => file.endsWith('.spec.ts'));

/** Starts the good server, its users and its node, and registers the checks of all chapters. */
async function start(): Promise<void> {
  for (const spec of specs) {
    const file = join(suites, spec);
    await import(file);
  }
  users = await startFixtures(undefined, 'k8s.io');
  const { directory, fixtures } = users;
  const read = (name: string): string => readFileSync(join(directory, name), 'utf8');
  known = { fixtures, server: { certificate: read('server.crt'), key: read('server.key') } };
  folder = mkdtempSync(join(tmpdir(), 'faults-'));
  const egressSocket = join(folder, 'egress.sock');
  good = await startReferenceServer([...referenceServerFlags(directory, fixtures), '--egress-proxy', egressSocket]);
  second = await serveSecondServer(directory, startSecond);
  record = await startNodeRecord();
  agent = await startNodeAgent({
    api: good,
    nodes: [{ name: nodeName, address: '10.250.0.1', podCidr: '10.244.0.0/24' }],
    egressSocket,
    onRequest: (request) => record.add(present.atNode?.(request) ?? request),
  });
  await agent.registered;
}

/** Stops all that `start` has started. */
async function stop(): Promise<void> {
  await second.close();
  await agent.close();
  await record.close();
  await good.stop();
  await users.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Registers the hooks that start and stop the good server that every broken one of a test file stands before. */
export function useGoodServer(): void {
  beforeAll(start);
  afterAll(stop);
}

/** Starts another good server with the fixtures of a folder, behind the present fault. */
async function startSecond(directory: string): Promise<Started> {
  const flagsOf = (folder: string): readonly string[] => referenceServerFlags(folder, known.fixtures);
  const starting = startReferenceServer(flagsOf(directory));
  const server = await (present.starts
    ? starting.catch(() => startReferenceServer(flagsOf(users.directory)))
    : starting);
  const proxy = await startFaultyProxy({ ...server, known }, present);
  const stop = async (): Promise<void> => {
    await proxy.close();
    await server.stop();
  };
  return { target: { url: proxy.url, ca: known.fixtures.serverCa }, stop };
}

function targetAt(url: string): Target {
  return {
    name: 'broken',
    url,
    ca: known.fixtures.serverCa,
    credentials: users.credentials,
    own: ['staticToken'],
    vendor: 'kubernetes',
    domains: { authentication: 'k8s.io', secretType: 'kubernetes.io' },
    notSupported: [],
    deviations: [],
    disposable: false,
  };
}

/** The control of the stand-ins, which have seen what the broken server would have asked them. */
function controlOf({ seen }: Fault): Promise<ControlServer> {
  const control = connectControl(users.controlUrl);
  const calls: StandInControl['calls'] = async (standIn, about) => {
    const received = await (about === undefined ? control.calls(standIn) : control.calls(standIn, about));
    return seen === undefined ? received : received.flatMap((call) => seen(call, standIn));
  };
  return serveControl({ ...control, calls }, controlOperations);
}

/** What the broken server lacks of the table of features, by what it says of itself and does. */
async function lacksOf(
  target: Target,
  { runId, grep, authentication }: { readonly grep: string } & Pick<Looking, 'runId' | 'authentication'>,
): Promise<readonly NotSupported[]> {
  const client = new Client(target);
  try {
    const version = (await client.send({ method: 'GET', path: '/version' })).tryValue();
    const { lacks } = await readFeatures({
      ...{ client, runId, authentication, cases: choose({ grep }), notSupported: [], demanded: undefined },
      serverVersion: String(at(version, 'gitVersion')),
      deletes: true,
      patience: 3_000,
    });
    return lacks;
  } finally {
    await client.close();
  }
}

/** Milliseconds for what must come at once of a good server, on a machine that others use too. */
const generous = 15_000;

/** The same for a broken one, from which it may never come; megabytes that are taken apart on their way take a while. */
const patienceWith = ({ piece }: Fault): number => (piece === undefined ? 1_000 : 2_000);

/** Runs the selected cells against the broken server; the requirements that failed, in order of their ids. */
export async function failing(fault: Fault): Promise<string[]> {
  return failedOf(await resultsOf(fault, generous));
}

function failedOf(results: readonly CaseResult[]): string[] {
  const failed = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'blocked');
  return [...new Set(failed.map(({ requirement }) => requirement))].sort();
}

/** Whether a run with these results is conformant, in whole or in part. */
function isConformant(results: readonly CaseResult[]): boolean {
  const ids = new Set(results.map(({ id }) => id));
  const { outcome } = judgeSample({ results, expected: allCases().filter(({ id }) => ids.has(id)) });
  return outcome !== 'not-conformant';
}

/** Milliseconds that a server that is gone is waited for: none of these is started again. */
const comesBack = 1_000;

/** Runs the selected cells against the broken server. */
async function resultsOf(fault: Fault, patience = patienceWith(fault)): Promise<CaseResult[]> {
  present = fault;
  const proxy = await startFaultyProxy({ ...good, known }, fault);
  runs += 1;
  const runId = runs.toString(16).padStart(6, '0');
  const control = await controlOf(fault);
  const urls = { controlUrl: control.url, secondServerUrl: second.url };
  const target = targetAt(proxy.url);
  const authentication = { fixtures: users.fixtures, ...urls };
  const notSupported = fault.probed ? await lacksOf(target, { runId, grep: fault.grep, authentication }) : [];
  const run = {
    runId,
    target: { ...target, notSupported },
    directory: folder,
    choice: { grep: fault.grep },
    patience,
    comesBack,
    node: { name: nodeName, controlUrl: record.controlUrl },
    authentication,
  };
  const context = new Context(run, String(runs));
  const results: CaseResult[] = [];
  for (const performance of performances) {
    if (fault.chapters?.includes(performance.chapter) === false) continue;
    for (const subject of performance.subjects) {
      if (!performance.judges.some(({ id }) => context.chosen(caseId(id, subject)))) continue;
      results.push(...(await runCell(context, subject, performance)));
      context.client.takeExchanges();
    }
  }
  await context.client.close();
  await proxy.close();
  await control.close();
  const cleaner = new Client({ ...target, url: good.url });
  await cleanUp(cleaner, runId, []);
  await cleaner.close();
  return results;
}

/** Tests that each of the broken servers fails exactly the requirements that its row names. */
export function testFaults(rows: readonly Fault[]): void {
  it.each(rows.map((fault) => [fault.name, fault] as const))('%s', { timeout: 300_000 }, async (_, fault) => {
    const fails = [...fault.fails].sort();
    const hurried = await resultsOf(fault);
    const isAsSaid = failedOf(hurried).join() === fails.join();
    // What came too late on a loaded machine comes to who waits longer.
    const results = isAsSaid ? hurried : await resultsOf(fault, generous);
    expect(failedOf(results)).toEqual(fails);
    expect(isConformant(results), 'conformant').toBe(!fault.fails.some((id) => levels.get(id) === 'stated'));
  });
}
