// Tests status, finalize, binding, eviction, scale, rollback and component statuses.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryStorage } from '../storage/memory.js';
import type { AnyShape } from '../testing/anyShape.js';
import { type Direct, startDirect } from '../testing/direct.js';

const core = '/api/v1/namespaces/default';
const extensions = '/apis/extensions/v1beta1/namespaces/default';
const podSpec = { containers: [{ name: 'c', image: 'i:1' }] };
let server: Direct;
let storage: MemoryStorage;

beforeEach(async () => {
  storage = new MemoryStorage();
  server = await startDirect(storage);
  return server.stop;
});

async function create(path: string, body: object) {
  const reply = await server.call('POST', path, { body });
  expect(reply.body.message ?? '').toBe('');
  return reply.body;
}
const get = async (path: string) => (await server.call('GET', path)).body;

describe('a status', () => {
  test('is written separately from the rest of the object', async () => {
    const pod = await create(`${core}/pods`, { metadata: { name: 'p' }, spec: podSpec, status: { phase: 'Running' } });
    expect(pod.status).toEqual({ phase: 'Pending' });
    const status = { phase: 'Running', message: 'hey' };
    const body = { ...pod, spec: { containers: [] }, status, metadata: { ...pod.metadata, labels: { x: '1' } } };
    const written = (await server.call('PUT', `${core}/pods/p/status`, { body })).body;
    expect([written.status, written.spec, written.metadata.labels]).toEqual([status, pod.spec, { x: '1' }]);
    const main = { ...written, status: { phase: 'Failed' }, metadata: { ...written.metadata, labels: { y: '2' } } };
    const replaced = (await server.call('PUT', `${core}/pods/p`, { body: main })).body;
    expect([replaced.status, replaced.metadata.labels]).toEqual([status, { y: '2' }]);
    expect(await get(`${core}/pods/p/status`)).toEqual(replaced);
  });

  test('does not change the generation', async () => {
    const template = { metadata: { labels: { a: 'd' } }, spec: podSpec };
    const { metadata } = await create(`${extensions}/deployments`, { metadata: { name: 'd' }, spec: { template } });
    expect(metadata.generation).toBe(1);
    const patch = { body: { status: { observedGeneration: 1 } }, mediaType: 'application/merge-patch+json' };
    const patched = (await server.call('PATCH', `${extensions}/deployments/d/status`, patch)).body;
    expect([patched.metadata.generation, patched.status.observedGeneration]).toEqual([1, 1]);
    const labels = { body: { metadata: { labels: { a: 'b' } } }, mediaType: 'application/merge-patch+json' };
    expect((await server.call('PATCH', `${extensions}/deployments/d`, labels)).body.metadata.generation).toBe(1);
    const replicas = { body: { spec: { replicas: 3 } }, mediaType: 'application/merge-patch+json' };
    expect((await server.call('PATCH', `${extensions}/deployments/d`, replicas)).body.metadata.generation).toBe(2);
  });
});

describe('a binding', () => {
  const binding = (name: string, node = 'node-1') => ({ metadata: { name }, target: { kind: 'Node', name: node } });
  beforeEach(() => create(`${core}/pods`, { metadata: { name: 'p' }, spec: podSpec }));

  test.each([`${core}/pods/p/binding`, `${core}/bindings`])('POST %s', async (path) => {
    const reply = await server.call('POST', path, { body: binding('p') });
    expect(reply).toEqual({
      status: 200,
      body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 200 },
    });
    const { spec, status } = await get(`${core}/pods/p`);
    expect([spec.nodeName, status.conditions[0].type]).toEqual(['node-1', 'PodScheduled']);
    const again = await server.call('POST', path, { body: binding('p', 'node-2') });
    expect(again.body.message).toBe(
      'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "node-1"',
    );
  });

  test.each([
    ['pods/nope/binding', binding('nope'), 404],
    ['pods/p/binding', binding('other'), 400],
    ['pods/p/binding', { target: { name: 'n' } }, 400],
    ['pods/p/binding', { metadata: { name: 'p' }, target: { kind: 'Foo', name: 'n' } }, 400],
    ['pods/p/binding', { metadata: { name: 'p' }, target: { kind: 'Node' } }, 400],
    ['bindings', { target: { name: 'n' } }, 400],
    ['bindings', binding('nope'), 404],
  ])('POST %s of %j is %i', async (path, body, status) => {
    expect((await server.call('POST', `${core}/${path}`, { body })).status).toBe(status);
  });

  test('keeps a deleted pod for its grace period', async () => {
    await server.call('POST', `${core}/bindings`, { body: binding('p') });
    const before = Date.now();
    const { metadata } = (await server.call('DELETE', `${core}/pods/p`)).body;
    expect(metadata.deletionGracePeriodSeconds).toBe(30);
    expect(Date.parse(metadata.deletionTimestamp)).toBeGreaterThan(before + 29_000);
    expect((await server.call('DELETE', `${core}/pods/p?gracePeriodSeconds=0`)).body.kind).toBe('Pod');
    expect((await server.call('GET', `${core}/pods/p`)).status).toBe(404);
  });
});

