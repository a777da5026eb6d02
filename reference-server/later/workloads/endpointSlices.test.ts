// Tests the EndpointSlices of Services, and those of Endpoints that clients write.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { sendingTo } from '../../testing/sending.js';
import { startFullServer } from '../index.js';
import { type EndpointGroup, writeSlices } from './endpointSlices.js';

const core = '/api/v1/namespaces/default';
const slicesPath = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const merge = 'application/merge-patch+json';

let server: RunningServer;
const { send, read } = sendingTo(() => server);
beforeAll(async () => {
  server = await startFullServer({});
});
afterAll(() => server.close());

const slicesOf = async (service: string): Promise<readonly AnyShape[]> =>
  (await read(`${slicesPath}?labelSelector=kubernetes.io%2Fservice-name%3D${service}`)).items;
/** The slices of a service: the family, the ports and the addresses of those that are ready and of the others. */
const textOf = async (service: string) =>
  (await slicesOf(service))
    .map(({ addressType, ports, endpoints }) => {
      const numbers = (ports ?? []).map(({ name, port }: AnyShape) => `${name}:${port}`).join();
      const text = (endpoints ?? []).map(
        ({ addresses, conditions }: AnyShape) => `${addresses.join('+')}${conditions.ready ? '' : '?'}`,
      );
      return `${addressType} ${numbers} ${text.sort().join(' ')}`.trim();
    })
    .sort();
const ready = { type: 'Ready', status: 'True' };
async function pod(name: string, labels: object, ips: readonly string[], more: object = {}, isReady = true) {
  const spec = { containers: [{ name: 'c', image: 'i', ...more }], terminationGracePeriodSeconds: 600 };
  expect((await send('POST', `${core}/pods`, { metadata: { name, labels }, spec })).status).toBe(200);
  const podIPs = ips.map((ip) => ({ ip }));
  const status = { phase: 'Running', podIP: ips[0], podIPs, conditions: isReady ? [ready] : [] };
  expect((await send('PATCH', `${core}/pods/${name}/status`, { status }, merge)).status).toBe(200);
}

describe('the slices of a Service', () => {
  it('have the endpoints of each family and of the ports that pods have', async () => {
    const selector = { app: 'both' };
    const port = (containerPort: number) => ({ ports: [{ name: 'web', containerPort }] });
    await pod('one', selector, ['10.0.9.1', 'fd00::1'], port(80));
    await pod('two', selector, ['10.0.9.2', 'fd00::2'], port(80), false);
    await pod('three', selector, ['10.0.9.3'], port(90));
    await pod('other', selector, ['10.0.9.4']);
    const spec = { selector, ipFamilyPolicy: 'PreferDualStack', ports: [{ name: 'p', port: 1, targetPort: 'web' }] };
    const { body } = await send('POST', `${core}/services`, { metadata: { name: 'both', labels: { a: 'b' } }, spec });
    const dual = body.spec.ipFamilies?.includes('IPv6') ? ['IPv6 p:80 fd00::1 fd00::2?'] : [];
    await expect.poll(() => textOf('both')).toEqual(['IPv4 p:80 10.0.9.1 10.0.9.2?', 'IPv4 p:90 10.0.9.3', ...dual]);
    const [{ metadata }] = (await slicesOf('both')) as [AnyShape];
    expect(metadata.name).toMatch(/^both-.{5}$/);
    expect(metadata.labels).toEqual({
      a: 'b',
      'kubernetes.io/service-name': 'both',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    });
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Service', name: 'both', controller: true }]);
  });

  it('say that a pod is on its way out, and go with the Service', async () => {
    const selector = { app: 'leaving' };
    await pod('leaving', selector, ['10.0.9.9']);
    const binding = { metadata: { name: 'leaving' }, target: { kind: 'Node', name: 'none' } };
    await send('POST', `${core}/pods/leaving/binding`, binding);
    const spec = { selector, clusterIP: 'None' };
    await send('POST', `${core}/services`, { metadata: { name: 'leaving' }, spec });
    await expect.poll(() => textOf('leaving')).toEqual(['IPv4  10.0.9.9']);
    await send('DELETE', `${core}/pods/leaving`);
    const conditions = async () => (await slicesOf('leaving'))[0]?.endpoints?.[0]?.conditions;
    await expect.poll(conditions).toEqual({ ready: false, serving: true, terminating: true });
    expect((await read(`${core}/endpoints/leaving`)).subsets ?? []).toEqual([]);
    expect((await slicesOf('leaving'))[0]?.metadata.labels['service.kubernetes.io/headless']).toBe('');
    await send('DELETE', `${core}/pods/leaving`, { gracePeriodSeconds: 0 });
    await expect.poll(() => textOf('leaving')).toEqual(['IPv4']);
    await send('DELETE', `${core}/services/leaving`);
    await expect.poll(() => slicesOf('leaving')).toEqual([]);
    await expect.poll(async () => (await send('GET', `${core}/endpoints/leaving`)).status).toBe(404);
  });
});

