// Tests the token mount of pods: at the usual path, unless the pod has another mount there.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startServer } from '../server.js';
import { type Direct, startDirect } from '../testing/direct.js';
import { sendingTo } from '../testing/sending.js';

const core = '/api/v1/namespaces/default';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
let server: Direct;
let token: string;

beforeEach(async () => {
  server = await startDirect();
  token = await tokenOf('default');
});
afterEach(() => server.stop());

const tokenOf = async (account: string): Promise<string> =>
  (await server.call('GET', `${core}/serviceaccounts/${account}`)).body.secrets[0].name;
const container = (name: string, ...mounts: string[]) => ({
  name,
  image: 'i:1',
  ...(mounts.length > 0 && { volumeMounts: mounts.map((each) => ({ name: 'v', mountPath: each })) }),
});
const volume = { name: 'v', emptyDir: {} };
const create = (spec: object, metadata: object = {}) =>
  server.call('POST', `${core}/pods`, { body: { metadata: { name: 'p', ...metadata }, spec } });
const mount = (name: string) => ({ name, readOnly: true, mountPath });
const source = (name: string) => ({ name, secret: { secretName: name, defaultMode: 420 } });

describe('the token of a pod', () => {
  test('is mounted in every container', async () => {
    const { spec } = (await create({ containers: [container('a'), container('b', '/data')], volumes: [volume] })).body;
    expect(spec.volumes).toEqual([volume, source(token)]);
    const mounts = spec.containers.map(({ volumeMounts }: { volumeMounts: object[] }) => volumeMounts);
    expect(mounts).toEqual([[mount(token)], [{ name: 'v', mountPath: '/data' }, mount(token)]]);
  });

  test('is named by a dry run, also after its deletion', async () => {
    await server.call('DELETE', `${core}/secrets/${token}`);
    const body = { metadata: { name: 'p' }, spec: { containers: [container('a')] } };
    const { status, body: pod } = await server.call('POST', `${core}/pods?dryRun=All`, { body });
    expect([status, pod.spec.volumes]).toEqual([200, [source(expect.stringMatching(/^default-token-/))]]);
  });

  test('belongs to the account of the pod', async () => {
    await server.create(`${core}/serviceaccounts`, { metadata: { name: 'robot.one' } });
    const robots = await tokenOf('robot.one');
    const { spec } = (await create({ containers: [container('a')], serviceAccountName: 'robot.one' })).body;
    const name = robots.replaceAll('.', '-');
    expect(spec.volumes).toEqual([{ ...source(robots), name }]);
    expect(spec.containers[0].volumeMounts).toEqual([mount(name)]);
  });

  test('does not replace a volume mount at the same path', async () => {
    const containers = [container('a', mountPath), container('b')];
    const { spec } = (await create({ containers, volumes: [volume] })).body;
    expect(spec.volumes).toEqual([volume, source(token)]);
    expect(spec.containers[0].volumeMounts).toEqual([{ name: 'v', mountPath }]);
    expect(spec.containers[1].volumeMounts).toEqual([mount(token)]);
  });

  test('is not a volume if every container has a mount at the path', async () => {
    const { spec } = (await create({ containers: [container('a', mountPath)], volumes: [volume] })).body;
    expect(spec.volumes).toEqual([volume]);
  });

  test('is mounted from an existing volume of the Secret', async () => {
    const own = { name: 'own', secret: { secretName: token, defaultMode: 256 } };
    const { spec } = (await create({ containers: [container('a')], volumes: [own] })).body;
    expect(spec.volumes).toEqual([own]);
    expect(spec.containers[0].volumeMounts).toEqual([mount('own')]);
  });

  test('is a volume of another name if the name is taken', async () => {
    const taken = { name: token, emptyDir: {} };
    const { spec } = (await create({ containers: [container('a')], volumes: [taken] })).body;
    const { name } = spec.volumes[1];
    expect(name).toMatch(new RegExp(`^${token}-.{5}$`));
    expect(spec.volumes).toEqual([taken, { ...source(token), name }]);
    expect(spec.containers[0].volumeMounts).toEqual([mount(name)]);
  });

  test.each<[boolean | undefined, boolean | undefined, boolean]>([
    [undefined, undefined, true],
    [undefined, true, true],
    [undefined, false, false],
    [true, undefined, true],
    [true, true, true],
    [true, false, false],
    [false, undefined, false],
    [false, true, true],
    [false, false, false],
  ])('if the account says %s and the pod says %s is mounted: %s', async (account, pod, isMounted) => {
    const automount = (value: boolean | undefined) => value !== undefined && { automountServiceAccountToken: value };
    await server.create(`${core}/serviceaccounts`, { metadata: { name: 'robot' }, ...automount(account) });
    const containers = [container('a')];
    const { status, body } = await create({ containers, serviceAccountName: 'robot', ...automount(pod) });
    const { serviceAccountName, automountServiceAccountToken, volumes = [] } = body.spec;
    expect([status, serviceAccountName, automountServiceAccountToken]).toEqual([200, 'robot', pod]);
    expect(volumes).toHaveLength(isMounted ? 1 : 0);
    expect(body.spec.containers[0].volumeMounts ?? []).toHaveLength(isMounted ? 1 : 0);
  });

  test('that no pod mounts is not made', async () => {
    await server.call('DELETE', `${core}/secrets/${token}`);
    expect((await create({ containers: [container('a')], automountServiceAccountToken: false })).status).toBe(200);
    expect((await server.call('GET', `${core}/secrets`)).body.items).toEqual([]);
  });

  test.each([
    ['both', [], []],
    ['the container', [], [mountPath]],
    ['the init container', [mountPath], []],
    ['none', [mountPath], [mountPath]],
  ])('is mounted in %s', async (_, inContainer, inInit) => {
    const spec = { containers: [container('a', ...inContainer)], initContainers: [container('i', ...inInit)] };
    const { body } = await create({ ...spec, volumes: [volume] });
    const own = { name: 'v', mountPath };
    expect(body.spec.containers[0].volumeMounts).toEqual([inContainer.length > 0 ? own : mount(token)]);
    expect(body.spec.initContainers[0].volumeMounts).toEqual([inInit.length > 0 ? own : mount(token)]);
    const isMounted = inContainer.length === 0 || inInit.length === 0;
    expect(body.spec.volumes).toEqual(isMounted ? [volume, source(token)] : [volume]);
  });

  test('exists in a new namespace', async () => {
    await server.create('/api/v1/namespaces', { metadata: { name: 'new' } });
    const body = { metadata: { name: 'p' }, spec: { containers: [container('a')] } };
    const { spec } = await server.create('/api/v1/namespaces/new/pods', body);
    expect(spec.volumes[0].secret.secretName).toMatch(/^default-token-/);
  });

  test('is a new token after the deletion of the old one', async () => {
    await server.call('DELETE', `${core}/secrets/${token}`);
    const { spec } = (await create({ containers: [container('a')] })).body;
    const { secretName } = spec.volumes[0].secret;
    expect(secretName).not.toBe(token);
    expect((await server.call('GET', `${core}/secrets/${secretName}`)).status).toBe(200);
    expect(await tokenOf('default')).toBe(secretName);
  });
});

