// A correct server behind proxies with one fault each, and runs of the suite against them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resources } from '../../matrix/api/index.js';
import { type RunningNodeAgent, startNodeAgent } from '../../node-agent/index.js';
import { namePrefix, objectNameOf, runOf } from '../../suites/client/belonging.js';
import { Client } from '../../suites/client/client.js';
import { at, itemsOf } from '../../suites/client/json.js';
import { pathTo } from '../../suites/client/paths.js';
import { type NodeRecord, startNodeRecord } from '../../suites/index.js';
import { namespaces } from '../../suites/objects/related.js';
import {
  allCases,
  type CaseResult,
  caseId,
  choose,
  chosenBy,
  type Exchange,
  type NotSupported,
  type Subject,
  type Target,
} from '../../suites/requirements/index.js';
import { withoutServed } from '../../suites/run/absences.js';
import { readNotSupported } from '../../suites/run/capabilities.js';
import { runCases } from '../../suites/run/cases.js';
import { loadChapters } from '../../suites/run/chapterFiles.js';
import { Context } from '../../suites/run/context.js';
import { type FeatureSearch, readFeatures } from '../../suites/run/features/read.js';
import { type Group, groups } from '../../suites/run/group.js';
import { type BackendControl, connectControl, controlOperations } from '../../suites/stand-ins/control.js';
import { type ControlServer, serveControl } from '../../suites/stand-ins/controlServer.js';
import type { SeenRequest } from '../../suites/stand-ins/node.js';
import type { Fault, ServerUsers } from '../../suites/testing/faults/wire/fault.js';
import { startFaultyProxy } from '../../suites/testing/faults/wire/faultyProxy.js';
import { Pools } from '../../suites/testing/faults/wire/pools.js';
import { type Running, startReferenceServer } from '../../suites/testing/referenceServer.js';
import { isSoak } from '../../suites/testing/soak.js';
import { referenceServerFlags } from '../fixtures/flags.js';
import { type RunFixtures, startFixtures } from '../run/fixtures.js';
import { type StartedSecondServer, serveSecondServer } from '../run/secondServer.js';

let good: Running;
/** Connections to the correct server for all proxies, since each new one costs handshakes. */
let connections: Pools;
let runFixtures: RunFixtures;
let users: ServerUsers;
/** The faults of the runs that are under way, by the prefix of the names of their objects. */
const present = new Map<string, Fault>();
let folder: string;
let runs = 0;
let record: NodeRecord;
let agent: RunningNodeAgent;
/** Removes what the runs leave. One client, since each new one costs handshakes. */
let cleaner: Client;
const nodeName = 'faults-node';

/** Starts the correct server, its users and its node, and registers the checks of all chapters. */
export async function startGoodServer(): Promise<void> {
  await loadChapters();
  runFixtures = await startFixtures(undefined, 'k8s.io', 'ec');
  const { directory, fixtures } = runFixtures;
  const read = (name: string): string => readFileSync(join(directory, name), 'utf8');
  users = { fixtures, server: { certificate: read('server.crt'), key: read('server.key') } };
  folder = mkdtempSync(join(tmpdir(), 'faults-'));
  const egressSocket = join(folder, 'egress.sock');
  good = await startReferenceServer([...referenceServerFlags(directory, fixtures), '--egress-proxy', egressSocket]);
  connections = new Pools({ ...good, users });
  record = await startNodeRecord();
  agent = await startNodeAgent({
    api: good,
    nodes: [{ name: nodeName, address: '10.250.0.1', podCidr: '10.244.0.0/24' }],
    egressSocket,
    onRequest: (request) => record.add(faultOf(request)?.atNode?.(request) ?? request),
  });
  await agent.registered;
  cleaner = new Client(targetAt(good.url));
}

