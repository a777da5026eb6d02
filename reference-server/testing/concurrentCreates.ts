// Creates objects in a namespace while it is deleted, again and again, and expects none of them to be left.
import { expect } from 'vitest';
import type { Storage } from '../storage/storage.js';
import { startDirect } from './direct.js';

const namespaces = '/api/v1/namespaces';

/** Fails if a create that a server on the storage took outlives its namespace. Closes the storage. */
export async function createWhileDeleting(storage: Storage): Promise<void> {
  const server = await startDirect(storage);
  for (let round = 0; round < 10; round += 1) {
    await server.call('POST', namespaces, { body: { metadata: { name: 'n' } } });
    const creates = Array.from({ length: 40 }, (_, index) => {
      const metadata = { name: `c-${index}` };
      const ports = [{ port: 1 }];
      return index % 2 === 0
        ? server.call('POST', `${namespaces}/n/configmaps`, { body: { metadata } })
        : server.call('POST', `${namespaces}/n/services`, { body: { metadata, spec: { ports } } });
    });
    creates.splice(20, 0, server.call('DELETE', `${namespaces}/n`));
    const refused = (await Promise.all(creates)).filter(({ status }) => status !== 200);
    for (const { body } of refused) expect([403, 404]).toContain(body.code);
    await expect.poll(async () => (await server.call('GET', `${namespaces}/n`)).status).toBe(404);
  }
  const left = (await storage.list('')).entries.filter(({ key }) => key.split('/')[2] === 'n');
  expect(left.map(({ key }) => key)).toEqual([]);
  expect((await storage.list('claims/')).entries).toEqual([]);
  await server.stop();
  await storage.close();
}
