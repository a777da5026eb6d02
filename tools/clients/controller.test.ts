// A controller with all that controllers do, by one test on the reference server and on a real kube-apiserver.
import { CoordinationV1Api, CustomObjectsApi, setHeaderOptions } from '@kubernetes/client-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { leaseName } from './controller/controller.js';
import { orConflict, orMissing, update } from './controller/requests.js';
import { type ServerKind, serverKinds } from './controller/servers.js';
import { readyOf, type Setup, seldom, startSetup } from './controller/setup.js';
import { finalizer, group, plural, version, type Website } from './controller/website.js';

describe.each(serverKinds)('a controller on $name', (serverKind: ServerKind) => {
  const { expects, unavailable } = serverKind;
  if (unavailable !== undefined) {
    console.log(`not run on ${serverKind.name}: ${unavailable}`);
    it.skip(unavailable);
    return;
  }

  let setup: Setup;
  beforeAll(async () => {
    setup = await startSetup(serverKind);
  });
  afterAll(() => setup?.close());
  beforeEach(async ({ onTestFailed }) => {
    onTestFailed(() => console.log('what the controllers could not do:', setup.failures.slice(-5)));
    await setup.begin();
  });
  afterEach(() => setup.end());

  it('has defaults, validation and columns by its definition', async () => {
    const { spec } = await setup.websites.create('shop', { host: 'shop.example.com' });
    expect(spec).toEqual({ host: 'shop.example.com', image: 'nginx:1.27', replicas: 1 });
    await expect(setup.websites.create('large', { host: 'large.example.com', replicas: 11 })).rejects.toMatchObject({
      code: 422,
      body: expect.stringContaining('spec.replicas'),
    });
    await setup.leader();
    await setup.ready('shop');
    const table = await setup.config
      .makeApiClient(CustomObjectsApi)
      .listNamespacedCustomObject(
        { group, version, plural, namespace: setup.namespace },
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
    await setup.leader();
    const { metadata } = await setup.websites.create('shop', { host: 'shop.example.com', replicas: 2 });
    const website = await setup.ready('shop');
    expect(website.metadata?.finalizers).toEqual([finalizer]);
    expect(website.metadata?.generation).toBe(1);
    expect(website.status).toMatchObject({ availableReplicas: 2, conditions: [{ reason: 'Available' }] });
    const owned = { metadata: { ownerReferences: [{ kind: 'Website', uid: metadata?.uid, controller: true }] } };
    expect(await setup.deployment('shop')).toMatchObject({ ...owned, spec: { replicas: 2 } });
    expect(await setup.service('shop')).toMatchObject({ ...owned, spec: { ports: [{ port: 80, targetPort: 8080 }] } });
    expect((await setup.route('shop'))?.data).toEqual({ host: 'shop.example.com', service: 'shop' });
    const fieldSelector = `involvedObject.kind=Website,involvedObject.name=shop,involvedObject.uid=${metadata?.uid}`;
    const events = async () =>
      (await setup.core.listNamespacedEvent({ namespace: setup.namespace, fieldSelector })).items;
    await expect
      .poll(async () => (await events()).map(({ reason, message }) => `${reason}: ${message}`).sort(), seldom)
      .toEqual(['Available: All replicas are available', 'Created: Created deployment shop']);
  });

  it('follows the spec of the Website, and its condition keeps the time of its last change', async () => {
    await setup.leader();
    await setup.websites.create('shop', { host: 'shop.example.com' });
    const before = readyOf(await setup.ready('shop'));
    await setup.edit('shop', { image: 'nginx:1.28', host: 'new.example.com' });
    const website = await setup.ready('shop');
    expect([website.metadata?.generation, readyOf(website)?.observedGeneration]).toEqual([2, 2]);
    expect(await setup.imageOf('shop')).toBe('nginx:1.28');
    expect((await setup.route('shop'))?.data?.host).toBe('new.example.com');
    expect(Date.parse(String(readyOf(website)?.lastTransitionTime))).toBeGreaterThanOrEqual(
      Date.parse(String(before?.lastTransitionTime)),
    );
  });

  it('restores what others change or delete', async () => {
    await setup.leader();
    await setup.websites.create('shop', { host: 'shop.example.com', replicas: 2 });
    await setup.ready('shop');
    const body = [
      { op: 'replace', path: '/metadata/labels', value: { mine: 'yes' } },
      { op: 'replace', path: '/spec/replicas', value: 5 },
    ];
    await setup.apps.patchNamespacedDeployment({ namespace: setup.namespace, name: 'shop', body });
    await expect.poll(async () => (await setup.deployment('shop'))?.spec?.replicas, seldom).toBe(2);
    // The labels of others stay, those of the controller return.
    expect((await setup.deployment('shop'))?.metadata?.labels).toEqual({ mine: 'yes', website: 'shop' });
    const first = (await setup.deployment('shop'))?.metadata?.uid;
    await setup.apps.deleteNamespacedDeployment({
      namespace: setup.namespace,
      name: 'shop',
      propagationPolicy: 'Background',
    });
    await expect.poll(async () => (await setup.deployment('shop'))?.metadata?.uid ?? first, seldom).not.toBe(first);
    await setup.ready('shop');
  });

  it('cleans up before a deleted Website goes, and what the Website owns is collected', async () => {
    const controller = await setup.leader();
    await setup.websites.create('shop', { host: 'shop.example.com' });
    await setup.ready('shop');
    await controller.stop();
    await setup.websites.delete('shop');
    // The finalizer keeps the Website, and with it all that it needs.
    expect((await setup.websites.get('shop')).metadata?.deletionTimestamp).toBeDefined();
    expect(await setup.route('shop')).toBeDefined();
    await setup.leader('two');
    await expect.poll(() => orMissing(setup.websites.get('shop')), seldom).toBeUndefined();
    expect(await setup.route('shop')).toBeUndefined();
    if (!expects.collectsGarbage) {
      expect([await setup.deployment('shop'), await setup.service('shop')]).not.toContain(undefined);
      return;
    }
    await expect
      .poll(async () => [await setup.deployment('shop'), await setup.service('shop')], seldom)
      .toEqual([undefined, undefined]);
  });

  it('writes a status again that another writer was faster for, and the status alone', async () => {
    const { metadata } = await setup.websites.create('shop', { host: 'shop.example.com' });
    let attempts = 0;
    const written = await update<Website>(
      () => setup.websites.get('shop'),
      async (there) => {
        attempts++;
        if (attempts === 1) await setup.edit('shop', { host: 'faster.example.com' });
        return { ...there, spec: { host: 'ignored.example.com' }, status: { availableReplicas: 7 } };
      },
      (changed) => setup.websites.replaceStatus(changed),
    );
    expect(attempts).toBe(2);
    expect(written).toMatchObject({ spec: { host: 'faster.example.com' }, status: { availableReplicas: 7 } });
    expect(written?.metadata?.generation).toBe(2);
    // Nor does a write of the object change the status.
    const replaced = await setup.websites.replace({ ...(written as Website), status: { availableReplicas: 8 } });
    expect(replaced.status).toEqual({ availableReplicas: 7 });
    const { resourceVersion } = metadata ?? {};
    const stale = {
      ...(written as Website),
      metadata: { ...written?.metadata, ...(resourceVersion && { resourceVersion }) },
    };
    expect(await orConflict(setup.websites.replaceStatus(stale))).toBeUndefined();
  });

  it('resumes its watches when the network was gone, without a list', async () => {
    const controller = await setup.leader();
    await setup.websites.create('shop', { host: 'shop.example.com' });
    await setup.ready('shop');
    const lists = controller.websites.lists + controller.deployments.lists;
    setup.relay.cut();
    await setup.websites.create('second', { host: 'second.example.com' });
    await setup.edit('shop', { image: 'nginx:1.28' });
    setup.relay.join(setup.port);
    await setup.ready('second');
    await setup.ready('shop');
    expect(await setup.imageOf('shop')).toBe('nginx:1.28');
    expect(controller.websites.lists + controller.deployments.lists).toBe(lists);
  });

  it('lists again when the history that it needs has expired', async () => {
    const controller = await setup.leader();
    await setup.websites.create('shop', { host: 'shop.example.com' });
    await setup.websites.create('gone', { host: 'gone.example.com' });
    await setup.ready('shop');
    await setup.ready('gone');
    const { lists } = controller.websites;
    setup.relay.cut();
    await setup.edit('shop', { image: 'nginx:1.28' });
    await setup.websites.create('second', { host: 'second.example.com' });
    await setup.expire();
    setup.relay.join(setup.port);
    await setup.ready('second');
    await setup.ready('shop');
    expect(await setup.imageOf('shop')).toBe('nginx:1.28');
    expect(controller.websites.lists).toBeGreaterThan(lists);
    expect(
      controller.websites
        .list()
        .map(({ metadata }) => metadata?.name)
        .sort(),
    ).toEqual(['gone', 'second', 'shop']);
  });

  it('leads with one of two replicas, and the other takes over from one that crashed', async () => {
    const one = await setup.leader('one');
    const two = await setup.replica('two');
    await setup.websites.create('shop', { host: 'shop.example.com' });
    await setup.ready('shop');
    expect([one.leads, two.leads]).toEqual([true, false]);
    const leases = setup.config.makeApiClient(CoordinationV1Api);
    const lease = async () => (await leases.readNamespacedLease({ namespace: setup.namespace, name: leaseName })).spec;
    expect(await lease()).toMatchObject({ holderIdentity: 'one', leaseTransitions: 0 });
    await one.stop({ crash: true });
    expect((await lease())?.holderIdentity).toBe('one');
    // The Lease lasts a minute, which the test does not wait for.
    await leases.patchNamespacedLease({
      namespace: setup.namespace,
      name: leaseName,
      body: [{ op: 'replace', path: '/spec/leaseDurationSeconds', value: 1 }],
    });
    await setup.edit('shop', { image: 'nginx:1.28' });
    await expect.poll(() => two.leads).toBe(true);
    expect(await lease()).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
    await setup.ready('shop');
    expect(await setup.imageOf('shop')).toBe('nginx:1.28');
    // A replica that stops in order need not be waited for.
    await two.stop();
    expect((await lease())?.holderIdentity ?? '').toBe('');
    await setup.leader('three');
    expect(await lease()).toMatchObject({ holderIdentity: 'three', leaseTransitions: 2 });
  });
});
