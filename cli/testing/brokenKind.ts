// A correct server with a custom resource behind proxies with one fault each, and runs of the suite on that kind.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundKind } from '../../matrix/api/index.js';
import { Client } from '../../suites/client/client.js';
import { cleanUp, findKinds, Sandbox, withSamples } from '../../suites/index.js';
import { type CaseResult, caseId, chosenBy, foundSubjects, type Target } from '../../suites/requirements/index.js';
import { runCases } from '../../suites/run/cases.js';
import { onFound } from '../../suites/run/chapter.js';
import { loadChapters } from '../../suites/run/chapterFiles.js';
import { Context } from '../../suites/run/context.js';
import { groups } from '../../suites/run/group.js';
import type { Fault } from '../../suites/testing/faults/wire/fault.js';
import { startFaultyProxy } from '../../suites/testing/faults/wire/faultyProxy.js';
import { forKind, grepFor, kindOfRow, type WireKind } from '../../suites/testing/faults/wire/otherKind.js';
import { Pools } from '../../suites/testing/faults/wire/pools.js';
import { type Running, startReferenceServer } from '../../suites/testing/referenceServer.js';
import { failedRequirements } from './brokenServer.js';

/** The kind that the faults are applied to. */
const widget: WireKind = { prefix: '/apis/example.com/v1', plural: 'widgets', kind: 'Widget', field: 'spec' };

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['color'],
                properties: {
                  color: { type: 'string', enum: ['red', 'green'] },
                  replicas: { type: 'integer', minimum: 0 },
                },
              },
              status: {
                type: 'object',
                properties: { replicas: { type: 'integer' }, phase: { type: 'string', enum: ['Pending', 'Ready'] } },
              },
            },
          },
        },
      },
    ],
  },
};

let good: Running;
/** Connections to the correct server for all proxies, since each new one costs a handshake. */
let connections: Pools;
let kinds: readonly FoundKind[];
let folder: string;
let runs = 0;

/** Starts the correct server with the kind, finds the kind as a run does, and registers the checks of all chapters. */
export async function startServerWithKind(): Promise<void> {
  good = await startReferenceServer([], { modern: true });
  connections = new Pools(good);
  folder = mkdtempSync(join(tmpdir(), 'kind-faults-'));
  const client = new Client(targetAt(good.url));
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const headers = { 'content-type': 'application/json' };
  await client.send({ method: 'POST', path, headers, body: JSON.stringify(definition) });
  const runId = 'a0a0a0';
  const find = () => findKinds({ client, named: [], only: ['widgets.example.com'] });
  let declared = await find();
  // A definition is served soon after its create has been answered.
  for (; declared.length === 0; declared = await find()) await sleep(50);
  kinds = await withSamples(declared, new Sandbox(client, runId, 'samples'), []);
  await cleanUp(client, runId, [], {}, undefined, kinds);
  await client.close();
  await loadChapters();
}

export async function stopServerWithKind(): Promise<void> {
  await connections.destroy();
  await good.stop();
  rmSync(folder, { recursive: true, force: true });
  listed = undefined;
}

function targetAt(url: string): Target {
  return {
    name: 'broken',
    url,
    ca: good.ca,
    credentials: { staticToken: { token: good.token } },
    vendor: 'kubernetes',
    domains: { authentication: 'k8s.io', secretType: 'kubernetes.io' },
    notSupported: [],
    deviations: [],
    disposable: false,
  };
}

interface KindCase {
  readonly id: string;
  readonly requirement: string;
  /** What stands for the setup that sends the requests of the case. */
  readonly setup: unknown;
}

let listed: readonly KindCase[] | undefined;

/**
 * Returns every case of the kind, except those of credentials that the server was not started with. They are listed
 * once: each fault looks through all of them.
 */
export function casesOfKind(): readonly KindCase[] {
  listed ??= ofKind().flatMap((setup) =>
    setup.group.checks.map(({ id }) => ({ id: caseId(id, setup.subject), requirement: id, setup })),
  );
  return listed;
}

/** Returns the cases of a fault on the kind: those that its row chooses. */
export function casesOfFault(fault: Fault): KindCase[] {
  const from = kindOfRow(fault);
  if (from === undefined && !fault.ofFound) return [];
  const grep = from === undefined ? fault.grep : grepFor(fault, from, widget);
  const named = chosenBy({ grep, ...(fault.chapters && { chapters: fault.chapters }) });
  // The collection under the prefix watch stands for the list: its objects are not watches.
  const isList = /\/watch\/[^{]*\{namespace\}\/[a-z]+(?!.*\{name\})/.test(fault.grep);
  return casesOfKind().filter(({ id }) => named(id) && !(isList && id.includes('{name}')));
}

/** Another file may have defined the chapters in this process, without the kind. */
const ofKind = () =>
  groups.flatMap((group) => {
    const subjects = group.ofFound ? [] : (foundSubjects(kinds)[group.set] ?? []);
    const found = onFound(group, subjects);
    return subjects.map((subject) => ({ group: found, subject }));
  });

/**
 * Runs cases of the kind against a correct server, or against a broken one. `timeout` is in milliseconds. With `once`, a
 * requirement that has failed is not checked again.
 */
export async function resultsOn(
  fault: Fault | undefined,
  ids: ReadonlySet<string>,
  timeout: number,
  { once = false } = {},
): Promise<CaseResult[]> {
  const from = fault && kindOfRow(fault);
  const broken = fault && from ? forKind(fault, from, widget) : (fault ?? {});
  const proxy = await startFaultyProxy(good, broken, connections);
  runs += 1;
  const runId = runs.toString(16).padStart(6, 'b');
  const target = targetAt(proxy.url);
  // The documents of a server are megabytes, which only these cases need: with kinds, a run holds every answer to them.
  const isHeld = fault === undefined || fault.ofFound || fault.fails.some((id) => id.startsWith('openapi.'));
  const run = { runId, target, directory: folder, timeout, recoveryTimeout: 1_000, ...(isHeld && { kinds }) };
  const context = new Context(run, String(runs));
  const results: CaseResult[] = [];
  const over = new Set<string>();
  for (const { group, subject } of ofKind()) {
    const checks = group.checks.filter(({ id }) => ids.has(caseId(id, subject)) && !over.has(id));
    if (checks.length === 0) continue;
    const ofSubject = await runCases(context, subject, { ...group, checks });
    results.push(...ofSubject);
    if (once) for (const id of failedRequirements(ofSubject)) over.add(id);
    context.client.dropExchanges();
  }
  await context.client.close();
  await proxy.close();
  return results;
}