test.each([{}, { name: 'q' }])('an eviction with metadata %j is refused', async (metadata) => {
  await create(`${core}/pods`, { metadata: { name: 'p' }, spec: podSpec });
  const { body } = await server.call('POST', `${core}/pods/p/eviction`, { body: { metadata } });
  expect([body.code, body.message]).toEqual([400, 'name in URL does not match name in Eviction object']);
  expect((await server.call('GET', `${core}/pods/p`)).status).toBe(200);
});

test('an eviction deletes the pod', async () => {
  await create(`${core}/pods`, { metadata: { name: 'p' }, spec: podSpec });
  const body = { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: 'p' } };
  expect((await server.call('POST', `${core}/pods/p/eviction`, { body })).body.status).toBe('Success');
  expect((await server.call('GET', `${core}/pods/p`)).status).toBe(404);
  expect((await server.call('POST', `${core}/pods/p/eviction`, { body })).status).toBe(404);
});

describe('a scale', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: podSpec };
  const kinds = [
    [`${extensions}/deployments`, extensions, 'deployments'],
    [`${extensions}/replicasets`, extensions, 'replicasets'],
    [`${core}/replicationcontrollers`, extensions, 'replicationcontrollers'],
    [`${core}/replicationcontrollers`, core, 'replicationcontrollers'],
  ] as const;

  test.each(kinds)('of %s in %s', async (path, group, plural) => {
    const { metadata } = await create(path, { metadata: { name: 'w' }, spec: { replicas: 2, template } });
    const at = `${group}/${plural}/w/scale`;
    const inCore = group === core;
    const scale = await get(at);
    expect(scale).toMatchObject({
      kind: 'Scale',
      apiVersion: inCore ? 'autoscaling/v1' : 'extensions/v1beta1',
      metadata: { name: 'w', namespace: 'default', uid: metadata.uid, selfLink: at },
      spec: { replicas: 2 },
      status: inCore ? { replicas: 0, selector: 'a=b' } : { replicas: 0, selector: { a: 'b' }, targetSelector: 'a=b' },
    });
    const put = await server.call('PUT', at, { body: { metadata: { name: 'w' }, spec: { replicas: 5 } } });
    expect([put.status, put.body.spec.replicas]).toEqual([200, 5]);
    expect((await get(`${path}/w`)).spec.replicas).toBe(5);
    expect((await get(`${path}/w`)).metadata.generation).toBe(2);
    const patches = [
      ['application/merge-patch+json', { spec: { replicas: 6 } }, 6],
      ['application/strategic-merge-patch+json', { spec: { replicas: 7 } }, 7],
      ['application/json-patch+json', [{ op: 'replace', path: '/spec/replicas', value: 8 }], 8],
    ] as const;
    for (const [mediaType, body, replicas] of patches) {
      expect((await server.call('PATCH', at, { body, mediaType })).body.spec).toEqual({ replicas });
    }
    const other = inCore ? 'extensions/v1beta1' : 'autoscaling/v1';
    const refused = [
      [{ metadata: { name: 'w' }, spec: { replicas: -1 } }, 422],
      [{ metadata: { name: 'other' }, spec: { replicas: 1 } }, 400],
      [{ spec: { replicas: 1 } }, 400],
      [{ metadata: { name: 'w', resourceVersion: '1' }, spec: { replicas: 1 } }, 409],
      [{ apiVersion: other, kind: 'Scale', metadata: { name: 'w' }, spec: { replicas: 1 } }, 400],
    ] as const;
    for (const [body, status] of refused) expect((await server.call('PUT', at, { body })).status).toBe(status);
    expect((await get(at)).spec).toEqual({ replicas: 8 });
    const absent = (await get(`${group}/${plural}/none/scale`)).details;
    expect(absent).toEqual({ name: 'none', group: inCore ? 'autoscaling' : 'extensions', kind: `${plural}/scale` });
  });
});

