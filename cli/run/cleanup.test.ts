// A clean-up removes what a run left, and keeps nothing of what it read meanwhile.
import { afterEach, expect, it } from 'vitest';
import { startFullServer } from '../../reference-server/later/index.js';
import { runLabel } from '../../suites/client/belonging.js';
import { Client } from '../../suites/index.js';
import { cleanUp } from '../../suites/run/cleanup.js';
import { bareTarget } from '../../suites/testing/bareTarget.js';

let closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.reverse()) await close();
  closes = [];
});

const json = { 'content-type': 'application/json' };

it('forgets the lists that it reads until the namespaces are gone', async () => {
  const server = await startFullServer();
  closes.push(() => server.close());
  const { url, token = '', caCertificate: ca } = server;
  const client = new Client(bareTarget(url, { ca, credentials: { staticToken: { token } } }));
  closes.push(() => client.close());
  const labels = { [runLabel]: 'some-run' };
  const send = (path: string, object: object) =>
    client.send({ method: 'POST', path, headers: json, body: JSON.stringify(object) });
  for (const name of ['one', 'two']) await send('/api/v1/namespaces', { metadata: { name, labels } });
  await send('/api/v1/namespaces/one/configmaps', {
    metadata: { name: 'held', labels, finalizers: ['example.com/later'] },
  });
  client.takeExchanges();

  // The namespace stays until the clean-up has lost its patience with the finalizer.
  expect(await cleanUp(client, 'some-run', [])).toEqual([]);
  const there = await client.send({ method: 'GET', path: '/api/v1/namespaces?labelSelector=kube-api-conformance/run' });
  expect(there.value()).toMatchObject({ items: [] });
  expect(client.pendingIds()).toHaveLength(1);
});
