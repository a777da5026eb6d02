// Every requirement can fail: its chapter runs against servers that are broken in one way each.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { referenceServerFlags } from '../../../cli/fixtures/flags.js';
import { type RunFixtures, startFixtures } from '../../../cli/runFixtures.js';
import { type Started, serveSecondServer } from '../../../cli/secondServer.js';
import {
  allCases,
  type CaseResult,
  caseId,
  choose,
  type Level,
  type NotOffered,
  requirements,
  type Target,
} from '../../../matrix/requirements/index.js';
import { isChecked } from '../../../matrix/requirements/types.js';
import { type RunningNodeAgent, startNodeAgent } from '../../../node-agent/index.js';
import { judgeSample } from '../../../reports/testing/sample.js';
import { cleanUp, type NodeRecord, startNodeRecord } from '../../index.js';
import { connectControl, controlOperations, type StandInControl } from '../../stand-ins/control.js';
import { type ControlServer, serveControl } from '../../stand-ins/controlServer.js';
import { runCell } from '../../support/cell.js';
import { performances } from '../../support/chapter.js';
import { Client } from '../../support/client.js';
import { type Looking, readFeatures } from '../../support/features/read.js';
import { at } from '../../support/json.js';
import { Context } from '../../support/worker.js';
import { type Running, startReferenceServer } from '../referenceServer.js';
import { faults } from './index.js';
import type { Fault, Known } from './parts.js';
import { startFaultyProxy } from './proxy.js';

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

const suites = join(import.meta.dirname, '../..');
const specs = readdirSync(suites).filter((file) => file.endsWith('.spec.ts'));

beforeAll(async () => {
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
});
afterAll(async () => {
  await second.close();
  await agent.close();
  await record.close();
  await good.stop();
  await users.close();
  rmSync(folder, { recursive: true, force: true });
});

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
    notOffered: [],
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
): Promise<readonly NotOffered[]> {
  const client = new Client(target);
  try {
    const version = (await client.send({ method: 'GET', path: '/version' })).tryValue();
    const { lacks } = await readFeatures({
      ...{ client, runId, authentication, cases: choose({ grep }), notOffered: [], demanded: undefined },
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
async function failing(fault: Fault): Promise<string[]> {
  return failedOf(await resultsOf(fault, generous));
}

function failedOf(results: readonly CaseResult[]): string[] {
  const failed = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'not-testable');
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
  const notOffered = fault.probed ? await lacksOf(target, { runId, grep: fault.grep, authentication }) : [];
  const run = {
    runId,
    target: { ...target, notOffered },
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

describe('a server that', () => {
  it('is good passes', async () => {
    expect(await failing({ name: '', grep: 'configmaps', fails: [] })).toEqual([]);
  });

  it.each(['certificates.', 'server, ', ' › staticToken, '])('is good passes by its users, %s', async (grep) => {
    const chapters = ['authentication', 'certificates'] as const;
    expect(await failing({ name: '', grep, chapters, tls: true, fails: [] })).toEqual([]);
  });

  it.each([
    'GET /api/v1/namespaces/{namespace}/pods/{name}/exec, v4.base64',
    'POST /api/v1/namespaces/{namespace}/pods/{name}/exec, SPDY/3.1',
    'GET /api/v1/namespaces/{namespace}/pods/{name}/portforward, v4.channel',
  ])('is good passes by the pieces of its connections, %s', async (grep) => {
    const neutral: Fault = { name: '', grep, chapters: ['connect'], piece: () => (piece) => [piece], fails: [] };
    expect(await failing(neutral)).toEqual([]);
  });

  const named = faults.map((fault) => [fault.name, fault] as const);
  it.each(named)('%s', { timeout: 300_000 }, async (_, fault) => {
    const fails = [...fault.fails].sort();
    const hurried = await resultsOf(fault);
    const isAsSaid = failedOf(hurried).join() === fails.join();
    // What came too late on a loaded machine comes to who waits longer.
    const results = isAsSaid ? hurried : await resultsOf(fault, generous);
    expect(failedOf(results)).toEqual(fails);
    expect(isConformant(results), 'conformant').toBe(!fault.fails.some((id) => levels.get(id) === 'stated'));
  });
});

describe('the faults', () => {
  it('that say what the verdict is have the requirements for it', () => {
    const wrong = faults.filter(
      ({ conformant, fails }) =>
        conformant !== undefined && conformant === fails.some((id) => levels.get(id) === 'stated'),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('make every checked requirement fail once', () => {
    const caught = new Set(faults.flatMap(({ fails }) => fails));
    const never = requirements.filter(({ row, id }) => isChecked(row) && !caught.has(id)).map(({ id }) => id);
    expect(never).toEqual([]);
  });
});
