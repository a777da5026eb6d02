// Tests the Secrets of service accounts after a restart on the same storage.
import { expect, it } from 'vitest';
import { MemoryStorage } from '../storage/memory.js';
import { startDirect } from '../testing/direct.js';

const secrets = '/api/v1/namespaces/default/secrets';

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
