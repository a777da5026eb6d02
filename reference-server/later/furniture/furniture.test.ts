// Tests that the furniture of a cluster never stops a start, whatever clients have made of its places.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inMemory } from '../../openStorage.js';
import { MemoryStorage } from '../../storage/memory.js';
import { sendingTo } from '../../testing/sending.js';
import { type FullServer, startFullServer } from '../index.js';

const services = '/api/v1/namespaces/default/services';
const maps = '/api/v1/namespaces/default/configmaps';

let storage: MemoryStorage;
let server: FullServer;
const { send, read } = sendingTo(() => server);
const start = async (options: object = {}): Promise<void> => {
  // A storage that outlives its servers.
  const openStorage = async () => ({ ...(await inMemory()), storage });
  server = await startFullServer({ openStorage, ...options });
};
beforeEach(() => {
  storage = new MemoryStorage();
});
afterEach(() => server.close());

it('leaves its address to a service of a client', async () => {
  await start({ without: ['kubernetes-service'] });
  const spec = { clusterIP: '10.0.0.1', ports: [{ port: 80 }] };
  expect((await send('POST', services, { metadata: { name: 'first' }, spec })).status).toBe(200);
  await server.close();
  await start();
  const { clusterIP } = (await read(`${services}/kubernetes`)).spec;
  expect(clusterIP).toMatch(/^10\.0\./);
  expect(clusterIP).not.toBe('10.0.0.1');
  await server.close();
  await start();
  const after = (await read(`${services}/kubernetes`)).spec;
  expect([after.clusterIP, after.ports[0].targetPort]).toEqual([clusterIP, server.port]);
  expect((await read(`${services}/first`)).spec.clusterIP).toBe('10.0.0.1');
});

it('puts back what a client has deleted: the certificate authority at once, the service within ten seconds', async () => {
  await start({ requests: true });
  await expect.poll(async () => (await send('GET', `${maps}/kube-root-ca.crt`)).status).toBe(200);
  const { metadata } = await read(`${maps}/kube-root-ca.crt`);
  const { uid } = (await read(`${services}/kubernetes`)).metadata;
  await send('DELETE', `${maps}/kube-root-ca.crt`);
  await send('DELETE', `${services}/kubernetes`);
  await expect
    .poll(async () => (await send('GET', `${maps}/kube-root-ca.crt`)).body.metadata.uid)
    .toEqual(expect.any(String));
  expect((await read(`${maps}/kube-root-ca.crt`)).metadata.uid).not.toBe(metadata.uid);
  await server.controls?.clock.advance(10_000);
  await expect.poll(async () => (await read(`${services}/kubernetes`)).metadata?.uid ?? uid).not.toBe(uid);
  expect((await read(`${services}/kubernetes`)).spec.clusterIP).toBe('10.0.0.1');
});

it('says of each flow schema whether its level is there, and puts back the usual ones', async () => {
  await start({ requests: true });
  const flows = '/apis/flowcontrol.apiserver.k8s.io/v1';
  const dangling = async (name: string) => (await read(`${flows}/flowschemas/${name}`)).status?.conditions?.[0];
  const { items } = await read(`${flows}/flowschemas`);
  for (const { metadata } of items) {
    await expect.poll(() => dangling(metadata.name)).toMatchObject({ type: 'Dangling', status: 'False' });
  }
  const spec = { priorityLevelConfiguration: { name: 'own' } };
  expect((await send('POST', `${flows}/flowschemas`, { metadata: { name: 'own' }, spec })).status).toBe(201);
  await expect
    .poll(() => dangling('own'))
    .toMatchObject({
      status: 'True',
      reason: 'NotFound',
      message:
        'This FlowSchema references the PriorityLevelConfiguration object named "own" but there is no such object',
    });
  const level = await read(`${flows}/prioritylevelconfigurations/workload-low`);
  const own = { metadata: { name: 'own' }, spec: level.spec };
  expect((await send('POST', `${flows}/prioritylevelconfigurations`, own)).status).toBe(201);
  await expect.poll(() => dangling('own')).toMatchObject({ status: 'False', reason: 'Found' });
  for (const path of ['prioritylevelconfigurations/workload-low', 'flowschemas/service-accounts']) {
    const { uid } = (await read(`${flows}/${path}`)).metadata;
    await send('DELETE', `${flows}/${path}`);
    await expect.poll(async () => (await read(`${flows}/${path}`)).metadata?.uid ?? uid).not.toBe(uid);
  }
  await expect.poll(() => dangling('service-accounts')).toMatchObject({ status: 'False' });
});
