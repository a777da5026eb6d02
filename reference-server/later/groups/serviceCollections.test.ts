// Deletes of collections of services, which servers have since Kubernetes 1.23.
import { expect, it } from 'vitest';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';

it.each([
  ['1.20', 405, false],
  ['1.22', 405, false],
  ['1.23', 200, true],
  ['1.36', 200, true],
])('with --kube-version %s: %i', async (kubeVersion, code, isListed) => {
  await using server = await startFullServer({ kubeVersion });
  const { status } = await ask(server, '/api/v1/namespaces/default/services?labelSelector=x', { method: 'DELETE' });
  const { resources } = JSON.parse((await ask(server, '/api/v1')).text);
  const { verbs } = resources.find(({ name }: { name: string }) => name === 'services');
  expect([status, verbs.includes('deletecollection')]).toEqual([code, isListed]);
});