describe('the token of a pod on a server without token Secrets', () => {
  const kubeApiAccess = { name: expect.stringMatching(/^kube-api-access-.{5}$/), projected: expect.anything() };
  const own = { name: 'kube-api-access-own', emptyDir: {} };

  test.each<[string, object, object[], string[]]>([
    ['is a projected volume', {}, [kubeApiAccess], ['a', 'i']],
    ['is an existing volume with such a name', { volumes: [own] }, [own], ['a', 'i']],
    ['is not mounted if the pod wants none', { automountServiceAccountToken: false }, [], []],
  ])('%s', async (_, more, volumes, mounted) => {
    await using running = await startServer({ without: ['token-secrets'] });
    const spec = { containers: [container('a')], initContainers: [container('i')], ...more };
    const { create: post } = sendingTo(() => running);
    const pod = await post(`${core}/pods`, { metadata: { name: 'p' }, spec });
    expect(pod.body.spec.volumes ?? []).toEqual(volumes);
    const all: { name: string; volumeMounts?: object[] }[] = [
      ...pod.body.spec.containers,
      ...pod.body.spec.initContainers,
    ];
    expect(all.filter(({ volumeMounts }) => volumeMounts !== undefined).map(({ name }) => name)).toEqual(mounted);
    const name = pod.body.spec.volumes?.[0].name;
    for (const { volumeMounts } of all) if (volumeMounts) expect(volumeMounts).toEqual([mount(name)]);
  });
});

describe('a mirror pod', () => {
  const annotations = { 'kubernetes.io/config.mirror': 'x' };
  const refusal = (why: string) => ({ code: 403, message: `pods "p" is forbidden: a mirror pod may not ${why}` });

  test('gets no token', async () => {
    const { spec } = (await create({ containers: [container('a')] }, { annotations })).body;
    expect(spec.serviceAccountName).toBeUndefined();
    expect(spec.volumes).toBeUndefined();
    expect(spec.containers[0].volumeMounts).toBeUndefined();
  });

  test.each([
    [{ serviceAccountName: 'default' }, 'reference service accounts'],
    [{ volumes: [{ name: 'v', secret: { secretName: 's' } }] }, 'reference secrets'],
  ])('with %j is refused', async (more, why) => {
    const { body } = await create({ containers: [container('a')], ...more }, { annotations });
    expect(body).toMatchObject(refusal(why));
  });
});
