// A controller with all that controllers do, by one test on the reference server and on a real kube-apiserver.
import { randomBytes } from 'node:crypto';
import {
  ApiextensionsV1Api,
  AppsV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  type KubeConfig,
  setHeaderOptions,
} from '@kubernetes/client-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { routeNameOf } from './controller/children.js';
import { Controller, leaseName } from './controller/controller.js';
import { type Relay, startRelay } from './controller/relay.js';
import { orConflict, orMissing, update } from './controller/requests.js';
import { configOf, type ServerKind, serverKinds, type TestedServer } from './controller/servers.js';
import { advance } from './controller/standIn.js';
import { definition, finalizer, group, plural, version, type Website, Websites } from './controller/website.js';

/** Longer than a busy machine stands still, so that no leader is deposed by chance. */
const leaseSeconds = 6;
const routes = 'routes';

/** Waits outside of a test, where there is no `expect.poll`. */
const eventually = (see: () => Promise<unknown>) => vi.waitFor(see, { timeout: inject('deadline') / 2 });

const readyOf = ({ status }: Website) => status?.conditions?.find(({ type }) => type === 'Ready');

describe.each(serverKinds)('a controller on $name', (serverKind: ServerKind) => {
  const { expects, unavailable } = serverKind;
  if (unavailable !== undefined) {
    console.log(`not run on ${serverKind.name}: ${unavailable}`);
    it.skip(unavailable);
    return;
  }

  let server: TestedServer;
  /** The way of the controllers to the server, which the test can cut, and its own. */
  let relay: Relay;
  let config: KubeConfig;
  let core: CoreV1Api;
  let apps: AppsV1Api;
  /** Each test has a namespace and controllers of its own. */
  let namespace: string;
  let websites: Websites;
  let replicas: Controller[] = [];
  let failures: unknown[] = [];
  let started: number;

  function use(port: number): void {
    config = configOf(port, server);
    core = config.makeApiClient(CoreV1Api);
    apps = config.makeApiClient(AppsV1Api);
    websites = new Websites(config.makeApiClient(CustomObjectsApi), namespace);
  }

  beforeAll(async () => {
    started = performance.now();
    server = await serverKind.start();
    const ready = performance.now();
    relay = await startRelay(server.port);
    use(server.port);
    const extensions = config.makeApiClient(ApiextensionsV1Api);
    const { metadata } = await extensions.createCustomResourceDefinition({ body: definition });
    const established = { type: 'Established', status: 'True' };
    await eventually(async () => {
      const { status } = await extensions.readCustomResourceDefinition({ name: metadata?.name ?? '' });
      expect(status?.conditions).toContainEqual(expect.objectContaining(established));
    });
    await core.createNamespace({ body: { metadata: { name: routes } } });
    console.log(`${serverKind.name}: ready after ${Math.round(ready - started)} ms`);
  });
  afterAll(async () => {
    await relay?.close();
    await server?.close();
    console.log(`${serverKind.name}: stopped ${Math.round(performance.now() - started)} ms after the start`);
  });
  beforeEach(async ({ onTestFailed }) => {
    failures = [];
    onTestFailed(() => console.log('what the controllers could not do:', failures.slice(-5)));
    namespace = `sites-${randomBytes(4).toString('hex')}`;
    use(server.port);
    await core.createNamespace({ body: { metadata: { name: namespace } } });
    // An established definition is served a moment later.
    await eventually(() => websites.list());
  });
  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    replicas = [];
  });

  /** Starts a replica of the controller. */
  async function replica(identity: string): Promise<Controller> {
    const controller = new Controller(configOf(relay.port, server), {
      namespace,
      routes,
      identity,
      leaseSeconds,
      onFailure: (error) => failures.push(error),
    });
    replicas.push(controller);
    await controller.start();
    return controller;
  }

  /** Starts a replica, and resolves when it leads. */
  async function leader(identity = 'one'): Promise<Controller> {
    const controller = await replica(identity);
    await expect.poll(() => controller.leads).toBe(true);
    return controller;
  }

  /** Resolves with the Website when it is ready in its present generation. */
  async function ready(name: string): Promise<Website> {
    await expect
      .poll(async () => {
        await advance(config, expects, namespace, name);
        const website = await websites.get(name);
        const { status, observedGeneration } = readyOf(website) ?? {};
        return status === 'True' && observedGeneration === website.metadata?.generation;
      })
      .toBe(true);
    return websites.get(name);
  }

  /** Changes a Website as a user does. */
  const edit = (name: string, spec: Partial<Website['spec']>): Promise<Website | undefined> =>
    update(
      () => websites.get(name),
      (there) => ({ ...there, spec: { ...there.spec, ...spec } }),
      (changed) => websites.replace(changed),
    );

  const deployment = (name: string) => orMissing(apps.readNamespacedDeployment({ namespace, name }));
  const service = (name: string) => orMissing(core.readNamespacedService({ namespace, name }));
  const route = (name: string) =>
    orMissing(core.readNamespacedConfigMap({ namespace: routes, name: routeNameOf(namespace, name) }));
  const imageOf = async (name: string) => (await deployment(name))?.spec?.template.spec?.containers[0]?.image;

  it('has defaults, validation and columns by its definition', async () => {
    const { spec } = await websites.create('shop', { host: 'shop.example.com' });
    expect(spec).toEqual({ host: 'shop.example.com', image: 'nginx:1.27', replicas: 1 });
    await expect(websites.create('large', { host: 'large.example.com', replicas: 11 })).rejects.toMatchObject({
      code: 422,
      body: expect.stringContaining('spec.replicas'),
    });
    await leader();
    await ready('shop');
    const table = await config
      .makeApiClient(CustomObjectsApi)
      .listNamespacedCustomObject(
        { group, version, plural, namespace },
        setHeaderOptions('Accept', 'application/json;as=Table;v=v1;g=meta.k8s.io'),
      );
    expect(table.columnDefinitions.map((column: { name: string }) => column.name)).toEqual([
      ...['Name', 'Host', 'Replicas', 'Ready'],
    ]);
    expect(table.rows.map(({ cells }: { cells: unknown[] }) => cells)).toEqual([
      ['shop', 'shop.example.com', 1, 'True'],
    ]);
  });

  it('makes what a Website needs, and says so in its status and in events', async () => {
    await leader();
    const { metadata } = await websites.create('shop', { host: 'shop.example.com', replicas: 2 });
    const website = await ready('shop');
    expect(website.metadata?.finalizers).toEqual([finalizer]);
    expect(website.metadata?.generation).toBe(1);
    expect(website.status).toMatchObject({ availableReplicas: 2, conditions: [{ reason: 'Available' }] });
    const owned = { metadata: { ownerReferences: [{ kind: 'Website', uid: metadata?.uid, controller: true }] } };
    expect(await deployment('shop')).toMatchObject({ ...owned, spec: { replicas: 2 } });
    expect(await service('shop')).toMatchObject({ ...owned, spec: { ports: [{ port: 80, targetPort: 8080 }] } });
    expect((await route('shop'))?.data).toEqual({ host: 'shop.example.com', service: 'shop' });
    const fieldSelector = `involvedObject.kind=Website,involvedObject.name=shop,involvedObject.uid=${metadata?.uid}`;
    const events = async () => (await core.listNamespacedEvent({ namespace, fieldSelector })).items;
    await expect
      .poll(async () => (await events()).map(({ reason, message }) => `${reason}: ${message}`).sort())
      .toEqual(['Available: All replicas are available', 'Created: Created deployment shop']);
  });

  it('follows the spec of the Website, and its condition keeps the time of its last change', async () => {
    await leader();
    await websites.create('shop', { host: 'shop.example.com' });
    const before = readyOf(await ready('shop'));
    await edit('shop', { image: 'nginx:1.28', host: 'new.example.com' });
    const website = await ready('shop');
    expect([website.metadata?.generation, readyOf(website)?.observedGeneration]).toEqual([2, 2]);
    expect(await imageOf('shop')).toBe('nginx:1.28');
    expect((await route('shop'))?.data?.host).toBe('new.example.com');
    expect(Date.parse(String(readyOf(website)?.lastTransitionTime))).toBeGreaterThanOrEqual(
      Date.parse(String(before?.lastTransitionTime)),
    );
  });

  it('restores what others change or delete', async () => {
    await leader();
    await websites.create('shop', { host: 'shop.example.com', replicas: 2 });
    await ready('shop');
    const body = [
      { op: 'replace', path: '/metadata/labels', value: { mine: 'yes' } },
      { op: 'replace', path: '/spec/replicas', value: 5 },
    ];
    await apps.patchNamespacedDeployment({ namespace, name: 'shop', body });
    await expect.poll(async () => (await deployment('shop'))?.spec?.replicas).toBe(2);
    // The labels of others stay, those of the controller return.
    expect((await deployment('shop'))?.metadata?.labels).toEqual({ mine: 'yes', website: 'shop' });
    const first = (await deployment('shop'))?.metadata?.uid;
    await apps.deleteNamespacedDeployment({ namespace, name: 'shop', propagationPolicy: 'Background' });
    await expect.poll(async () => (await deployment('shop'))?.metadata?.uid ?? first).not.toBe(first);
    await ready('shop');
  });

  it('cleans up before a deleted Website goes, and what the Website owns is collected', async () => {
    const controller = await leader();
    await websites.create('shop', { host: 'shop.example.com' });
    await ready('shop');
    await controller.stop();
    await websites.delete('shop');
    // The finalizer keeps the Website, and with it all that it needs.
    expect((await websites.get('shop')).metadata?.deletionTimestamp).toBeDefined();
    expect(await route('shop')).toBeDefined();
    await leader('two');
    await expect.poll(() => orMissing(websites.get('shop'))).toBeUndefined();
    expect(await route('shop')).toBeUndefined();
    if (!expects.collectsGarbage) {
      expect([await deployment('shop'), await service('shop')]).not.toContain(undefined);
      return;
    }
    await expect.poll(async () => [await deployment('shop'), await service('shop')]).toEqual([undefined, undefined]);
  });

  it('writes a status again that another writer was faster for, and the status alone', async () => {
    const { metadata } = await websites.create('shop', { host: 'shop.example.com' });
    let attempts = 0;
    const written = await update<Website>(
      () => websites.get('shop'),
      async (there) => {
        attempts++;
        if (attempts === 1) await edit('shop', { host: 'faster.example.com' });
        return { ...there, spec: { host: 'ignored.example.com' }, status: { availableReplicas: 7 } };
      },
      (changed) => websites.replaceStatus(changed),
    );
    expect(attempts).toBe(2);
    expect(written).toMatchObject({ spec: { host: 'faster.example.com' }, status: { availableReplicas: 7 } });
    expect(written?.metadata?.generation).toBe(2);
    // Nor does a write of the object change the status.
    const replaced = await websites.replace({ ...(written as Website), status: { availableReplicas: 8 } });
    expect(replaced.status).toEqual({ availableReplicas: 7 });
    const { resourceVersion } = metadata ?? {};
    const stale = {
      ...(written as Website),
      metadata: { ...written?.metadata, ...(resourceVersion && { resourceVersion }) },
    };
    expect(await orConflict(websites.replaceStatus(stale))).toBeUndefined();
  });

  it('resumes its watches when the network was gone, without a list', async () => {
    const controller = await leader();
    await websites.create('shop', { host: 'shop.example.com' });
    await ready('shop');
    const lists = controller.websites.lists + controller.deployments.lists;
    relay.cut();
    await websites.create('second', { host: 'second.example.com' });
    await edit('shop', { image: 'nginx:1.28' });
    relay.join(server.port);
    await ready('second');
    await ready('shop');
    expect(await imageOf('shop')).toBe('nginx:1.28');
    expect(controller.websites.lists + controller.deployments.lists).toBe(lists);
  });

  it('lists again when the history that it needs has expired', async () => {
    const controller = await leader();
    await websites.create('shop', { host: 'shop.example.com' });
    await websites.create('gone', { host: 'gone.example.com' });
    await ready('shop');
    await ready('gone');
    const { lists } = controller.websites;
    relay.cut();
    await edit('shop', { image: 'nginx:1.28' });
    await websites.create('second', { host: 'second.example.com' });
    const port = await server.expire();
    server = { ...server, port };
    use(port);
    relay.join(port);
    await ready('second');
    await ready('shop');
    expect(await imageOf('shop')).toBe('nginx:1.28');
    expect(controller.websites.lists).toBeGreaterThan(lists);
    expect(
      controller.websites
        .list()
        .map(({ metadata }) => metadata?.name)
        .sort(),
    ).toEqual(['gone', 'second', 'shop']);
  });

  it('leads with one of two replicas, and the other takes over from one that crashed', async () => {
    const one = await leader('one');
    const two = await replica('two');
    await websites.create('shop', { host: 'shop.example.com' });
    await ready('shop');
    expect([one.leads, two.leads]).toEqual([true, false]);
    const leases = config.makeApiClient(CoordinationV1Api);
    const lease = async () => (await leases.readNamespacedLease({ namespace, name: leaseName })).spec;
    expect(await lease()).toMatchObject({ holderIdentity: 'one', leaseTransitions: 0 });
    await one.stop({ crash: true });
    expect((await lease())?.holderIdentity).toBe('one');
    await edit('shop', { image: 'nginx:1.28' });
    await expect.poll(() => two.leads).toBe(true);
    expect(await lease()).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
    await ready('shop');
    expect(await imageOf('shop')).toBe('nginx:1.28');
    // A replica that stops in order need not be waited for.
    await two.stop();
    expect((await lease())?.holderIdentity ?? '').toBe('');
    await leader('three');
    expect(await lease()).toMatchObject({ holderIdentity: 'three', leaseTransitions: 2 });
  });
});
