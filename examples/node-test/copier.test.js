// Tests the controller against a real API in this process, on good days and on bad ones.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startServer } from 'kube-api-conformance';
import { Client } from './client.js';
import { copy } from './copier.js';

let server;
let fixtures;
let client;
let stop;
let stopped;

before(async () => {
  server = await startServer();
  await server.load(new URL('fixtures', import.meta.url));
  fixtures = await server.snapshot();
  client = new Client(server);
});
beforeEach(() => {
  stop = new AbortController();
});
// Faster than a new server, and the objects have the same uids again.
afterEach(async () => {
  stop.abort();
  await stopped;
  await server.reset();
  await server.restore(fixtures);
});
after(() => server.close());

const start = () => {
  stopped = copy(client, stop.signal);
};
const settings = '/api/v1/namespaces/default/configmaps/settings';
const paint = async (color) =>
  client.send('PUT', settings, { ...(await client.send('GET', settings)), data: { color } });

/** Waits until the copy has a color. */
async function becomes(color) {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if ((await server.get('configmaps', 'settings', 'team'))?.data.color === color) return;
    await wait(20);
  }
  assert.fail(`the copy is not ${color}: ${JSON.stringify(await server.get('configmaps', 'settings', 'team'))}`);
}

test('copies what exists, and what changes', async () => {
  start();
  await becomes('blue');
  await paint('red');
  await becomes('red');
});

for (const status of [409, 429, 500, 503]) {
  test(`tries again after ${status}`, async () => {
    const failure = server.fail({ verb: 'create', resource: 'configmaps', namespace: 'team', status, times: 3 });
    start();
    await becomes('blue');
    assert.equal(failure.calls, 3);
  });
}

test('does not write twice when the response of a write is lost', async () => {
  server.fail({ verb: 'create', namespace: 'team', reset: true, afterWrite: true, times: 1 });
  start();
  await server.requests.waitFor({ verb: 'get', namespace: 'team', status: 200 });
  await becomes('blue');
  assert.equal(server.requests.list({ verb: 'create', namespace: 'team' }).length, 1);
});

test('misses nothing while its watch is gone and history is compacted', async () => {
  start();
  await becomes('blue');
  await server.requests.waitFor({ verb: 'watch', resource: 'configmaps' });
  // The watch cannot begin again before the change is forgotten.
  const outage = server.fail({ verb: 'watch', status: 503 });
  server.cutWatches({ resource: 'configmaps', reset: true });
  await paint('green');
  await server.compact();
  outage.remove();
  await becomes('green');
});

test('begins a watch again that has reached its end', async () => {
  start();
  await server.requests.waitFor({ verb: 'watch' });
  // Servers end watches after an hour at the latest.
  await server.clock.advance(60 * 60 * 1000);
  await server.requests.waitFor({ verb: 'watch' }, { times: 2 });
  await paint('green');
  await becomes('green');
});
