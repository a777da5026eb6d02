// Tests service accounts after a restart on the same data directory.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../index.js';
import { ask } from '../testing/standIn.js';
import { startServer } from './testing/server.js';

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
