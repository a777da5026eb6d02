// Tests how the scale of an absent object is refused: real servers do not say it alike for each kind and method.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import { sendingTo } from '../../testing/sending.js';
import { startFullServer } from '../index.js';

let server: RunningServer;
const { send } = sendingTo(() => server);
beforeAll(async () => {
  server = await startFullServer();
});
afterAll(() => server.close());

it.each([
  ['GET', 'apps/v1', 'deployments', 'deployments/scale.apps'],
  ['PUT', 'apps/v1', 'deployments', 'deployments.apps'],
  ['GET', 'apps/v1', 'replicasets', 'replicasets/scale.apps'],
  ['PUT', 'apps/v1', 'replicasets', 'replicasets.apps'],
  ['GET', 'apps/v1', 'statefulsets', 'statefulsets.apps'],
  ['PUT', 'apps/v1', 'statefulsets', 'statefulsets.apps'],
  ['GET', 'v1', 'replicationcontrollers', 'replicationcontrollers/scale.autoscaling'],
  ['PUT', 'v1', 'replicationcontrollers', 'replicationcontrollers'],
  ['GET', 'extensions/v1beta1', 'deployments', 'deployments/scale.extensions'],
  ['PUT', 'extensions/v1beta1', 'deployments', 'deployments/scale.extensions'],
])('%s of the scale of %s %s: %s', async (method, groupVersion, plural, named) => {
  const path = `/${groupVersion === 'v1' ? 'api' : 'apis'}/${groupVersion}/namespaces/default/${plural}/none/scale`;
  const scale = { metadata: { name: 'none' }, spec: { replicas: 1 } };
  const { status, body } = await send(method, path, method === 'GET' ? undefined : scale);
  expect([status, body.message]).toEqual([404, `${named} "none" not found`]);
});
