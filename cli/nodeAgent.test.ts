// Tests the node agent with the reference server: nodes, pods, the kubelet's API.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyShape } from '../reference-server/testing/anyShape.js';
import { firstOutput } from '../reference-server/testing/firstOutput.js';
import { issueCertificate } from '../test-certs/index.js';
import { type ServerFacts, TestCluster } from './testing/cluster.js';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const cluster = new TestCluster();
let server: ChildProcess;

beforeAll(async () => {
  const kubeconfig = join(cluster.folder, 'kubeconfig');
  server = spawn(process.execPath, [main, 'serve', '--nodes', '0', '--write-kubeconfig', kubeconfig], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await firstOutput(server);
  cluster.use(factsOf(kubeconfig, join(cluster.folder, 'ca.crt')));
  await cluster.startAgent();
});
afterAll(async () => {
  await cluster.close();
  server.kill('SIGKILL');
});

/** Returns the address and token of a server from its kubeconfig, and writes its authority to a file. */
function factsOf(kubeconfig: string, ca: string): ServerFacts {
  const config = load(readFileSync(kubeconfig, 'utf8')) as AnyShape;
  const [{ cluster: found }] = config.clusters;
  writeFileSync(ca, Buffer.from(found['certificate-authority-data'], 'base64'));
  return { url: found.server, ca, token: config.users[0].user.token };
}

const shell = (script: string, more: object = {}) => ({
  restartPolicy: 'Never',
  containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', script], ...more }],
});
const logPath = (pod: string) => `/containerLogs/default/${pod}/c`;
const log = (pod: string, query = '') => cluster.kubelet(`${logPath(pod)}${query}`);

describe('a node', () => {
  it('is Ready, at a virtual address', async () => {
    const { json } = await cluster.call('GET', '/api/v1/nodes/node-1');
    expect(json.status.addresses).toEqual([{ type: 'InternalIP', address: '10.250.0.1' }]);
    expect(json.status.daemonEndpoints).toEqual({ kubeletEndpoint: { Port: 10250 } });
    expect(json.status.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
    expect(json.status.capacity).toMatchObject({ pods: '110' });
  });
});

describe('a pod', () => {
  it('is bound, runs, and succeeds', async () => {
    const path = await cluster.createPod('succeeds', shell('echo hello; echo oops >&2; read x', { stdin: true }));
    const running = await cluster.untilPhase(path, 'Running');
    expect(running.spec.nodeName).toBe('node-1');
    expect(running.status).toMatchObject({ hostIP: '10.250.0.1', podIP: expect.stringMatching(/^10\.244\.0\.\d+$/) });
    expect(running.status.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
    expect(running.status.containerStatuses[0]).toMatchObject({ ready: true, restartCount: 0, state: { running: {} } });
    expect((await log('succeeds')).text).toBe('hello\noops\n');
    await cluster.call('DELETE', path, { gracePeriodSeconds: 0 });
  });

  it.each([
    ['exit 0', 'Succeeded', 0, 'Completed'],
    ['exit 7', 'Failed', 7, 'Error'],
  ])('ends: %s', async (script, phase, exitCode, reason) => {
    const path = await cluster.createPod(`ends-${exitCode}`, shell(script));
    const { status } = await cluster.untilPhase(path, phase);
    expect(status.containerStatuses[0].state.terminated).toMatchObject({ exitCode, reason });
    expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'False' }));
  });

  it('of an unknown program fails to start', async () => {
    const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['nosuch'] }] };
    const { status } = await cluster.untilPhase(await cluster.createPod('no-program', spec), 'Failed');
    expect(status.containerStatuses[0].state.terminated).toMatchObject({ exitCode: 128, reason: 'StartError' });
  });

  it('is restarted, and the log of the previous instance is kept', async () => {
    const spec = { ...shell('echo run; sleep 0.05; exit 1'), restartPolicy: 'OnFailure' };
    const path = await cluster.createPod('restarts', spec);
    const { status } = await cluster.until(path, (pod) => pod?.status?.containerStatuses?.[0].restartCount >= 2);
    expect(status.phase).toBe('Running');
    expect(status.containerStatuses[0].lastState.terminated).toMatchObject({ exitCode: 1 });
    expect((await log('restarts', '?previous=true')).text).toBe('run\n');
    await cluster.call('DELETE', path, { gracePeriodSeconds: 0 });
  });

  it('has its mounts, and waits for missing ones', async () => {
    const namespace = '/api/v1/namespaces/default';
    const path = await cluster.createPod('mounts', {
      restartPolicy: 'Never',
      volumes: [
        { name: 'config', configMap: { name: 'config', items: [{ key: 'a', path: 'deep/a.txt' }] } },
        { name: 'secret', secret: { secretName: 'secret' } },
        { name: 'scratch', emptyDir: {} },
      ],
      containers: [
        {
          name: 'c',
          image: 'busybox',
          command: [
            'sh',
            '-c',
            'echo made > /scratch/x; cat /config/deep/a.txt /secret/key /scratch/x; echo $A $B $(C); echo no > /secret/key',
          ],
          env: [
            { name: 'A', valueFrom: { configMapKeyRef: { name: 'config', key: 'a' } } },
            { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'C', value: '[$(A)]' },
          ],
          volumeMounts: [
            { name: 'config', mountPath: '/config' },
            { name: 'secret', mountPath: '/secret' },
            { name: 'scratch', mountPath: '/scratch' },
          ],
        },
      ],
    });
    const waits = (pod: { status?: { containerStatuses?: [{ state: { waiting?: { message?: string } } }] } }) =>
      pod?.status?.containerStatuses?.[0].state.waiting?.message === 'configmap "config" not found';
    await cluster.until(path, waits);
    const [metadata, data] = [{ name: 'config' }, { a: 'config' }];
    await cluster.call('POST', `${namespace}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    const key = Buffer.from('secret\n').toString('base64');
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'secret' }, data: { key } };
    await cluster.call('POST', `${namespace}/secrets`, secret);
    await cluster.untilPhase(path, 'Failed');
    const said = "configsecret\nmade\nconfig mounts [config]\nsh: can't create /secret/key: Read-only file system\n";
    expect((await log('mounts')).text).toBe(said);
  });

  it('finds services and its resources in its environment, and files with their modes', async () => {
    const services = '/api/v1/namespaces/default/services';
    const ports = [{ port: 5432 }];
    await cluster.call('POST', services, { metadata: { name: 'my-db' }, spec: { ports } });
    const path = await cluster.createPod('finds', {
      restartPolicy: 'Never',
      volumes: [
        {
          name: 'own',
          downwardAPI: {
            defaultMode: 0o400,
            items: [
              { path: 'memory', resourceFieldRef: { containerName: 'c', resource: 'limits.memory', divisor: '1Mi' } },
              { path: 'name', mode: 0o640, fieldRef: { fieldPath: 'metadata.name' } },
            ],
          },
        },
        { name: 'scratch', emptyDir: {} },
      ],
      containers: [
        {
          name: 'c',
          image: 'busybox',
          command: ['sh', '-c', 'echo $MY_DB_PORT $KUBERNETES_SERVICE_PORT $CPU $(cat /own/memory); ls -lL /own'],
          resources: { limits: { memory: '64Mi' } },
          env: [{ name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }],
          volumeMounts: [
            { name: 'own', mountPath: '/own' },
            { name: 'scratch', mountPath: '/scratch', subPathExpr: 'of-$(CPU)' },
          ],
        },
      ],
    });
    await cluster.untilPhase(path, 'Succeeded');
    const [line, ...files] = (await log('finds')).text.trim().split('\n');
    expect(line).toMatch(/^tcp:\/\/[0-9.]+:5432 443 8 64$/);
    expect(files.map((file) => file.slice(0, 10))).toEqual(['-r--------', '-rw-r-----']);
    await cluster.call('DELETE', `${services}/my-db`);
  });

  it.each([
    ['writes', 'echo bye > /dev/termination-log; exit 3', {}, 'bye\n'],
    ['elsewhere', 'echo bye > /tmp/last', { terminationMessagePath: '/tmp/last' }, 'bye\n'],
    ['logs', 'echo log; exit 1', { terminationMessagePolicy: 'FallbackToLogsOnError' }, 'log\n'],
    ['succeeds-silently', 'echo log', { terminationMessagePolicy: 'FallbackToLogsOnError' }, undefined],
    ['fails-silently', 'echo log; exit 1', {}, undefined],
  ])('has a last message: %s', async (name, script, more, message) => {
    const path = await cluster.createPod(`message-${name}`, shell(script, more));
    const { status } = await cluster.untilPhase(path, script.includes('exit') ? 'Failed' : 'Succeeded');
    expect(status.containerStatuses[0].state.terminated.message).toBe(message);
  });

  it('has a token that the API accepts', async () => {
    const folder = '/var/run/secrets/kubernetes.io/serviceaccount';
    const path = await cluster.createPod('token', shell(`cat ${folder}/namespace; echo; cat ${folder}/token`));
    await cluster.untilPhase(path, 'Succeeded');
    const [namespace, token = ''] = (await log('token')).text.split('\n');
    expect(namespace).toBe('default');
    expect(await cluster.accepts(token)).toBe(true);
    expect(await cluster.accepts(`${token}x`)).toBe(false);
  });

  it('is terminated gracefully, then its object is deleted', async () => {
    const polite = await cluster.createPod('polite', shell('echo up; sleep 1000'));
    const stubborn = await cluster.createPod('stubborn', shell("trap '' TERM; echo up; sleep 1000"));
    for (const path of [polite, stubborn]) await cluster.untilPhase(path, 'Running');
    await expect.poll(async () => (await log('stubborn')).text).toBe('up\n');
    const followed = await cluster.kubeletBegins(`${logPath('stubborn')}?follow=true`);
    const started = Date.now();
    for (const path of [polite, stubborn]) await cluster.call('DELETE', path, { gracePeriodSeconds: 1 });
    await cluster.until(polite, (pod) => pod === undefined);
    await cluster.until(stubborn, (pod) => pod === undefined);
    expect(Date.now() - started).toBeGreaterThanOrEqual(1000);
    // The log is followed to the end of the container.
    expect(await followed.whole).toBe('up\n');
    expect((await log('polite')).status).toBe(404);
  });

  it('continues with the next agent of its node', async () => {
    const always = await cluster.createPod('always', { containers: [{ name: 'c', image: 'pause' }] });
    const never = await cluster.createPod('never', shell('sleep 1000'));
    const before = await cluster.untilPhase(always, 'Running');
    await cluster.untilPhase(never, 'Running');
    await cluster.agent?.close();
    await cluster.startAgent();
    const after = await cluster.until(always, (pod) => pod?.status?.containerStatuses?.[0].restartCount === 1);
    expect(after.status.podIP).toBe(before.status.podIP);
    expect(after.status.containerStatuses[0].lastState.terminated).toMatchObject({ reason: 'ContainerStatusUnknown' });
    const { status } = await cluster.untilPhase(never, 'Failed');
    expect(status.containerStatuses[0].state.terminated).toMatchObject({ exitCode: 137 });
    await cluster.call('DELETE', always, { gracePeriodSeconds: 0 });
  });
});

describe("the kubelet's interface", () => {
  it.each([
    ['/healthz', 200, /^ok$/],
    ['/nowhere', 404, /not found/],
    ['/containerLogs/default/nopod/c', 404, /pod "nopod" not found/],
    ['/containerLogs/default/asked/nope', 404, /container "nope" not found/],
    ['/containerLogs/default/asked/c?previous=true', 400, /previous terminated container "c" in pod "asked" not found/],
    ['/containerLogs/default/asked/c?tailLines=-1', 422, /tailLines/],
    ['/containerLogs/default/asked/c?limitBytes=0', 422, /limitBytes/],
    ['/containerLogs/default/asked/c?sinceTime=yesterday', 400, /sinceTime/],
    ['/containerLogs/default/asked/c?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z', 422, /at most one/],
    ['/containerLogs/default/asked/c?sinceSeconds=900', 200, /^recent\n$/],
    [
      '/containerLogs/default/asked/c?sinceTime=2026-01-01T00:00:00Z&tailLines=2&timestamps=1',
      200,
      /^\S+Z old\n\S+Z recent\n$/,
    ],
    ['/containerLogs/default/asked/c?sinceTime=2999-01-01T00:00:00Z', 200, /^$/],
    ['/containerLogs/default/asked/c?limitBytes=5', 200, /^older$/],
    ['/containerLogs/%zz/asked/c', 400, /malformed/],
    ['/exec/default/asked/c?command=true', 400, /Upgrade/],
    ['/pods', 200, /"kind":"PodList".*"name":"asked"/],
  ])('%s', async (path, status, body) => {
    const pod = '/api/v1/namespaces/default/pods/asked';
    if ((await cluster.call('GET', pod)).status === 404) {
      const args = ['-3600s=older', '-1800s=old', '-30s=recent', '--wait'];
      await cluster.createPod('asked', { containers: [{ name: 'c', image: 'log-generator', args }] });
      await cluster.untilPhase(pod, 'Running');
      await expect.poll(async () => (await log('asked')).text).toBe('older\nold\nrecent\n');
    }
    const reply = await cluster.kubelet(path);
    expect(reply.text).toMatch(body);
    expect(reply.status).toBe(status);
  });

  it('requires a client certificate if it has the option', async () => {
    const authority = await issueCertificate({ subject: { commonName: 'clients' }, usage: 'authority' });
    const client = await issueCertificate({ subject: { commonName: 'api' }, usage: 'client', issuer: authority });
    await cluster.agent?.close();
    await cluster.startAgent({ kubeletClientCa: authority.certificate });
    expect(await cluster.kubelet('/healthz')).toEqual({ status: 401, text: 'Unauthorized' });
    const known = { cert: client.certificate, key: client.key };
    expect(await cluster.kubelet('/healthz', known)).toEqual({ status: 200, text: 'ok' });
  });
});

describe('the command', () => {
  const run = (...options: readonly string[]) => {
    try {
      return {
        code: 0,
        text: execFileSync(process.execPath, [main, 'node-agent', ...options], { encoding: 'utf8', stdio: 'pipe' }),
      };
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: string };
      return { code: status, text: stderr };
    }
  };

  it('simulates a node until it is stopped', async () => {
    const { url, ca, token } = cluster.facts;
    const socket = join(cluster.folder, 'other.sock');
    const reach = ['--url', url, '--ca', ca, '--token', token, '--egress-socket', socket];
    const place = ['--name', 'node-2', '--address', '10.250.0.2', '--pod-cidr', '10.244.1.0/24'];
    const child = spawn(process.execPath, [main, 'node-agent', ...reach, ...place], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(await firstOutput(child)).toBe('node node-2 is ready\n');
    expect((await cluster.call('GET', '/api/v1/nodes/node-2')).status).toBe(200);
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  it.each([
    ['no server', [], 'no target'],
    ['a range that is none', ['--url', 'https://127.0.0.1:1', '--pod-cidr', '10.0.0.0/8'], 'not a range of pods'],
    ['an address of this machine', ['--url', 'https://127.0.0.1:1', '--address', '127.0.0.1'], 'not a virtual address'],
  ])('refuses %s in one line', (_, options, message) => {
    const result = run('--egress-socket', join(cluster.folder, 'x.sock'), ...options);
    expect(result.code).toBe(2);
    expect(result.text).toMatch(/^[^\n]+\n$/);
    expect(result.text).toContain(message);
  });
});