describe('a rollback', () => {
  const at = `${extensions}/deployments/d`;
  const template = (image: string) => ({
    metadata: { labels: { a: 'd' } },
    spec: { containers: [{ name: 'c', image }] },
  });
  const setImage = async (image: string) => {
    const body = { metadata: { name: 'd' }, spec: { template: template(image) } };
    expect((await server.call('PUT', at, { body })).status).toBe(200);
    await expect.poll(revisions).toContain(image);
  };
  const image = async (): Promise<string> => (await get(at)).spec.template.spec.containers[0].image;
  const revisions = async (): Promise<string[]> =>
    (await get(`${extensions}/replicasets`)).items.map(
      (replicaSet: { spec: { template: ReturnType<typeof template> } }) =>
        replicaSet.spec.template.spec.containers[0]?.image,
    );
  const rollback = (body: object) => server.call('POST', `${at}/rollback`, { body });

  beforeEach(async () => {
    await create(`${extensions}/deployments`, { metadata: { name: 'd' }, spec: { template: template('i:1') } });
    await expect.poll(revisions).toEqual(['i:1']);
    await setImage('i:2');
    await setImage('i:3');
  });

  test('restores an earlier template', async () => {
    const reply = await rollback({ name: 'd', rollbackTo: { revision: 1 }, updatedAnnotations: { why: 'x' } });
    expect([reply.status, reply.body.message]).toEqual([200, 'rollback request for deployment "d" succeeded']);
    expect((await get(at)).metadata.annotations.why).toBe('x');
    const seen = async (): Promise<unknown[]> => {
      const { metadata, spec } = await get(at);
      return [await image(), spec.rollbackTo, metadata.annotations['deployment.kubernetes.io/revision']];
    };
    await expect.poll(seen).toEqual(['i:1', undefined, '4']);
    expect((await rollback({ name: 'd', rollbackTo: {} })).status).toBe(200);
    await expect.poll(image).toBe('i:3');
  });

  test('is a request to the controller, which removes it', async () => {
    await server.stop();
    expect((await rollback({ name: 'd', rollbackTo: { revision: 1 } })).status).toBe(200);
    expect([await image(), (await get(at)).spec.rollbackTo]).toEqual(['i:3', { revision: 1 }]);
  });

  test.each([
    [{ rollbackTo: {} }, 422],
    [{ name: 'd', rollbackTo: { revision: -1 } }, 422],
    [{ name: 'other', rollbackTo: {} }, 404],
    [{ apiVersion: 'extensions/v1beta1', kind: 'Deployment', metadata: { name: 'd' } }, 400],
  ])('with %j is %i', async (body, status) => {
    expect((await rollback(body)).status).toBe(status);
    expect(await image()).toBe('i:3');
  });
});

test('a deployment keeps its newest old revisions, up to its limit', async () => {
  const template = (image: string) => ({
    metadata: { labels: { a: 'd' } },
    spec: { containers: [{ name: 'c', image }] },
  });
  const at = `${extensions}/deployments`;
  const setTemplate = (image: string) =>
    server.call('PUT', `${at}/d`, {
      body: { metadata: { name: 'd' }, spec: { revisionHistoryLimit: 2, template: template(image) } },
    });
  const revisions = async () =>
    (await get(`${extensions}/replicasets`)).items
      .map((item: { metadata: { annotations: Record<string, string> } }) =>
        Number(item.metadata.annotations['deployment.kubernetes.io/revision']),
      )
      .sort();
  await create(at, { metadata: { name: 'd' }, spec: { revisionHistoryLimit: 2, template: template('i:1') } });
  for (const image of ['i:2', 'i:3', 'i:4', 'i:5']) await setTemplate(image);
  await expect.poll(revisions).toEqual([3, 4, 5]);
  // The oldest remaining template is used again and becomes the newest revision.
  await setTemplate('i:3');
  await expect.poll(revisions).toEqual([4, 5, 6]);
});

