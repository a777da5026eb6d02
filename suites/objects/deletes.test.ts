// The trial of deletes, on a target that loses responses and on a target that deletes too much.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../client/client.js';
import { bareTarget } from '../testing/bareTarget.js';
import type { WireReply, WireRequest } from '../testing/faults/wire/fault.js';
import { startFaultyProxy } from '../testing/faults/wire/faultyProxy.js';
import { failure } from '../testing/faults/wire/requests.js';
import { type Running, startReferenceServer } from '../testing/referenceServer.js';
import { guardOf, tryDeletes, type Undeletable } from './deletes.js';

let good: Running;
beforeAll(async () => {
  good = await startReferenceServer();
});
afterAll(() => good.stop());

async function tried(
  request: (passing: WireRequest, count: number) => WireRequest | WireReply | undefined,
): Promise<Undeletable> {
  let count = 0;
  const proxy = await startFaultyProxy(good, {
    request: (passing) => {
      count += 1;
      const passed = request(passing, count);
      if (passed === undefined) throw new Error('lost');
      return passed;
    },
  });
  const client = new Client(bareTarget(proxy.url, { credentials: { staticToken: { token: good.token } } }));
  try {
    return await tryDeletes(client, 'abcdef', []);
  } finally {
    await client.close();
    await proxy.close();
  }
}

it('trusts a good target', async () => {
  expect(await tried((passing) => passing)).toEqual({});
});

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])('trusts a target that loses response %i', async (lost) => {
  expect(await tried((passing, count) => (count === lost ? undefined : passing))).toEqual({});
});

const creates = (plurals: RegExp) => (passing: WireRequest) =>
  passing.method === 'POST' && plurals.test(passing.path) ? failure(500, 'no') : passing;

it.each([
  ['configmaps', /\/configmaps$/],
  ['configmaps, secrets and services', /\/(configmaps|secrets|services)$/],
])('trusts a good target that makes no %s', async (_, plurals) => {
  expect(await tried(creates(plurals))).toEqual({});
});

it('says which create failed if no kind can be made', async () => {
  const { objects } = await tried(creates(/\/(configmaps|secrets|services|pods)$/));
  expect(objects).toEqual({ why: 'untried', reason: expect.stringMatching(/configmaps.*500/s) });
});

it('does not blame the target if the trial was not possible', async () => {
  const { objects, collections } = await tried(() => undefined);
  expect([objects?.why, collections?.why]).toEqual(['untried', 'untried']);
  const guard = guardOf(bareTarget('http://127.0.0.1:1'), { ...(objects && { objects }) });
  const call = { method: 'DELETE', path: '/api/v1/namespaces/a/configmaps/b' };
  expect(() => guard(call)).toThrow(/deletes are not sent, because the run could not test what a delete deletes/);
});

it('sends deletes of objects if only those of collections could not be tried', async () => {
  const isCollection = ({ method, path }: WireRequest): boolean => method === 'DELETE' && /configmaps\?/.test(path);
  const { objects, collections } = await tried((passing) => (isCollection(passing) ? undefined : passing));
  expect(objects).toBeUndefined();
  expect(collections?.why).toBe('untried');
});

it('does not trust a target that lists objects outside of the selector', async () => {
  const plain = (passing: WireRequest): WireRequest =>
    passing.method === 'GET' ? { ...passing, path: passing.path.replace(/\?labelSelector.*/, '') } : passing;
  const { objects, collections } = await tried(plain);
  expect(objects).toBeUndefined();
  expect(collections).toMatchObject({
    why: 'deletes-too-much',
    reason: expect.stringMatching(/which is not selected/),
  });
});

it('reports that a target refused the requests of the trial', async () => {
  const proxy = await startFaultyProxy(good, { request: () => failure(403, 'no') });
  const client = new Client(bareTarget(proxy.url));
  expect(await tryDeletes(client, 'abcdef', [])).toMatchObject({ objects: { why: 'untried' } });
  await client.close();
  await proxy.close();
});
