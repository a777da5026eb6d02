// Right servers whose controllers are late, as those of a cluster that changes its leader: that must not fail a case.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { at, type JsonObject } from '../../support/http/json.js';
import { Context } from '../../support/run/worker.js';
import { bareTarget } from '../bareTarget.js';
import { type Broken, composed } from '../faults/wire/fault.js';
import { type FaultyProxy, startFaultyProxy } from '../faults/wire/faultyProxy.js';
import { change, drop, items } from '../faults/wire/objects.js';
import { after, shown } from '../faults/wire/replies.js';
import { type Running, startReferenceServer } from '../referenceServer.js';
import { runChosen } from './chosenCases.js';

let folder: string;
let good: Running;
let proxy: FaultyProxy | undefined;
let runs = 0;

beforeAll(async () => {
  await import('../../admission.spec.js');
  folder = mkdtempSync(join(tmpdir(), 'late-controllers-'));
  good = await startReferenceServer();
});
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
});
afterAll(async () => {
  await good.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Hides the status of each quota for so many milliseconds after it was first read. */
function uncountedFor(milliseconds: number): Broken {
  const firstRead = new Map<unknown, number>();
  return shown('GET ResourceQuota', (quota: JsonObject) => {
    const name = at(quota, 'metadata', 'name');
    const since = firstRead.get(name) ?? Date.now();
    firstRead.set(name, since);
    return Date.now() - since < milliseconds ? drop('status')(quota) : quota;
  });
}

/** Shows one more ConfigMap after the first delete, which the quota counts. */
const oneMore: Broken = after(
  'DELETE',
  composed([
    shown(
      'GET ConfigMapList',
      items((all) => [...all, { metadata: { name: 'kube-root-ca.crt' } }]),
    ),
    shown(
      'GET ResourceQuota',
      change('status.used.configmaps', (used) => String(Number(used) + 1)),
    ),
  ]),
);

it.each([
  ['counts for a quota after five seconds', uncountedFor(5_000)],
  ['creates an object of its own in a namespace late', oneMore],
])('a case of quotas passes where a controller %s', async (_, late) => {
  proxy = await startFaultyProxy(good, late);
  const target = bareTarget(proxy.url, { credentials: { staticToken: { token: good.token } } });
  runs += 1;
  const patience = inject('deadline') / 4;
  const context = new Context({ runId: `dddd0${runs}`, target, directory: folder, patience }, '1');
  const results = await runChosen(context, (id) => id === 'admission.quota-released › server, configmaps');
  await context.client.close();
  expect(results.map(({ verdict, message }) => message ?? verdict)).toEqual(['passed']);
});
