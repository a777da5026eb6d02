// Tests what an evicted pod says of its end. What disruption budgets allow is tested with the nodes of `serve`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { sendingTo } from '../../testing/sending.js';
import { startFullServer } from '../index.js';

const pods = '/api/v1/namespaces/default/pods';
const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };

describe.each([
  ['1.26', true],
  ['1.25', false],
])('a pod of %s', (kubeVersion, says) => {
  let server: RunningServer;
  const { send, read } = sendingTo(() => server);
  beforeAll(async () => {
    server = await startFullServer({ kubeVersion });
  });
  afterAll(() => server.close());

  const make = async (name: string): Promise<AnyShape> =>
    (await send('POST', pods, { metadata: { name, finalizers: ['example.com/stay'] }, spec })).body;
  const evict = async (name: string, deleteOptions: object = {}, query = '') => {
    const { status } = await send('POST', `${pods}/${name}/eviction${query}`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name },
      deleteOptions,
    });
    return status < 300 ? 'evicted' : status;
  };
  /** Whether it is deleted, and why. */
  const endOf = async (name: string) => {
    const { metadata, status } = await read(`${pods}/${name}`);
    const found = status.conditions?.find(({ type }: AnyShape) => type === 'DisruptionTarget');
    return [metadata.deletionTimestamp !== undefined, found && [found.status, found.reason, found.message]];
  };
  const reason = says ? ['True', 'EvictionByEvictionAPI', 'Eviction API: evicting'] : undefined;

  it(says ? 'says that it is evicted' : 'does not say that it is evicted', async () => {
    await make('plain');
    expect(await evict('plain')).toBe('evicted');
    expect(await endOf('plain')).toEqual([true, reason]);
  });

  it('is evicted in the version that the eviction means, and in no other', async () => {
    const { metadata } = await make('meant');
    const { uid, resourceVersion } = metadata;
    for (const preconditions of [{ uid: 'other' }, { resourceVersion: '1' }, { uid, resourceVersion: '1' }]) {
      expect(await evict('meant', { preconditions })).toBe(409);
      expect(await endOf('meant')).toEqual([false, undefined]);
    }
    expect(await evict('meant', { preconditions: { uid, resourceVersion } })).toBe('evicted');
    expect(await endOf('meant')).toEqual([true, reason]);
  });

  it('is as it was after a dry run', async () => {
    const { metadata } = await make('dry');
    expect(await evict('dry', { dryRun: ['All'] })).toBe('evicted');
    expect(await evict('dry', {}, '?dryRun=All')).toBe('evicted');
    expect((await read(`${pods}/dry`)).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });
});
