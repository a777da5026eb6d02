// Probes and hooks of containers on the simulated node of `serve`: what they do to the status, the events and Endpoints.
import { describe, expect, it } from 'vitest';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { core, useServing } from '../testing/workloads.js';

const { call, eventually, eventsOf, change } = useServing();

/** Creates a pod with one container, the program `http-echo` on ports 80 and 443 if it has no command. */
async function run(name: string, container: object, spec: object = {}, metadata: object = {}): Promise<string> {
  const args = ['--port', '80', '--tls-port', '443'];
  const ports = [{ name: 'web', containerPort: 80 }];
  const own = 'command' in container ? { image: 'busybox' } : { image: 'http-echo', args, ports };
  const body = {
    metadata: { name, labels: { app: name }, ...metadata },
    spec: { terminationGracePeriodSeconds: 1, containers: [{ name: 'c', ...own, ...container }], ...spec },
  };
  await call('POST', `${core}/pods`, body);
  return `${core}/pods/${name}`;
}
/** The answer of a probe may take long on a busy machine. */
const often = { periodSeconds: 1, failureThreshold: 1, timeoutSeconds: 60 };
const sh = (script: string) => ({ command: ['sh', '-c', script] });
const stateOf = ({ status }: AnyShape) => status?.containerStatuses?.[0];
const readiness = (pod: AnyShape) => {
  const of = (wanted: string) => pod.status?.conditions?.find(({ type }: AnyShape) => type === wanted);
  return [stateOf(pod)?.ready, of('ContainersReady')?.status, of('Ready')?.status, of('Ready')?.message];
};
const unready = [false, 'False', 'False', 'containers with unready status: [c]'];
const ready = [true, 'True', 'True', undefined];
/** What the events about a pod say of its probes and its end. */
const told = async (name: string): Promise<string[]> =>
  (await eventsOf(name)).flatMap(
    (line) => /^\w+ ((?:Unhealthy|Killing|Failed\w+Hook) .*) \(kubelet\)$/s.exec(line)?.[1] ?? [],
  );
const willBe = (path: string, wanted: unknown[]) => eventually(path, readiness).toEqual(wanted);

