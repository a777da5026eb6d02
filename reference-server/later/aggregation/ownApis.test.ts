// Tests that each group version of the server has an APIService, whoever makes it or takes it away.
import { afterEach, expect, it } from 'vitest';
import { inMemory } from '../../openStorage.js';
import { MemoryStorage } from '../../storage/memory.js';
import { sendingTo } from '../../testing/sending.js';
import { type FullServer, startFullServer } from '../index.js';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const managed = 'kube-aggregator.kubernetes.io/automanaged';

let server: FullServer;
const { send, read } = sendingTo(() => server);
afterEach(() => server.close());

const versions = (...names: readonly string[]) =>
  names.map((name, index) => ({
    name,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema: { type: 'object' } },
  }));
const definition = (plural: string, ...names: readonly string[]) => ({
  metadata: { name: `${plural}.shop.example.com` },
  spec: {
    group: 'shop.example.com',
    scope: 'Namespaced',
    names: { plural, kind: plural },
    versions: versions(...names),
  },
});
const define = async (...given: Parameters<typeof definition>) => {
  const { status } = await send('POST', definitions, definition(...given));
  expect(status).toBe(201);
};
const status = async (name: string): Promise<number> => (await send('GET', `${apiServices}/${name}`)).status;
const labelled = async (label: string) => {
  const { items } = await read(`${apiServices}?labelSelector=${encodeURIComponent(`${managed}=${label}`)}`);
  return items.map(({ metadata }: { readonly metadata: { readonly name: string } }) => metadata.name);
};

it('has one for each group version that it serves from the start', async () => {
  server = await startFullServer();
  const { groups } = await read('/apis');
  const served = groups.flatMap(({ name, versions }: { name: string; versions: { version: string }[] }) =>
    versions.map(({ version }) => `${version}.${name}`),
  );
  expect((await labelled('onstart')).sort()).toEqual(['v1.', ...served].sort());
  const { spec, status } = await read(`${apiServices}/v1.apps`);
  expect(spec).toEqual({ group: 'apps', version: 'v1', groupPriorityMinimum: 17_800, versionPriority: 15 });
  expect(status.conditions).toMatchObject([{ type: 'Available', status: 'True', reason: 'Local' }]);
  expect((await read(`${apiServices}/v1.`)).spec).toEqual({
    version: 'v1',
    groupPriorityMinimum: 18_000,
    versionPriority: 1,
  });
});

it('has one for each group version of definitions, as long as one of them serves it', async () => {
  server = await startFullServer();
  await define('carts', 'v1', 'v1beta1');
  await define('orders', 'v1');
  await expect.poll(() => labelled('true')).toEqual(['v1.shop.example.com', 'v1beta1.shop.example.com']);
  expect((await read(`${apiServices}/v1.shop.example.com`)).spec).toEqual({
    group: 'shop.example.com',
    version: 'v1',
    groupPriorityMinimum: 1000,
    versionPriority: 100,
  });
  await send('DELETE', `${apiServices}/v1.shop.example.com`);
  await expect.poll(() => status('v1.shop.example.com')).toBe(200);
  await send('DELETE', `${definitions}/carts.shop.example.com`);
  await expect.poll(() => labelled('true')).toEqual(['v1.shop.example.com']);
  await send('DELETE', `${definitions}/orders.shop.example.com`);
  await expect.poll(() => labelled('true')).toEqual([]);
});

it('leaves one of a client as it is, and after a restart those that it needs', async () => {
  const storage = new MemoryStorage();
  const start = async (options: object = {}): Promise<void> => {
    server = await startFullServer({ openStorage: async () => ({ ...(await inMemory()), storage }), ...options });
  };
  await start();
  const service = { namespace: 'default', name: 'shop' };
  const spec = { group: 'shop.example.com', version: 'v1', service, groupPriorityMinimum: 10, versionPriority: 10 };
  const own = { metadata: { name: 'v1.shop.example.com' }, spec: { ...spec, insecureSkipTLSVerify: true } };
  expect((await send('POST', apiServices, own)).status).toBe(201);
  await define('carts', 'v1', 'v2');
  await expect.poll(() => labelled('true')).toEqual(['v2.shop.example.com']);
  await send('DELETE', `${apiServices}/v1.policy`);
  await server.close();
  await start();
  await expect.poll(() => labelled('true')).toEqual(['v2.shop.example.com']);
  expect(await status('v1.policy')).toBe(200);
  expect((await read(`${apiServices}/v1.shop.example.com`)).spec.service).toMatchObject(service);
  await server.close();
  await start({ without: ['custom-resources'] });
  expect(await labelled('true')).toEqual([]);
});