describe('the slices of Endpoints of a client', () => {
  const endpoints = (name: string, subsets: readonly object[], metadata: object = {}) => ({
    metadata: { name, ...metadata },
    subsets,
  });
  const addresses = (...ips: readonly string[]) => ips.map((ip) => ({ ip }));

  it('follow the Endpoints of a Service without a selector', async () => {
    const name = 'custom';
    const ports = [{ name: 'p', port: 80 }];
    const subset = { addresses: addresses('10.1.2.3', 'fd00::9'), notReadyAddresses: addresses('10.1.2.4'), ports };
    await send('POST', `${core}/endpoints`, endpoints(name, [subset], { labels: { a: 'b' }, annotations: { c: 'd' } }));
    await send('POST', `${core}/services`, { metadata: { name }, spec: { ports: [{ port: 80 }] } });
    await expect.poll(() => textOf(name)).toEqual(['IPv4 p:80 10.1.2.3 10.1.2.4?', 'IPv6 p:80 fd00::9']);
    const [{ metadata }] = (await slicesOf(name)) as [AnyShape];
    expect(metadata).toMatchObject({
      generateName: `${name}-`,
      annotations: { c: 'd' },
      labels: { a: 'b', 'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Endpoints', name, controller: true }],
    });
    const changed = { subsets: [{ addresses: addresses('10.1.2.5'), ports: [{ port: 81 }] }] };
    await send('PATCH', `${core}/endpoints/${name}`, changed, merge);
    await expect.poll(() => textOf(name)).toEqual(['IPv4 :81 10.1.2.5']);
    await send('DELETE', `${core}/endpoints/${name}`);
    await expect.poll(() => slicesOf(name)).toEqual([]);
  });

  it.each([
    ['skipped', { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } }],
    ['leader', { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } }],
  ])('are absent for Endpoints that are %s', async (name, metadata) => {
    const subset = { addresses: addresses('10.1.2.3'), ports: [{ port: 80 }] };
    await send('POST', `${core}/services`, { metadata: { name }, spec: { ports: [{ port: 80 }] } });
    await send('POST', `${core}/endpoints`, endpoints(name, [subset], metadata));
    const free = { labels: null, annotations: null };
    await expect.poll(() => textOf(name)).toEqual([]);
    await send('PATCH', `${core}/endpoints/${name}`, { metadata: free }, merge);
    await expect.poll(() => textOf(name)).toEqual(['IPv4 :80 10.1.2.3']);
    await send('PATCH', `${core}/endpoints/${name}`, { metadata }, merge);
    await expect.poll(() => textOf(name)).toEqual([]);
  });

  it('have the first thousand addresses of a subset', async () => {
    const name = 'large';
    const many = Array.from({ length: 1003 }, (_, index) => `10.2.${index >> 8}.${index & 255}`);
    await send('POST', `${core}/services`, { metadata: { name }, spec: { ports: [{ port: 80 }] } });
    await send(
      'POST',
      `${core}/endpoints`,
      endpoints(name, [{ addresses: addresses(...many), ports: [{ port: 80 }] }]),
    );
    const counts = async () => (await slicesOf(name)).map((slice) => slice.endpoints.length);
    await expect.poll(counts).toEqual([1000]);
    const events = async () => (await read(`${core}/events?fieldSelector=reason%3DTooManyAddressesToMirror`)).items;
    await expect.poll(async () => (await events())[0]?.message).toMatch(/ 3 addresses were skipped$/);
  });
});

describe('the slices of many endpoints', () => {
  const group = (numbers: readonly number[]): EndpointGroup => ({
    addressType: 'IPv4',
    ports: [{ name: '', port: 80, protocol: 'TCP' }],
    endpoints: numbers.map((number) => ({ addresses: [`10.3.${number >> 8}.${number & 255}`] })),
  });
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

  it('hold so many each, and change as little as possible', async () => {
    const calls: string[] = [];
    const stored = new Map<string, AnyShape>();
    const store = {
      list: async () => ({ entries: [...stored.values()].map((value) => ({ value })), revision: 1 }),
      create: async (_namespace: string | undefined, slice: AnyShape) => {
        const name = `slice-${stored.size}`;
        calls.push(`create ${(slice.endpoints ?? []).length}`);
        stored.set(name, { ...slice, metadata: { ...slice.metadata, name } });
      },
      updateInternally: async ({ name }: AnyShape, change: (slice: AnyShape) => AnyShape) => {
        const before = stored.get(name);
        const next = change(before as AnyShape);
        if (next !== before) calls.push(`update ${(next.endpoints ?? []).length}`);
        stored.set(name, next);
      },
      delete: async ({ name }: AnyShape) => {
        calls.push('delete');
        stored.delete(name);
      },
    } as never;
    const owner = { name: 's', namespace: 'n', managedBy: 'm', most: 100, labels: {} };
    const write = async (groups: readonly EndpointGroup[]) => {
      calls.length = 0;
      await writeSlices(owner, groups, store);
      return [...calls];
    };
    expect(await write([group(range(0, 250))])).toEqual(['create 100', 'create 100', 'create 50']);
    expect(await write([group(range(0, 250).reverse())])).toEqual([]);
    expect(await write([group([...range(0, 50), ...range(51, 250)])])).toEqual(['update 99']);
    expect(await write([group(range(51, 310))])).toEqual(['update 100', 'update 59']);
    expect(await write([group(range(300, 310))])).toEqual(['update 1', 'delete', 'update 9']);
    expect(await write([group([])])).toEqual(['update 0', 'delete']);
    expect(await write([])).toEqual(['delete']);
  });
});
