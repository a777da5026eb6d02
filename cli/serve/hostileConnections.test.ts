// Drawn sequences of requests on one connection, in any state, to each port of `serve` and of a node: the processes live.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { TestCluster } from '../testing/cluster.js';
import { main, type Serving, startServing } from '../testing/serving.js';

const { seed = 20 } = fc.readConfigureGlobal();
/** Sequences for each port. */
const numRuns = Number(process.env.SEQUENCES ?? 150);
const together = 10;

const folder = new TestCluster();
const egress = join(folder.folder, 'egress.sock');
const controlFile = join(folder.folder, 'control.json');
let serving: Serving;
let agent: ChildProcess;
let podIP: string;

beforeAll(async () => {
  serving = await startServing('--egress-proxy', egress, '--control-port', '0', '--write-control', controlFile);
  const words = ['node-agent', '--kubeconfig', serving.kubeconfig, '--egress-socket', egress, '--schedule'];
  agent = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  const args = ['--port', '8080', '--tls-port', '8443'];
  const path = await serving.cluster.createPod('echo', { containers: [{ name: 'c', image: 'http-echo', args }] });
  podIP = (await serving.cluster.untilPhase(path, 'Running')).status.podIP;
});
afterAll(async () => {
  agent.kill('SIGKILL');
  await serving.stop();
  await folder.close();
});

