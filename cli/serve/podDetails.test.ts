// Pods on the simulated node of `serve`: files of the node, users, deadlines, and what waiting containers say.
import { expect, it } from 'vitest';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { core, useServing } from '../testing/workloads.js';

const { sent, call, eventually, change } = useServing();

const container = (script: string, more: object = {}) => ({
  name: 'c',
  image: 'busybox',
  command: ['sh', '-c', script],
  ...more,
});

async function start(name: string, containers: object[], spec: object = {}): Promise<string> {
  const { status, text } = await sent('POST', `${core}/pods`, {
    metadata: { name },
    spec: { restartPolicy: 'Never', containers, ...spec },
  });
  if (status >= 300) throw new Error(text);
  return `${core}/pods/${name}`;
}
const ended = (path: string) => eventually(path, ({ status }) => status?.phase).toMatch(/Succeeded|Failed/);
const logOf = async (path: string): Promise<string> => (await sent('GET', `${path}/log`)).text;
const waiting = ({ status }: AnyShape) => status?.containerStatuses?.[0].state.waiting;

const hostPath = (path: string, type?: string) => ({ volumes: [{ name: 'v', hostPath: { path, type } }] });
const volumeMounts = [{ name: 'v', mountPath: '/v' }];

it('pods share the files of their node', async () => {
  const writer = await start('writer', [container('echo kept > /v/a', { volumeMounts })], hostPath('/shared/x'));
  await ended(writer);
  await call('DELETE', writer);
  const reader = await start('reader', [container('cat /v/x/a', { volumeMounts })], hostPath('/shared', 'Directory'));
  await ended(reader);
  expect(await logOf(reader)).toBe('kept\n');
  const hosts = await start('hosts', [container('cat /v', { volumeMounts })], hostPath('/etc/hosts', 'File'));
  await ended(hosts);
  expect(await logOf(hosts)).toBe('127.0.0.1\tlocalhost\n');
});

it.each([
  ['missing', '/none', 'Directory', '/none is not a directory'],
  ['no-file', '/etc', 'FileOrCreate', '/etc is not a file'],
  ['no-socket', '/run/x.sock', 'Socket', '/run/x.sock is not a socket'],
])('a file of the node of another type is waited for: %s', async (name, path, type, message) => {
  const pod = await start(name, [container('true', { volumeMounts })], hostPath(path, type));
  await eventually(pod, (object) => waiting(object)?.message).toBe(`hostPath type check failed: ${message}`);
});

it('a program runs as the user of its container, or of its pod', async () => {
  const securityContext = { runAsUser: 7, runAsGroup: 8, fsGroup: 9, supplementalGroups: [10] };
  const own = { runAsUser: 1001, allowPrivilegeEscalation: false };
  const path = await start(
    'users',
    [
      container('id'),
      { name: 'own', image: 'nonewprivs', securityContext: own },
      { name: 'root', image: 'nonewprivs' },
    ],
    { securityContext },
  );
  await ended(path);
  const said = async (name: string) => (await sent('GET', `${path}/log?container=${name}`)).text;
  expect([await said('c'), await said('own'), await said('root')]).toEqual([
    'uid=7 gid=8 groups=8,9,10\n',
    'Effective uid: 1001\n',
    'Effective uid: 0\n',
  ]);
});

it('a deadline that comes later ends the pod', async () => {
  const path = await start('limited', [container('sleep 1000')]);
  await eventually(path, ({ status }) => status?.phase).toBe('Running');
  await change(path, ({ spec }) => {
    spec.activeDeadlineSeconds = 1;
  });
  await eventually(path, ({ status }) => [status.phase, status.reason]).toEqual(['Failed', 'DeadlineExceeded']);
});

it('a container waits for the containers before it, without an image', async () => {
  const initContainers = [container('sleep 1000', { name: 'first' })];
  const path = await start('initialized', [container('true')], { initContainers });
  await eventually(path, ({ status }) => status?.initContainerStatuses?.[0].state.running).toBeTruthy();
  const { status } = await call('GET', path);
  expect(status.containerStatuses[0]).toMatchObject({
    imageID: '',
    started: false,
    state: { waiting: { reason: 'PodInitializing' } },
  });
  expect(status.conditions.find(({ type }: AnyShape) => type === 'Initialized')).toMatchObject({
    status: 'False',
    message: 'containers with incomplete status: [first]',
  });
});

it('an image that is not there is tried again, until the pod has another one', async () => {
  const path = await start('unknown', [container('sleep 1000', { image: 'registry.invalid/x:1' })]);
  const messages = ({ items }: AnyShape) => items?.map(({ message }: AnyShape) => message);
  await eventually(`${core}/events?fieldSelector=involvedObject.name=unknown`, messages).toEqual(
    expect.arrayContaining(['Pulling image "registry.invalid/x:1"', 'Error: ErrImagePull']),
  );
  await eventually(path, (object) => waiting(object)).toEqual({
    reason: 'ImagePullBackOff',
    message: 'Back-off pulling image "registry.invalid/x:1"',
  });
  await change(path, ({ spec }) => {
    spec.containers[0].image = 'busybox:404';
  });
  await eventually(path, (object) => waiting(object)?.message).toBe('Back-off pulling image "busybox:404"');
  await change(path, ({ spec }) => {
    spec.containers[0].image = 'busybox:1';
  });
  await eventually(path, ({ status }) => status.phase).toBe('Running');
  await change(path, ({ spec }) => {
    spec.containers[0].image = 'busybox:2';
  });
  await eventually(
    path,
    ({
      status: {
        containerStatuses: [only],
      },
    }) => [only.image, only.restartCount, only.ready],
  ).toEqual(['busybox:2', 1, true]);
});

it('a pod that is bound to a node without room is refused', async () => {
  const [nodeName, port] = ['node-1', { containerPort: 80, hostPort: 30_080 }];
  const path = await start('first-on-port', [container('sleep 1000', { ports: [port] })], { nodeName });
  await eventually(path, ({ status }) => status?.phase).toBe('Running');
  const other = { ...port, hostIP: '127.0.0.1' };
  const second = await start('second-on-port', [container('sleep 1000', { ports: [other] })], { nodeName });
  const refusal = ({ status }: AnyShape) => [status?.phase, status?.reason, status?.message];
  await eventually(second, refusal).toEqual(['Failed', 'NodePorts', 'Pod was rejected: Predicate NodePorts failed']);
  const udp = await start('udp-on-port', [container('sleep 1000', { ports: [{ ...port, protocol: 'UDP' }] })], {
    nodeName,
  });
  await eventually(udp, ({ status }) => status?.phase).toBe('Running');
  const resources = { requests: { cpu: '9' } };
  const large = await start('large', [container('sleep 1000', { resources })], { nodeName });
  const message = "Pod was rejected: Node didn't have enough resource: cpu, requested: 9000, used: 0, capacity: 8000";
  await eventually(large, refusal).toEqual(['Failed', 'OutOfcpu', message]);
  await change('/api/v1/nodes/node-1/status', ({ status }) => {
    status.allocatable.cpu = '10';
  });
  const more = {
    requests: { cpu: '9', 'example.com/of-the-cluster': '1' },
    limits: { 'example.com/of-the-cluster': '1' },
  };
  const fits = await start('fits', [container('sleep 1000', { resources: more })], { nodeName });
  await eventually(fits, ({ status }) => status?.phase).toBe('Running');
});
