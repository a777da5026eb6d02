// Sidecars on the simulated node of `serve`: when they start, restart and end.
import { expect, it } from 'vitest';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { core, useServing } from '../testing/workloads.js';

const { sent, call, eventually, change } = useServing('--kube-version', '1.36');

const volumeMounts = [{ name: 'v', mountPath: '/v' }];
const container = (name: string, script: string, more: object = {}) => ({
  name,
  image: 'busybox',
  command: ['sh', '-c', script],
  volumeMounts,
  ...more,
});

async function run(
  name: string,
  sidecar: object,
  main: object,
  more: object = {},
  metadata: object = {},
): Promise<string> {
  const spec = { initContainers: [sidecar], containers: [main], volumes: [{ name: 'v', emptyDir: {} }], ...more };
  const { status, text } = await sent('POST', `${core}/pods`, { metadata: { name, ...metadata }, spec });
  if (status >= 300) throw new Error(text);
  return `${core}/pods/${name}`;
}

it('a sidecar starts up before the other containers, is restarted, and ends after them', async () => {
  const begins = 'sleep 1; touch /v/up; while [ ! -f /v/seen ]; do sleep 0.1; done';
  const script = `if [ -f /v/up ]; then echo again > /v/again; sleep 1000; fi; ${begins}`;
  const startupProbe = { periodSeconds: 1, failureThreshold: 600, exec: { command: ['test', '-f', '/v/up'] } };
  const sidecar = container('side', script, { restartPolicy: 'Always', startupProbe });
  const main = container('c', 'ls /v; touch /v/seen; while [ ! -f /v/again ]; do sleep 0.1; done; cat /v/again');
  const path = await run('beside', sidecar, main, { restartPolicy: 'Never' });
  await eventually(path, ({ status }) => status?.phase).toBe('Succeeded');
  const { status } = await call('GET', path);
  expect(status.initContainerStatuses[0]).toMatchObject({ restartCount: 1, state: { terminated: { exitCode: 143 } } });
  expect((await sent('GET', `${path}/log?container=c`)).text).toBe('up\nagain\n');
});

it('a pod is ready when its sidecars are, and deletes them last', async () => {
  const preStop = { exec: { command: ['sh', '-c', 'ls /v > /dev/termination-log'] } };
  const probe = { periodSeconds: 1, exec: { command: ['test', '-f', '/v/up'] } };
  const sidecar = container('side', 'sleep 1000', {
    restartPolicy: 'Always',
    readinessProbe: probe,
    lifecycle: { preStop },
  });
  const last = { preStop: { exec: { command: ['sh', '-c', 'sleep 0.5; touch /v/last'] } } };
  const main = container('c', 'sleep 1; touch /v/up; sleep 1000', { lifecycle: last });
  const path = await run('deleted', sidecar, main, {}, { finalizers: ['example.com/keep'] });
  await eventually(path, ({ status }) => status?.initContainerStatuses?.[0].ready).toBe(true);
  const ready = ({ status }: AnyShape) => status.conditions.find(({ type }: AnyShape) => type === 'Ready').status;
  await eventually(path, ready).toBe('True');
  await call('DELETE', path);
  const message = ({ status }: AnyShape) => status.initContainerStatuses[0].state.terminated?.message;
  await eventually(path, message).toBe('last\nup\n');
  await change(path, ({ metadata }) => {
    delete metadata.finalizers;
  });
});
