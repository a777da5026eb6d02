// Tests which changes of other objects a controller handles.
import { afterEach, expect, test } from 'vitest';
import { authorizer } from '../authorization/authorizer.js';
import { createCluster } from '../cluster.js';
import type { KubeObject } from '../schema/object.js';
import { MemoryStorage } from '../storage/memory.js';
import { Direct, testIssuer } from '../testing/direct.js';
import type { Controller, Source } from './controller.js';
import { startControllers } from './index.js';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Starts a server with a controller that follows nodes. Returns the resource versions of those that it handled. */
async function startFollowing(part: Pick<Source, 'ofConcern'>) {
  const handled: unknown[] = [];
  const follower: Controller = {
    name: 'follower',
    resource: 'core/configmaps',
    reconcile: async () => undefined,
    sources: [
      {
        ...part,
        resource: 'core/nodes',
        concerned: ({ metadata: { resourceVersion } }) => {
          handled.push(resourceVersion);
          return [];
        },
      },
    ],
  };
  const cluster = createCluster({ storage: new MemoryStorage(), issuer: testIssuer });
  const { stop } = await startControllers({ ...cluster, addedControllers: [follower] }, (error) => {
    throw error;
  });
  ends.push(stop);
  const authorized = { bearerOf: async () => undefined, authorizer: authorizer('AlwaysAllow') };
  return { handled, server: new Direct({ ...cluster, connections: {} as never, ...authorized }, cluster, stop) };
}

const labels = ({ metadata }: KubeObject): unknown => metadata.labels;

test.each([
  ['of every node', {}, ['created', 'beats', 'labelled', 'removed']],
  ['that leave the part of concern as it is', { ofConcern: labels }, ['created', 'labelled', 'removed']],
] as const)('changes %s', async (_, part, expected) => {
  const { handled, server } = await startFollowing(part);
  const nodes = '/api/v1/nodes';
  const change = async (path: string, body: object): Promise<string> =>
    (await server.call('PATCH', path, { body, mediaType: 'application/merge-patch+json' })).body.metadata
      .resourceVersion;
  const created = await server.create(nodes, { metadata: { name: 'n', labels: { zone: 'a' } } });
  const beats = await change(`${nodes}/n/status`, { status: { nodeInfo: { kernelVersion: '6' } } });
  const labelled = await change(`${nodes}/n`, { metadata: { labels: { zone: 'b' } } });
  await server.call('DELETE', `${nodes}/n`);
  const versions = { created: created.metadata.resourceVersion, beats, labelled, removed: expect.any(String) };
  await expect.poll(() => handled).toEqual(expected.map((step) => versions[step]));
});
