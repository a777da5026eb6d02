// The clean-up on servers that do wrongly what it uses: it takes another way, and says why an object stays.
import { expect, it } from 'vitest';
import { at, itemsOf, type JsonObject } from '../../client/json.js';
import { releaseAnyhow } from '../../objects/anyhow.js';
import type { Undeletable } from '../../objects/deletes.js';
import { byId } from '../../objects/related.js';
import { tryCleanUp } from '../../run/cleanup.js';
import { Context } from '../../run/context.js';
import type { Tell } from '../../run/removal.js';
import { bareTarget } from '../bareTarget.js';
import { type Broken, composed } from '../faults/wire/fault.js';
import { startFaultyProxy } from '../faults/wire/faultyProxy.js';
import { drop, items } from '../faults/wire/objects.js';
import { shown } from '../faults/wire/replies.js';
import {
  instead,
  type Requests,
  refuse,
  reply,
  sent,
  success,
  swallow,
  withBody,
  withType,
} from '../faults/wire/requests.js';
import { useGoodServer } from './chosenRuns.js';

const good = useGoodServer([]);
let runs = 0;

/** A finalizer, whether its controller works, and what the clean-up says. */
interface Holding {
  readonly finalizer?: string;
  readonly works?: boolean;
  readonly tell?: Tell;
}

/** Leaves held objects of a run, cleans up through a proxy, and returns what is said to be left, and what is. */
async function cleaned(
  edits: Broken,
  undeletable: Undeletable = {},
  { finalizer = 'kube-api-conformance/held', works = false, tell }: Holding = {},
): Promise<{ readonly told: readonly string[]; readonly left: readonly string[] }> {
  runs += 1;
  const runId = `cccce${runs}`;
  const credentials = { staticToken: { token: good.token } };
  const context = new Context(
    { runId, target: bareTarget(good.url, { ca: good.ca, credentials }), directory: good.folder },
    '1',
  );
  const proxy = await startFaultyProxy(good, edits);
  const { client } = new Context(
    { runId, target: bareTarget(proxy.url, { credentials }), directory: good.folder },
    '1',
  );
  const change = { metadata: { finalizers: [finalizer] } };
  await context.sandbox.make(byId('core/configmaps'), { change });
  await context.sandbox.make(byId('core/nodes'), { change });
  const controller = works ? setInterval(() => release().catch(() => undefined), 50) : undefined;
  const release = async (): Promise<void> => {
    const list = await context.client.send({ method: 'GET', path: '/api/v1/nodes' });
    for (const { metadata } of itemsOf(list.value())) {
      if (at(metadata, 'deletionTimestamp') === undefined) continue;
      await releaseAnyhow(context.client, `/api/v1/nodes/${at(metadata, 'name')}`);
    }
  };
  try {
    const told = await tryCleanUp(client, runId, [], undeletable, tell);
    const left: string[] = [];
    for (const plural of ['namespaces', 'configmaps', 'nodes']) {
      const list = await context.client.send({ method: 'GET', path: `/api/v1/${plural}` });
      const names = itemsOf(list.value()).map((object) => String(at(object, 'metadata', 'name')));
      left.push(...names.filter((name) => name.includes(runId)).map((name) => `${plural}/${name}`));
    }
    return { told, left };
  } finally {
    clearInterval(controller);
    await Promise.all([client.close(), context.client.close()]);
    await proxy.close();
  }
}

const mergePatch = withType(/merge-patch/);
const ofFinalizers = withBody(/finalizers/);
const patches: Requests = ['PATCH', ofFinalizers];

it.each<readonly [string, Broken]>([
  [
    'does not drop what is null in a merge patch',
    sent(['PATCH', mergePatch, withBody(/"finalizers":null/)], drop('metadata.finalizers')),
  ],
  ['ignores finalizers in merge patches', sent(['PATCH', mergePatch], drop('metadata.finalizers'))],
  ['refuses merge patches', refuse(['PATCH', mergePatch], 415)],
  ['refuses all patches', refuse(patches, 405)],
  ['refuses deletes with options', refuse(['DELETE', withBody(/./)], 400)],
  ['answers a Status to a delete that is put off', shown('DELETE', () => success)],
])('leaves nothing on a server that %s', async (_, edits) => {
  expect(await cleaned(edits)).toEqual({ told: [], left: [] });
});

it('says what was tried on a server that lets no finalizer go', async () => {
  const { told, left } = await cleaned(refuse(/^(PATCH|PUT) .*\/nodes\//, 422));
  expect(left.filter((name) => name.startsWith('nodes/')).length).toBe(1);
  expect(told.join('\n')).toMatch(
    /nodes\/\S+ \(finalizers hold it after merge patch: 422, merge patch: 422, JSON patch: 422, PUT: 422\)/,
  );
});

it('says that a delete is refused, and not what another client creates again in a namespace', async () => {
  let lists = 0;
  const namespace = `kac-cccce${runs + 1}-gone`;
  const inIt = (name: string, uid: string): JsonObject => ({ metadata: { name, namespace, uid } });
  const edits = composed([
    refuse(/^DELETE .*\/nodes\//, 403),
    swallow(/^DELETE .*\.crt$/),
    shown(
      /^GET \/api\/v1\/configmaps/,
      items((all) => [...all, inIt('again.crt', `${++lists}`), inIt('stays.crt', 'of-the-first')]),
    ),
  ]);
  const { told } = await cleaned(edits);
  expect([...told].sort()).toEqual([
    `configmaps/${namespace}/stays.crt`,
    expect.stringMatching(/^nodes\/\S+ \(DELETE is answered with 403\)$/),
  ]);
});

it('deletes the rest where the user may not delete the events that controllers wrote', async () => {
  const involvedObject = { name: `kac-cccce${runs + 1}-pod` };
  const written = Array.from({ length: 300 }, (_, index) => ({
    metadata: { name: `written-${index}`, namespace: 'default', uid: `uid-${index}` },
    involvedObject,
  }));
  let refused = 0;
  const edits = composed([
    shown(
      /^GET \/api\/v1\/events/,
      items((all) => [...written, ...all]),
    ),
    instead(/^DELETE .*\/events\//, () => {
      refused += 1;
      return reply(403, { kind: 'Status', code: 403, message: 'User "edits" cannot delete resource "events"' });
    }),
  ]);
  expect(await cleaned(edits)).toEqual({ told: [], left: [] });
  expect(refused).toBe(2);
});

it('says why nothing is deleted, of each namespace once', async () => {
  const objects = { why: 'untried', reason: 'create configmaps: 500' } as const;
  const { told, left } = await cleaned({}, { objects });
  const why = '(not deleted, because the run could not test what a delete deletes: create configmaps: 500)';
  expect(told.length).toBeLessThan(left.length);
  for (const line of told) expect(line).toMatch(/^(namespaces|nodes)\/kac-\w+-/);
  for (const line of told) expect(line.endsWith(why)).toBe(true);
});

it.each([
  [
    false,
    [expect.stringMatching(/^removed vendor\.example\/disk from nodes\/kac-\S+: no controller did within \d+ s$/)],
  ],
  [true, []],
])('removes the finalizers of others only where no controller does (there is one: %s)', async (works, notes) => {
  const said: string[] = [];
  const outcome = await cleaned(
    {},
    {},
    {
      finalizer: 'vendor.example/disk',
      works,
      tell: (what, isNote) => isNote && what.includes('nodes/') && said.push(what),
    },
  );
  expect(outcome).toEqual({ told: [], left: [] });
  expect(said).toEqual(notes);
});
