// Tests service accounts after a restart on the same data directory.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../server.js';
import { MemoryStorage } from '../storage/memory.js';
import { startDirect } from '../testing/direct.js';
import { ask } from '../testing/standIn.js';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'restart-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

const secrets = '/api/v1/namespaces/default/secrets';

/** Returns the Secrets of the default namespace: their names, and the contents of the first one. */
async function read(server: RunningServer) {
  const { items } = JSON.parse((await ask(server, secrets)).text) as {
    items: { metadata: { name: string }; data: Record<string, string> }[];
  };
  const part = (key: string) => Buffer.from(items[0]?.data[key] ?? '', 'base64').toString();
  return { names: items.map(({ metadata }) => metadata.name), token: part('token'), ca: part('ca.crt') };
}

it('a token stays valid, and its Secret has the authority of the new server', async () => {
  const first = await startServer({ dataDir });
  const before = await read(first);
  expect(before.ca).toBe(first.caCertificate);
  await first.close();

  await using second = await startServer({ dataDir });
  expect(second.caCertificate).not.toBe(first.caCertificate);
  await expect.poll(async () => (await read(second)).ca).toBe(second.caCertificate);
  const { names, token } = await read(second);
  expect({ names, token }).toEqual({ names: before.names, token: before.token });
  expect((await ask(second, secrets, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
});

it('after a restart, Secrets without an account are deleted, and accounts without a Secret get a new one', async () => {
  const storage = new MemoryStorage();
  const path = '/api/v1/namespaces/default/serviceaccounts';
  const before = await startDirect(storage);
  const [lost, left] = await Promise.all(['lost', 'left'].map((name) => before.create(path, { metadata: { name } })));
  await before.stop();
  await before.call('DELETE', `${path}/lost`);
  await before.call('DELETE', `${secrets}/${left.secrets[0].name}`);

  const after = await startDirect(storage);
  const gone = async () => (await after.call('GET', `${secrets}/${lost.secrets[0].name}`)).status;
  await expect.poll(gone).toBe(404);
  const references = async () => (await after.call('GET', `${path}/left`)).body.secrets;
  await expect.poll(references).not.toEqual(left.secrets);
  expect(await references()).toEqual([{ name: expect.stringMatching(/^left-token-/) }]);
  await after.stop();
});