test('a rollback to an absent revision is accepted, and keeps the template', async () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
  await create(`${extensions}/deployments`, { metadata: { name: 'young' }, spec: { template } });
  const at = `${extensions}/deployments/young`;
  for (const revision of [0, 99]) {
    const body = { name: 'young', rollbackTo: { revision }, updatedAnnotations: { asked: String(revision) } };
    const { status, body: answer } = await server.call('POST', `${at}/rollback`, { body });
    expect([status, answer]).toEqual([
      200,
      expect.objectContaining({
        kind: 'Status',
        status: 'Success',
        message: 'rollback request for deployment "young" succeeded',
      }),
    ]);
    const seen = async (): Promise<unknown[]> => {
      const { metadata, spec } = await get(at);
      return [spec.rollbackTo, metadata.annotations.asked, spec.template.spec.containers[0].image];
    };
    await expect.poll(seen).toEqual([undefined, String(revision), 'i:1']);
  }
});

test('a rollback has an event of the deployment, as on real servers', async () => {
  const template = (image: string) => ({
    metadata: { labels: { a: 'd' } },
    spec: { containers: [{ name: 'c', image }] },
  });
  const at = `${extensions}/deployments`;
  await create(at, { metadata: { name: 'd' }, spec: { template: template('i:1') } });
  const rollback = async (revision: number, query = '') => {
    await server.call('POST', `${at}/d/rollback${query}`, { body: { name: 'd', rollbackTo: { revision } } });
    await expect.poll(async () => (await get(`${at}/d`)).spec.rollbackTo).toBeUndefined();
  };
  await rollback(0);
  await rollback(9);
  await server.call('PUT', `${at}/d`, { body: { metadata: { name: 'd' }, spec: { template: template('i:2') } } });
  await rollback(0, '?dryRun=All');
  await rollback(2);
  await rollback(1);
  const { uid } = (await get(`${at}/d`)).metadata;
  const events = async (): Promise<AnyShape[]> => (await get('/api/v1/namespaces/default/events')).items;
  await expect.poll(events).toHaveLength(4);
  const items = await events();
  expect(new Set(items.map((event: AnyShape) => event.involvedObject.uid))).toEqual(new Set([uid]));
  expect(items.map(({ type, reason, message }: AnyShape) => [type, reason, message])).toEqual([
    ['Warning', 'DeploymentRollbackRevisionNotFound', 'Unable to find last revision.'],
    ['Warning', 'DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.'],
    [
      'Warning',
      'DeploymentRollbackTemplateUnchanged',
      'The rollback revision contains the same template as current deployment "d"',
    ],
    ['Normal', 'DeploymentRollback', 'Rolled back deployment "d" to revision 1'],
  ]);
});

test('a rollback directly after a change sees the change', async () => {
  const template = (image: string) => ({
    metadata: { labels: { a: 'd' } },
    spec: { containers: [{ name: 'c', image }] },
  });
  await create(`${extensions}/deployments`, { metadata: { name: 'd' }, spec: { template: template('i:1') } });
  const at = `${extensions}/deployments/d`;
  for (const image of ['i:2', 'i:3']) {
    await server.call('PUT', at, { body: { metadata: { name: 'd' }, spec: { template: template(image) } } });
  }
  expect((await server.call('POST', `${at}/rollback`, { body: { name: 'd', rollbackTo: {} } })).status).toBe(200);
  await expect.poll(async () => (await get(at)).spec.template.spec.containers[0].image).toBe('i:2');
});

describe('components', () => {
  const at = '/api/v1/componentstatuses';
  test('are probed', async () => {
    expect((await get(at)).items).toEqual([
      {
        metadata: { name: 'etcd-0', selfLink: `${at}/etcd-0` },
        conditions: [{ type: 'Healthy', status: 'True', message: '{"health":"true"}' }],
      },
      {
        metadata: { name: 'controller-manager', selfLink: `${at}/controller-manager` },
        conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
      },
    ]);
    storage.probe = async () => {
      throw new Error('disk on fire');
    };
    expect((await get(`${at}/etcd-0`)).conditions).toEqual([
      { type: 'Healthy', status: 'False', message: 'disk on fire' },
    ]);
  });
  const never = new Promise<void>(() => undefined);
  test.each([
    ['that was closed', () => storage.close()],
    ['that fails', () => vi.spyOn(storage, 'probe').mockRejectedValue(new Error('disk on fire'))],
    ['that does not answer', () => vi.spyOn(storage, 'probe').mockReturnValue(never)],
  ])('a storage %s is unhealthy', async (_, stop) => {
    await stop();
    const { items } = await get(at);
    expect(items[0].conditions[0]).toMatchObject({ type: 'Healthy', status: 'False' });
    expect(items[0].conditions[0].message).not.toBe('');
  });
  test('of unknown names are 404', async () => expect((await server.call('GET', `${at}/none`)).status).toBe(404));
});