describe('a readiness probe', () => {
  it.each<[string, object]>([
    ['http', { httpGet: { path: '/status/204?a=b', port: 80 } }],
    [
      'named',
      { httpGet: { path: '/redirect/302?to=/status/399', port: 'web', httpHeaders: [{ name: 'Host', value: 'h' }] } },
    ],
    ['https', { httpGet: { port: 443, scheme: 'HTTPS' } }],
    ['tcp', { tcpSocket: { port: 'web' } }],
    ['exec', { exec: { command: ['true'] } }],
  ])('that succeeds makes the container ready: %s', async (name, handler) => {
    await willBe(await run(`ready-${name}`, { readinessProbe: { ...often, ...handler } }), ready);
  });

  it('asks a server of gRPC for its health', async () => {
    const container = {
      image: 'agnhost',
      args: ['grpc-health-checking'],
      readinessProbe: { ...often, grpc: { port: 5000 } },
    };
    await willBe(await run('ready-grpc', container), ready);
  });

  it.each<[string, object, string]>([
    ['http', { httpGet: { path: '/status/500', port: 80 } }, 'failed: HTTP probe failed with statuscode: 500'],
    [
      'port',
      { httpGet: { path: 'x?y', port: 81 } },
      'failed: Get "http://IP:81/x?y": dial tcp IP:81: connect: connection refused',
    ],
    [
      'slow',
      { timeoutSeconds: 1, httpGet: { path: '/slow/9', port: 80 } },
      'failed: Get "http://IP:80/slow/9": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    ],
    ['name', { httpGet: { port: 'none' } }, `errored: couldn't find port: "none" in the container c`],
    ['tcp', { tcpSocket: { port: 81 } }, 'failed: dial tcp IP:81: connect: connection refused'],
    [
      'machine',
      { tcpSocket: { port: 22, host: '127.0.0.1' } },
      'failed: dial tcp 127.0.0.1:22: connect: connection refused',
    ],
    ['exec', { exec: sh('echo no; exit 3') }, 'failed: no\n'],
    [
      'long',
      { timeoutSeconds: 1, exec: { command: ['sleep', '60'] } },
      'failed: command timed out: "sleep 60" timed out after 1s',
    ],
    ['absent', { exec: { command: ['nosuch'] } }, 'errored: exec: "nosuch": executable file not found in $PATH'],
    ['grpc', { grpc: { port: 81 } }, 'failed: dial tcp IP:81: connect: connection refused'],
  ])('that does not succeed says why: %s', async (name, handler, message) => {
    const path = await run(`unready-${name}`, { readinessProbe: { ...often, ...handler } });
    await eventually(path, ({ status }) => typeof status?.podIP).toBe('string');
    const { status } = await call('GET', path);
    const wanted = `Unhealthy Readiness probe ${message.replaceAll('IP', status.podIP)}`;
    await expect.poll(() => told(`unready-${name}`)).toEqual([wanted]);
    await willBe(path, unready);
    expect(stateOf(await call('GET', path))).toMatchObject({ started: true, restartCount: 0, state: { running: {} } });
  });

  it('moves a pod in and out of its Endpoints', async () => {
    const other = await run('other', {});
    await eventually(other, ({ status }) => status?.phase).toBe('Running');
    const host = (await call('GET', other)).status.podIP;
    await call('POST', `${core}/services`, {
      metadata: { name: 'moves' },
      spec: { selector: { app: 'moves' }, ports: [{ port: 80 }] },
    });
    const path = await run('moves', { readinessProbe: { ...often, httpGet: { port: 80, host } } });
    await willBe(path, ready);
    const subset = ({ subsets }: AnyShape) => [
      subsets?.[0]?.addresses?.length,
      subsets?.[0]?.notReadyAddresses?.length,
    ];
    await eventually(`${core}/endpoints/moves`, subset).toEqual([1, undefined]);
    await call('DELETE', other);
    await willBe(path, unready);
    await eventually(`${core}/endpoints/moves`, subset).toEqual([undefined, 1]);
  });

  it('counts successes', async () => {
    const started = Date.now();
    await willBe(
      await run('counts', { readinessProbe: { ...often, successThreshold: 3, tcpSocket: { port: 80 } } }),
      ready,
    );
    expect(Date.now() - started).toBeGreaterThan(1900);
  });
});

it('a pod with readiness gates waits for their conditions', async () => {
  const path = await run('gated', {}, { readinessGates: [{ conditionType: 'example.com/open' }] });
  const set = (status: string) =>
    change(`${path}/status`, (pod) => {
      const others = pod.status.conditions.filter(({ type }: AnyShape) => type !== 'example.com/open');
      pod.status.conditions = [...others, { type: 'example.com/open', status }];
    });
  const shut = (message: string) => [true, 'True', 'False', message];
  await willBe(path, shut('corresponding condition of pod readiness gate "example.com/open" does not exist.'));
  await set('True');
  await willBe(path, ready);
  await set('False');
  await willBe(path, shut('the status of pod readiness gate "example.com/open" is not "True", but False'));
});

describe('a container that its probe finds dead', () => {
  it.each([
    ['liveness', 143, {}, 'sleep 1000'],
    ['startup', 143, {}, 'sleep 1000'],
    ['liveness', 137, { terminationGracePeriodSeconds: 1 }, "trap '' TERM; sleep 1000"],
  ] as const)('is restarted: %s, exit code %i', async (kind, exitCode, more, script) => {
    const name = `dead-${kind}-${exitCode}`;
    const probe = { ...often, exec: { command: ['false'] }, ...more };
    const path = await run(name, { ...sh(script), [`${kind}Probe`]: probe }, { terminationGracePeriodSeconds: 100 });
    await eventually(path, (pod) => stateOf(pod)?.restartCount > 0).toBe(true);
    expect(stateOf(await call('GET', path)).lastState.terminated).toMatchObject({ exitCode, reason: 'Error' });
    const title = kind === 'liveness' ? 'Liveness' : 'Startup';
    const both = async () => (await told(name)).slice(0, 2);
    await expect
      .poll(both)
      .toEqual([
        `Unhealthy ${title} probe failed: the command ended with exit code 1`,
        `Killing Container c failed ${kind} probe, will be restarted`,
      ]);
    await call('DELETE', path, { gracePeriodSeconds: 0 });
  });

  it('is not restarted in a pod that never restarts', async () => {
    const path = await run(
      'dead',
      { ...sh('sleep 1000'), livenessProbe: { ...often, exec: { command: ['false'] } } },
      { restartPolicy: 'Never' },
    );
    await eventually(path, ({ status }) => status?.phase).toBe('Failed');
    await expect.poll(async () => (await told('dead')).at(-1)).toBe('Killing Container c failed liveness probe');
  });
});

it('a container has started, and is probed further, when its startup probe succeeds', async () => {
  const startupProbe = { ...often, failureThreshold: 300, exec: { command: ['test', '-f', '/tmp/up'] } };
  const livenessProbe = { ...often, exec: { command: ['test', '-f', '/tmp/up'] } };
  const path = await run('starts', { ...sh('sleep 3; touch /tmp/up; sleep 1000'), startupProbe, livenessProbe });
  const unhealthy = 'Unhealthy Startup probe failed: the command ended with exit code 1';
  await expect.poll(() => told('starts')).toEqual([unhealthy]);
  await willBe(path, ready);
  expect(stateOf(await call('GET', path))).toMatchObject({ started: true, restartCount: 0 });
});

describe('a hook', () => {
  it('runs after the start, and the container is running after it', async () => {
    const lifecycle = { postStart: { exec: sh('sleep 1; echo hooked > /tmp/hook') } };
    const path = await run('begins', {
      ...sh('sleep 1000'),
      lifecycle,
      readinessProbe: { exec: { command: ['cat', '/tmp/hook'] } },
    });
    await willBe(path, ready);
    expect(await told('begins')).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'exec',
      { exec: sh('echo why; exit 4') },
      'Exec lifecycle hook ([sh -c echo why; exit 4]) for Container "c" in Pod "POD" failed - why\n',
    ],
    [
      'http',
      { httpGet: { path: '/x', port: 81 } },
      'HTTP lifecycle hook (/x) for Container "c" in Pod "POD" failed - Get "http://IP:81/x": dial tcp IP:81: connect: connection refused',
    ],
    [
      'tcp',
      { tcpSocket: { port: 80 } },
      'Lifecycle hook for Container "c" in Pod "POD" failed - invalid handler: {"tcpSocket":{"port":80}}',
    ],
  ])('that fails after the start ends the container: %s', async (kind, postStart, message) => {
    const name = `unhooked-${kind}`;
    const path = await run(name, { lifecycle: { postStart } });
    await eventually(path, (pod) => stateOf(pod)?.restartCount > 0).toBe(true);
    const { metadata, status } = await call('GET', path);
    const both = async () => (await told(name)).slice(0, 2);
    const pod = `${name}_default(${metadata.uid})`;
    await expect
      .poll(both)
      .toEqual([
        `FailedPostStartHook ${message.replace('POD', pod).replaceAll('IP', status.podIP)}`,
        'Killing FailedPostStartHook',
      ]);
    await call('DELETE', path, { gracePeriodSeconds: 0 });
  });

  it.each([
    ['in-time', 'echo bye > /dev/termination-log', 60, 'bye\n', []],
    ['too-long', 'echo bye > /dev/termination-log; sleep 1000', 1, 'bye\n', []],
    ['fails', 'echo oh; exit 5', 60, undefined, ['FailedPreStopHook']],
  ] as const)('runs before the end of a container: %s', async (name, script, gracePeriodSeconds, message, events) => {
    const kept = { finalizers: ['example.com/keep'] };
    const path = await run(
      `ends-${name}`,
      { ...sh('sleep 1000'), lifecycle: { preStop: { exec: sh(script) } } },
      {},
      kept,
    );
    await eventually(path, ({ status }) => status?.phase).toBe('Running');
    await call('DELETE', path, { gracePeriodSeconds });
    await eventually(path, (pod) => stateOf(pod)?.state.terminated?.exitCode).toBe(143);
    expect(stateOf(await call('GET', path)).state.terminated.message).toBe(message);
    const reasons = async () => (await told(`ends-${name}`)).map((line) => line.split(' ')[0]);
    await expect.poll(reasons).toEqual(['Killing', ...events]);
    await change(path, ({ metadata }) => {
      delete metadata.finalizers;
    });
  });

  it('may sleep', async () => {
    const lifecycle = { preStop: { sleep: { seconds: 1 } } };
    const path = await run('sleeps', { lifecycle }, { terminationGracePeriodSeconds: 60 });
    await eventually(path, ({ status }) => status?.phase).toBe('Running');
    const started = Date.now();
    await call('DELETE', path);
    await eventually(path, ({ kind }) => kind).toBe('Status');
    expect(Date.now() - started).toBeGreaterThanOrEqual(1000);
  });
});

