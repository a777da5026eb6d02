// Tests the effects of admission on writes: service accounts of pods, limit ranges, quotas.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Direct, startDirect } from '../testing/direct.js';

let server: Direct;
const core = '/api/v1/namespaces/default';

beforeEach(async () => {
  server = await startDirect();
});
afterEach(() => server.stop());

const pod = (name: string, ...resources: readonly object[]) => ({
  metadata: { name },
  spec: { containers: resources.map((each, index) => ({ name: `c${index}`, image: 'i:1', resources: each })) },
});
const claim = (name: string, storage: string) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});
const service = (name: string, type = 'ClusterIP', ports = 1) => ({
  metadata: { name },
  spec: { type, ports: Array.from({ length: ports }, (_, index) => ({ name: `p${index}`, port: index + 1 })) },
});
const limitRange = (...limits: readonly object[]) =>
  server.create(`${core}/limitranges`, { metadata: { name: 'limits' }, spec: { limits } });
const quota = (hard: object, scopes?: readonly string[]) =>
  server.create(`${core}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard, ...(scopes && { scopes }) } });

/** Returns the message of a refusal without its beginning. */
const refusal = async (path: string, body: object): Promise<string> => {
  const reply = await server.call('POST', path, { body });
  expect([reply.status, reply.body.reason]).toEqual([403, 'Forbidden']);
  return reply.body.message.replace(/^.* is forbidden: /, '');
};

describe('service accounts', () => {
  test('every namespace has a default account, and a deleted one is recreated', async () => {
    await server.create('/api/v1/namespaces', { metadata: { name: 'new' } });
    const path = '/api/v1/namespaces/new/serviceaccounts/default';
    expect((await server.call('GET', path)).status).toBe(200);
    await server.call('DELETE', path);
    await expect.poll(async () => (await server.call('GET', path)).status).toBe(200);
  });

  test('a pod runs as the default account, or as the account that it names', async () => {
    await server.create(`${core}/serviceaccounts`, {
      metadata: { name: 'robot' },
      imagePullSecrets: [{ name: 'pull' }],
    });
    const silent = await server.create(`${core}/pods`, pod('silent', {}));
    expect(silent.spec).toMatchObject({ serviceAccountName: 'default', serviceAccount: 'default' });
    const { spec } = pod('robot', {});
    const named = await server.create(`${core}/pods`, {
      metadata: { name: 'robot' },
      spec: { ...spec, serviceAccount: 'robot' },
    });
    const expected = { serviceAccountName: 'robot', serviceAccount: 'robot', imagePullSecrets: [{ name: 'pull' }] };
    expect(named.spec).toMatchObject(expected);
  });

  test('a pod with an absent account is refused', async () => {
    const { spec } = pod('x', {});
    const body = { metadata: { name: 'x' }, spec: { ...spec, serviceAccountName: 'nobody' } };
    expect(await refusal(`${core}/pods`, body)).toBe(
      'error looking up service account default/nobody: serviceaccount "nobody" not found',
    );
  });
});

describe('limit ranges', () => {
  test('set the defaults of a container and record them in an annotation', async () => {
    await limitRange({
      type: 'Container',
      max: { memory: '1Gi' },
      default: { cpu: '1' },
      defaultRequest: { cpu: '500m' },
    });
    const { metadata, spec } = await server.create(`${core}/pods`, pod('p', {}, { limits: { cpu: '2' } }));
    expect(spec.containers.map(({ resources }: { resources: object }) => resources)).toEqual([
      { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } },
      { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '2', memory: '1Gi' } },
    ]);
    expect(metadata.annotations['kubernetes.io/limit-ranger']).toBe(
      'LimitRanger plugin set: cpu, memory request for container c0; cpu, memory limit for container c0; ' +
        'memory request for container c1; memory limit for container c1',
    );
  });

  test('apply the tightest bound and the first default of several', async () => {
    const ranges = [
      { max: { cpu: '4' }, min: { cpu: '10m' }, default: { cpu: '1' }, defaultRequest: { cpu: '1' } },
      { max: { cpu: '2' }, min: { cpu: '100m' }, default: { cpu: '2' }, defaultRequest: { cpu: '2' } },
    ];
    for (const [index, limit] of ranges.entries()) {
      const body = { metadata: { name: `range-${index}` }, spec: { limits: [{ type: 'Container', ...limit }] } };
      await server.create(`${core}/limitranges`, body);
    }
    const made = await server.create(`${core}/pods`, pod('p', {}));
    expect(made.spec.containers[0].resources).toEqual({ limits: { cpu: '1' }, requests: { cpu: '1' } });
    const message = await refusal(`${core}/pods`, pod('q', cpu('50m', '3')));
    expect(message).toContain('minimum cpu usage per Container is 100m, but request is 50m');
    expect(message).toContain('maximum cpu usage per Container is 2, but limit is 3');
  });

  test('of claims count only what is requested', async () => {
    const amounts = { max: { storage: '2Gi' }, min: { storage: '1Gi' }, maxLimitRequestRatio: { storage: '2' } };
    await limitRange({ type: 'PersistentVolumeClaim', ...amounts });
    const claim = (name: string, resources: object) => ({
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], resources },
    });
    const claims = `${core}/persistentvolumeclaims`;
    await server.create(claims, claim('without-limits', { requests: { storage: '1Gi' } }));
    await server.create(claims, claim('any-limit', { requests: { storage: '2Gi' }, limits: { storage: '64Gi' } }));
    const refused = await refusal(claims, claim('beyond', { requests: { storage: '3Gi' } }));
    expect(refused).toContain('maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi');
  });

  test('with too many defaults for a pod are refused', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => [`example.com/a${index}`, '1']);
    await limitRange({ type: 'Container', default: Object.fromEntries(names) });
    const body = pod('p', ...Array.from({ length: 100 }, () => ({})));
    expect(await refusal(`${core}/pods`, body)).toContain('the defaults of the limit ranges add more than');
  });

  const cpu = (request: string, limit: string) => ({ requests: { cpu: request }, limits: { cpu: limit } });
  test.each([
    [
      { type: 'Container', max: { cpu: '1' } },
      pod('p', cpu('2', '2')),
      'maximum cpu usage per Container is 1, but limit is 2',
    ],
    [
      { type: 'Container', min: { cpu: '1' } },
      pod('p', cpu('500m', '2')),
      'minimum cpu usage per Container is 1, but request is 500m',
    ],
    [
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      pod('p', cpu('1', '5')),
      'cpu max limit to request ratio per Container is 2, but provided ratio is 5.000000',
    ],
    [
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      pod('p', {}),
      'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
    ],
    [
      { type: 'Pod', max: { cpu: '3' }, min: { memory: '1Mi' } },
      pod('p', cpu('1', '2'), cpu('1', '2')),
      '[minimum memory usage per Pod is 1Mi.  No request is specified, maximum cpu usage per Pod is 3, but limit is 4]',
    ],
    [
      { type: 'Pod', max: { cpu: '3' } },
      pod('p', cpu('1', '2'), {}),
      'maximum cpu usage per Pod is 3.  No limit is specified',
    ],
  ])('%j', async (limit, body, message) => {
    await limitRange(limit);
    expect(await refusal(`${core}/pods`, body)).toBe(message);
    expect((await server.call('GET', `${core}/pods/p`)).status).toBe(404);
  });

  test.each([
    [{ max: { storage: '1Gi' } }, 'maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi'],
    [{ min: { storage: '3Gi' } }, 'minimum storage usage per PersistentVolumeClaim is 3Gi, but request is 2Gi'],
  ])('%j of a claim', async (limit, message) => {
    await limitRange({ type: 'PersistentVolumeClaim', ...limit });
    expect(await refusal(`${core}/persistentvolumeclaims`, claim('c', '2Gi'))).toBe(message);
  });
});

describe('quotas', () => {
  const used = async () => (await server.call('GET', `${core}/resourcequotas/q`)).body.status;

  test('show the usage at the start, after creates and after deletes', async () => {
    await server.create(`${core}/services`, service('before', 'LoadBalancer', 2));
    const hard = {
      services: '2',
      'services.nodeports': '3',
      'services.loadbalancers': '5',
      'requests.gpu.org/card': '4',
    };
    await quota(hard);
    const first = {
      services: '1',
      'services.nodeports': '2',
      'services.loadbalancers': '1',
      'requests.gpu.org/card': '0',
    };
    await expect.poll(used).toEqual({ hard, used: first });
    await server.create(`${core}/services`, service('after'));
    expect((await used()).used.services).toBe('2');
    expect(await refusal(`${core}/services`, service('beyond'))).toBe(
      'exceeded quota: q, requested: services=1, used: services=2, limited: services=2',
    );
    await server.call('DELETE', `${core}/services/before`);
    await expect.poll(used).toMatchObject({ used: { services: '1', 'services.nodeports': '0' } });
  });

  test('hold from their creation', async () => {
    await server.create(`${core}/secrets`, { metadata: { name: 'before' } });
    await quota({ secrets: '1' });
    expect(await refusal(`${core}/secrets`, { metadata: { name: 'beyond' } })).toContain('exceeded quota: q');
  });

  test('hold for concurrent creates', async () => {
    await quota({ configmaps: '3' });
    const creates = Array.from({ length: 10 }, (_, index) =>
      server.call('POST', `${core}/configmaps`, { body: { metadata: { name: `c${index}` } } }),
    );
    const made = (await Promise.all(creates)).filter(({ status }) => status === 200);
    expect(made.length).toBe(3);
    expect((await used()).used.configmaps).toBe('3');
  });

  test('are refunded after a failed create', async () => {
    await quota({ services: '5', configmaps: '5' });
    await server.create(`${core}/configmaps`, { metadata: { name: 'taken' } });
    expect((await server.call('POST', `${core}/configmaps`, { body: { metadata: { name: 'taken' } } })).status).toBe(
      409,
    );
    expect((await used()).used.configmaps).toBe('1');
    const dry = await server.call('POST', `${core}/configmaps?dryRun=All`, { body: { metadata: { name: 'dry' } } });
    expect(dry.status).toBe(200);
    expect((await used()).used.configmaps).toBe('1');
  });

  test('hold for updates that add usage', async () => {
    await quota({ 'services.nodeports': '1' });
    await server.create(`${core}/services`, service('s', 'ClusterIP', 2));
    const reply = await server.call('PATCH', `${core}/services/s`, {
      body: { spec: { type: 'NodePort' } },
      mediaType: 'application/merge-patch+json',
    });
    expect([reply.status, reply.body.message]).toEqual([
      403,
      'services "s" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=0, ' +
        'limited: services.nodeports=1',
    ]);
  });

  test('count the requests of pods, except of pods that have ended', async () => {
    await quota({ pods: '2', 'requests.cpu': '1', 'limits.memory': '1Gi' });
    expect(await refusal(`${core}/pods`, pod('p', {}))).toBe(
      'failed quota: q: must specify limits.memory,requests.cpu',
    );
    await server.create(`${core}/pods`, pod('p', { limits: { cpu: '600m', memory: '512Mi' } }));
    expect((await used()).used).toEqual({ pods: '1', 'requests.cpu': '600m', 'limits.memory': '512Mi' });
    expect(await refusal(`${core}/pods`, pod('o', { limits: { cpu: '600m', memory: '512Mi' } }))).toBe(
      'exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
    );
    await server.call('PATCH', `${core}/pods/p/status`, {
      body: { status: { phase: 'Succeeded' } },
      mediaType: 'application/merge-patch+json',
    });
    await expect.poll(used).toMatchObject({ used: { pods: '0', 'requests.cpu': '0' } });
  });

  test.each([
    ['BestEffort', pod('p', {}), pod('o', { limits: { cpu: '1' } })],
    ['NotBestEffort', pod('p', { limits: { cpu: '1' } }), pod('o', {})],
  ])('with the scope %s count its pods only', async (scope, inside, outside) => {
    await quota({ pods: '0' }, [scope]);
    expect(await refusal(`${core}/pods`, inside)).toContain('exceeded quota');
    await server.create(`${core}/pods`, outside);
  });

  test('count claims', async () => {
    await quota({ 'requests.storage': '3Gi' });
    await server.create(`${core}/persistentvolumeclaims`, claim('c', '2Gi'));
    expect(await refusal(`${core}/persistentvolumeclaims`, claim('d', '2Gi'))).toBe(
      'exceeded quota: q, requested: requests.storage=2Gi, used: requests.storage=2Gi, limited: requests.storage=3Gi',
    );
  });
});
