// Tests an attached client that does not read: other clients of the pod and other requests are not blocked.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Serving, startServing } from '../testing/serving.js';

let serving: Serving;
beforeAll(async () => {
  serving = await startServing();
});
afterAll(() => serving.stop());

/** More than the buffers of all connections between the program and a client hold. */
const lines = 2_000_000;

async function attach(query: string): Promise<WebSocket> {
  const { url, ca, token } = serving.cluster.facts;
  const path = `/api/v1/namespaces/default/pods/talks/attach?container=c&stderr=0&${query}`;
  const socket = new WebSocket(`${url.replace('https', 'wss')}${path}`, 'v4.channel.k8s.io', {
    ca: readFileSync(ca),
    headers: { authorization: `Bearer ${token}` },
  });
  await once(socket, 'open');
  return socket;
}

test('stalls neither another client of the same pod nor a plain get', async () => {
  const { cluster } = serving;
  const command = ['sh', '-c', `read x; seq 1 ${lines}; read x`];
  const container = { name: 'c', image: 'busybox', stdin: true, command };
  const path = await cluster.createPod('talks', { restartPolicy: 'Never', containers: [container] });
  await cluster.untilPhase(path, 'Running');
  const deaf = await attach('stdout=1');
  deaf.pause();
  const reader = await attach('stdin=1&stdout=1');
  let received = 0;
  let end = '';
  const all = new Promise<void>((resolve, reject) => {
    reader.on('message', (message: Buffer) => {
      const text = message.subarray(1).toString();
      received += text.length;
      end = (end + text).slice(-20);
      if (end.endsWith(`\n${lines}\n`)) resolve();
    });
    reader.on('close', () => reject(new Error(`closed after ${received} bytes`)));
  });
  const enter = Buffer.from('\0go\n');
  reader.send(enter);
  for (let count = 0; count < 20; count += 1) expect((await cluster.call('GET', path)).status).toBe(200);
  await all;
  expect(received).toBe(
    Array.from({ length: lines }, (_, index) => String(index + 1).length + 1).reduce((a, b) => a + b),
  );
  expect((await cluster.call('GET', path)).status).toBe(200);
  reader.removeAllListeners('close');
  reader.send(enter);
  await cluster.untilPhase(path, 'Succeeded');
  deaf.terminate();
  reader.terminate();
});