describe('times that are longer than any timer', () => {
  const longest = 2 ** 31 - 1;

  it('let a probe succeed once, and not again soon', async () => {
    const probe = { exec: sh('echo >> /tmp/n'), timeoutSeconds: longest, periodSeconds: longest };
    const readinessProbe = { ...often, exec: sh('test "$(wc -l < /tmp/n)" = 1') };
    const path = await run('seldom', { ...sh('sleep 1000'), livenessProbe: probe, readinessProbe });
    await willBe(path, ready);
    const waited = await run('waited', { readinessProbe: { ...often, successThreshold: 2, tcpSocket: { port: 80 } } });
    await willBe(waited, ready);
    expect(readiness(await call('GET', path))).toEqual(ready);
  });

  it('let a pod end late', async () => {
    const lifecycle = { preStop: { sleep: { seconds: longest } } };
    const late = await run('late', { lifecycle }, { terminationGracePeriodSeconds: longest * 2 });
    const soon = await run('soon', sh('trap "" TERM; sleep 1000'));
    for (const path of [late, soon]) await eventually(path, ({ status }) => status?.phase).toBe('Running');
    for (const path of [late, soon]) await call('DELETE', path);
    await eventually(soon, ({ kind }) => kind).toBe('Status');
    expect(stateOf(await call('GET', late))?.state.running).toBeDefined();
    await call('DELETE', late, { gracePeriodSeconds: 0 });
  });
});