const encrypted = async (socket: Socket): Promise<Socket> => {
  const secure = connectTls({ socket, rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  return secure;
};
const dialed = async (...target: [number, string] | [string]): Promise<Socket> => {
  const socket = target.length === 1 ? connect(target[0]) : connect(...target);
  await once(socket, 'connect');
  return socket;
};
/** Connects to an address of the node's network. */
async function tunnel(authority: string): Promise<Socket> {
  const asked = request({ socketPath: egress, method: 'CONNECT', path: authority }).end();
  const [, socket] = await once(asked, 'connect');
  return socket as Socket;
}
const facts = () => ({
  ...{ server: new URL(serving.cluster.facts.url), token: serving.cluster.facts.token },
  control: JSON.parse(readFileSync(controlFile, 'utf8')) as { readonly url: string; readonly token: string },
});
const server = () => dialed(Number(facts().server.port), '127.0.0.1');
const control = () => dialed(Number(new URL(facts().control.url).port), '127.0.0.1');

interface Port {
  readonly dial: () => Promise<Socket>;
  /** The targets of its requests, those of long responses among them. */
  readonly targets: readonly string[];
  readonly token?: () => string;
  /** A request that is answered on a port that works. */
  readonly plain: string;
}

const pod = '/api/v1/namespaces/default/pods/echo';
const kubelet = '/default/echo/c';
const api = {
  targets: [
    ...['/version', '/api/v1/pods?watch=1', '/api/v1/namespaces?watch=1', '/api/v1/pods', '/nothing'],
    ...[`${pod}/log?follow=true`, `${pod}/exec?command=cat&stdin=1&stdout=1`, `${pod}/attach?stdout=1`],
    ...[`${pod}/portforward?ports=8080`, `${pod}:8080/proxy/slow/1`, `${pod}:8080/proxy/chunks/9?every=0.01`],
  ],
  token: () => facts().token,
  plain: '/version',
};
const echo = { targets: ['/', '/slow/1', '/chunks/50?every=0.01', '/bytes/300000', '/status/204'], plain: '/' };
const ports: Readonly<Record<string, Port>> = {
  'the server': { ...api, dial: async () => encrypted(await server()) },
  'the server without TLS': { ...api, dial: server, plain: '/' },
  'the control port': {
    dial: control,
    targets: ['/requests/wait?verb=none&timeout=500', '/requests', '/objects/pods', '/openapi.json', '/reset/none'],
    token: () => facts().control.token,
    plain: '/requests',
  },
  'the node': {
    dial: async () => encrypted(await tunnel('10.250.0.1:10250')),
    targets: [
      ...[
        '/pods',
        '/healthz',
        '/nothing',
        `/containerLogs${kubelet}?follow=true`,
        '/portForward/default/echo?port=8080',
      ],
      ...[`/exec${kubelet}?command=cat&input=1&output=1`, `/attach${kubelet}?output=1`],
    ],
    plain: '/healthz',
  },
  'the proxy of the node': { dial: () => dialed(egress), targets: ['/', '10.250.0.1:10250', '1.1.1.1:1'], plain: '/' },
  'a pod': { ...echo, dial: () => tunnel(`${podIP}:8080`) },
  'a pod with TLS': { ...echo, dial: async () => encrypted(await tunnel(`${podIP}:8443`)) },
};

const webSocket = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];
/** What a request says beside its target, and the bytes after its head. */
const manners: readonly (readonly [headers: readonly string[], body?: string])[] = [
  [[]],
  [[]],
  [['Connection: Upgrade', 'Upgrade: foo']],
  [['Connection: Upgrade', 'Upgrade: websocket']],
  [['Connection: Upgrade', 'Upgrade: websocket', ...webSocket], '\x81\x85aaaa\x01\x02\x03\x04\x05'],
  [['Connection: Upgrade', 'Upgrade: SPDY/3.1', 'X-Stream-Protocol-Version: v4.channel.k8s.io'], '\x80\x03\0\x01\0\0'],
  [['Connection: Upgrade', 'Upgrade: SPDY/3.1', 'X-Stream-Protocol-Version: portforward.k8s.io'], 'nonsense'],
  [['Connection: close']],
  [['Expect: 100-continue', 'Content-Length: 2'], '{}'],
  [['Expect: 100-continue', 'Content-Length: 2']],
  [['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'],
  [['Transfer-Encoding: chunked'], '2\r\n{'],
  [['Transfer-Encoding: chunked'], 'zz\r\n'],
  [['Content-Length: 5000000'], '{'.repeat(100_000)],
];
const methods = ['GET', 'GET', 'POST', 'PUT', 'HEAD', 'CONNECT', 'OPTIONS', 'FOO'];

const step = (targets: readonly string[]) =>
  fc.record({
    method: fc.constantFrom(...methods),
    target: fc.constantFrom(...targets),
    manner: fc.constantFrom(...manners),
    version: fc.constantFrom('1.1', '1.1', '1.1', '1.0', '0.9'),
    pause: fc.constantFrom(0, 0, 1, 20),
  });
const sequence = (targets: readonly string[]) =>
  fc.record({
    steps: fc.array(step(targets), { minLength: 1, maxLength: 4 }),
    end: fc.constantFrom('destroy', 'half', 'read'),
  });

/** Plays a sequence on a connection of its own. What the server answers does not matter. */
async function play(port: Port, { steps, end }: ReturnType<typeof sequence> extends fc.Arbitrary<infer S> ? S : never) {
  const socket = await port.dial();
  socket.on('error', () => {});
  if (end === 'read') socket.resume();
  const own = port.token === undefined ? [] : [`Authorization: Bearer ${port.token()}`];
  for (const {
    method,
    target,
    manner: [headers, body = ''],
    version,
    pause: millis,
  } of steps) {
    const head = [`${method} ${target} HTTP/${version}`, 'Host: x', ...own, ...headers, '', ''].join('\r\n');
    if (!socket.destroyed) socket.write(head + body, 'latin1');
    if (millis > 0) await pause(millis);
  }
  if (end === 'half') socket.end();
  socket.resume();
  await pause(20);
  socket.destroy();
}

/** Returns the first line of the response to a plain request. */
async function answer({ dial, plain, token }: Port): Promise<string> {
  const socket = await dial();
  let text = '';
  socket.on('error', () => {}).on('data', (chunk) => (text += chunk));
  const own = token === undefined ? '' : `Authorization: Bearer ${token()}\r\n`;
  socket.write(`GET ${plain} HTTP/1.1\r\nHost: x\r\n${own}Connection: close\r\n\r\n`);
  await vi.waitUntil(() => text.includes('\r\n'), { timeout: inject('deadline') / 4 });
  socket.destroy();
  return text.split('\r\n', 1)[0] ?? '';
}

test.each(Object.entries(ports))(`${numRuns} sequences do not end %s (SEED=${seed})`, async (_, port) => {
  const all = fc.sample(sequence(port.targets), { numRuns, seed });
  const before = await answer(port);
  expect(before).toMatch(/^HTTP\/1.[01] \d{3} /);
  for (let at = 0; at < all.length; at += together) {
    const some = all.slice(at, at + together);
    await Promise.all(some.map((each) => play(port, each)));
    const states = [serving.child.exitCode, agent.exitCode];
    expect(states, `after ${JSON.stringify(some)}`).toEqual([null, null]);
  }
  expect(await answer(port)).toBe(before);
});