/** Stops everything that `startGoodServer` has started. */
export async function stopGoodServer(): Promise<void> {
  await cleaner.close();
  await agent.close();
  await record.close();
  await connections.destroy();
  await good.stop();
  await runFixtures.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the fault of the run whose objects a request to the node names. */
function faultOf({ to, path }: SeenRequest): Fault | undefined {
  return [...present].find(([prefix]) => `${to} ${path}`.includes(prefix))?.[1];
}

/** Starts a second correct server with the fixtures of a folder, behind a fault. */
async function startSecond(directory: string, fault: Fault): Promise<StartedSecondServer> {
  const flagsOf = (folder: string): readonly string[] => referenceServerFlags(folder, users.fixtures);
  const starting = startReferenceServer(flagsOf(directory));
  const server = await (fault.starts
    ? starting.catch(() => startReferenceServer(flagsOf(runFixtures.directory)))
    : starting);
  const proxy = await startFaultyProxy({ ...server, users }, fault);
  const stop = async (): Promise<void> => {
    await proxy.close();
    await server.stop();
  };
  return { target: { url: proxy.url, ca: users.fixtures.serverCa }, stop };
}

function targetAt(url: string): Target {
  return {
    name: 'broken',
    url,
    ca: users.fixtures.serverCa,
    credentials: runFixtures.credentials,
    own: ['staticToken'],
    vendor: 'kubernetes',
    domains: { authentication: 'k8s.io', secretType: 'kubernetes.io' },
    notSupported: [],
    deviations: [],
    disposable: false,
  };
}

/** Returns a control of the stand-ins that shows the calls as the broken server would have sent them. */
function controlOf({ calls: change }: Fault): Promise<ControlServer> {
  const control = connectControl(runFixtures.controlUrl);
  const calls: BackendControl['calls'] = async (standIn, about) => {
    const received = await (about === undefined ? control.calls(standIn) : control.calls(standIn, about));
    return change === undefined ? received : received.flatMap((call) => change(call, standIn));
  };
  return serveControl({ ...control, calls }, controlOperations);
}

/** Returns what the broken server lacks, from its discovery, version, documents and probes. */
async function lacksOf(
  target: Target,
  { runId, grep, authentication }: { readonly grep: string } & Pick<FeatureSearch, 'runId' | 'authentication'>,
): Promise<readonly NotSupported[]> {
  const client = new Client(target, undefined, { tries: 3 });
  try {
    const version = (await client.send({ method: 'GET', path: '/version' })).tryValue();
    const notSupported = await withoutServed(await readNotSupported(client), client, runId);
    const { lacks } = await readFeatures({
      ...{ client, runId, authentication, cases: choose({ grep }), notSupported, demanded: undefined },
      serverVersion: String(at(version, 'gitVersion')),
      deletes: true,
      timeout: 3_000,
    });
    return [...notSupported, ...lacks];
  } finally {
    await client.close();
  }
}

/** The time limit for the first events of a correct server, in milliseconds, on a shared machine. */
export const generous = 15_000;

/** The same for a broken server, whose events may never arrive. Editing megabytes of frames takes longer. */
export const timeoutWith = ({ frame }: Fault): number => (frame === undefined ? 1_000 : 2_000);

/** The time limit for a lost server to come back, in milliseconds: none of these servers is restarted. */
const recoveryTimeout = 1_000;

/** A subject of a group, and its place in the order of a run. */
interface Listed {
  readonly group: Group;
  readonly subject: Subject;
  readonly place: number;
}

let listed: ReadonlyMap<string, Listed> | undefined;

/** Returns the subject of each case of every chapter. They are listed once, since each fault looks its cases up. */
function subjectsById(): ReadonlyMap<string, Listed> {
  if (listed !== undefined) return listed;
  const every = groups
    .flatMap((group) => group.subjects.map((subject) => ({ group, subject })))
    .map((one, place): Listed => ({ ...one, place }));
  listed = new Map(every.flatMap((one) => one.group.checks.map(({ id }) => [caseId(id, one.subject), one] as const)));
  return listed;
}

/** Returns what stands for the setup that sends the requests of a case: one for all cases of a group on a subject. */
export const setupOf = (id: string): unknown => subjectsById().get(id);

/** The ids of all cases by their chapters: a fault looks through those of its own chapters. */
const idsOfChapters = new Map<string, string[]>();
for (const { id, requirement } of allCases()) {
  const ids = idsOfChapters.get(requirement.chapter) ?? [];
  idsOfChapters.set(requirement.chapter, ids);
  ids.push(id);
}

/** The requirements about megabytes, which cost more than all other cases of a row. */
const large = ['connect.exec-bytes', 'connect.portforward-bytes'];

/** The ids of the cases of the faults that were looked up. */
const named = new WeakMap<Fault, ReadonlySet<string>>();

/** Returns the ids of the cases of a fault: those that its row names, without large ones that need not fail. */
export function casesOf(fault: Fault): ReadonlySet<string> {
  const known = named.get(fault);
  if (known !== undefined) return known;
  const { grep, chapters = [...idsOfChapters.keys()], fails } = fault;
  const isNamed = chosenBy({ grep });
  const spared = large.filter((id) => !fails.includes(id));
  const isChosen = (id: string): boolean => isNamed(id) && !spared.some((each) => id.startsWith(`${each} › `));
  const ids = new Set(chapters.flatMap((chapter) => idsOfChapters.get(chapter) ?? []).filter(isChosen));
  named.set(fault, ids);
  return ids;
}

/** Looks at the cases of a subject of which some have failed, and at their exchanges. */
type Look = (results: readonly CaseResult[], exchanges: readonly Exchange[]) => void;

/** Runs cases against the broken server, those of its fault by default. `timeout` is in milliseconds. */
export async function resultsOf(
  fault: Fault,
  timeout = timeoutWith(fault),
  chosen = casesOf(fault),
  look?: Look,
): Promise<CaseResult[]> {
  const proxy = await startFaultyProxy({ ...good, users }, fault, connections);
  runs += 1;
  const index = String(runs);
  const runId = runs.toString(16).padStart(6, '0');
  present.set(namePrefix(runId), fault);
  const control = await controlOf(fault);
  const second = await serveSecondServer(runFixtures.directory, (directory) => startSecond(directory, fault));
  const urls = { controlUrl: control.url, secondServerUrl: second.url };
  const target = targetAt(proxy.url);
  const authentication = { fixtures: runFixtures.fixtures, ...urls };
  const notSupported = fault.probed ? await lacksOf(target, { runId, grep: fault.grep, authentication }) : [];
  const run = {
    runId,
    target: { ...target, notSupported },
    directory: folder,
    timeout,
    recoveryTimeout,
    ...(!isSoak && { keepsHistories: true as const }),
    node: { name: nodeName, controlUrl: record.controlUrl },
    authentication,
  };
  const context = new Context(run, index);
  const results: CaseResult[] = [];
  const byId = subjectsById();
  const subjects = new Set([...chosen].flatMap((id) => byId.get(id) ?? []));
  for (const { group, subject } of [...subjects].sort((one, other) => one.place - other.place)) {
    const checks = group.checks.filter(({ id }) => chosen.has(caseId(id, subject)));
    const ofSubject = await runCases(context, subject, { ...group, checks });
    results.push(...ofSubject);
    if (look !== undefined && failedIn(ofSubject).length > 0) look(ofSubject, context.client.takeExchanges());
    else context.client.dropExchanges();
  }
  await context.client.close();
  await proxy.close();
  await control.close();
  await second.close();
  present.delete(namePrefix(runId));
  // What stays on the good server says nothing of the fault.
  await remove(runId).catch(() => undefined);
  return results;
}

/** The kinds outside of namespaces of which a run can leave objects. */
const wide = resources.filter(
  ({ namespaced, stated, unstated, kind }) =>
    !namespaced && [...stated, ...unstated].includes('list') && kind !== 'ComponentStatus',
);

/** The ids of the runs that have ended, whose objects are still on the correct server. */
const ended = new Set<string>();

/**
 * Removes the objects of a run from the correct server, which empties the namespaces: a clean-up would list all kinds.
 * Those of several runs go together, since most of the work is to list.
 */
async function remove(runId: string): Promise<void> {
  ended.add(runId);
  if (ended.size < 10) return;
  const over = new Set(ended);
  ended.clear();
  for (const resource of wide) {
    const reply = await cleaner.send({ method: 'GET', path: pathTo(resource, 'list', undefined) });
    for (const object of itemsOf(reply.value()).filter((item) => over.has(runOf(item) ?? ''))) {
      const name = objectNameOf(object);
      const path = pathTo(resource, 'delete', undefined, name);
      await cleaner.send({ method: 'DELETE', path });
      if (resource !== namespaces) continue;
      const body = JSON.stringify({ metadata: { name }, spec: { finalizers: [] } });
      const headers = { 'content-type': 'application/json' };
      await cleaner.send({ method: 'PUT', path: `${path}/finalize`, headers, body });
    }
  }
  cleaner.takeExchanges();
}

export const failedIn = (results: readonly CaseResult[]): CaseResult[] =>
  results.filter(({ verdict }) => verdict === 'failed' || verdict === 'blocked');

/** The requirements that have failed, sorted by id. */
export const failedRequirements = (results: readonly CaseResult[]): string[] =>
  [...new Set(failedIn(results).map(({ requirement }) => requirement))].sort();

/** The ids of the cases that affect other runs. */
const alone = allCases().flatMap(({ id, subject }) => (subject.alone ? [id] : []));

/** Reports whether a case of the fault affects other runs. */
export function isAlone(fault: Fault): boolean {
  const ids = casesOf(fault);
  return alone.some((id) => ids.has(id));
}
