// No request makes Node.js warn of a leak: each kind of response, on a server with everything that looks at requests.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { ask, dial } from '../reference-server/testing/standIn.js';
import { type StartedServer, startServer } from './index.js';

const core = '/api/v1/namespaces/default';
const warnings: Error[] = [];
const note = (warning: Error): number => warnings.push(warning);
const folder = mkdtempSync(join(tmpdir(), 'warnings-'));
let server: StartedServer;
const facts = () => ({ ...server, caCertificate: server.ca });

beforeAll(async () => {
  process.on('warning', note);
  server = await startServer({ nodes: 1, auditLogPath: join(folder, 'audit.log') });
  const containers = [{ name: 'c', image: 'http-echo', args: ['--port', '8080'] }];
  await server.load({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'echo' }, spec: { containers } });
  const isRunning = async () => (await server.get('pods', 'echo'))?.status.phase === 'Running';
  await vi.waitUntil(isRunning, { timeout: inject('deadline') / 4 });
  const data = { text: 'x'.repeat(10_000) };
  const many = Array.from({ length: 300 }, (_, index) => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c-${index}` } },
    data,
  }));
  await server.load(many);
});
afterAll(async () => {
  await server.close();
  process.off('warning', note);
  rmSync(folder, { recursive: true, force: true });
});

/** Sends requests at once on one connection, and reads some of what comes only after a while. */
async function pipelined(...paths: readonly string[]): Promise<void> {
  const socket = await dial(facts());
  socket.on('error', () => {});
  const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n\r\n`;
  socket.write(paths.map(head).join(''));
  await pause(200);
  socket.resume();
  await pause(100);
  socket.destroy();
}

async function webSocket(path: string): Promise<void> {
  const headers = { authorization: `Bearer ${server.token}` };
  const socket = new WebSocket(`${server.url.replace('https', 'wss')}${path}`, 'v4.channel.k8s.io', {
    ca: server.ca,
    headers,
  });
  await once(socket, 'open');
  socket.terminate();
}

const proxied = `${core}/pods/echo:8080/proxy`;
it.each<[string, () => Promise<unknown>]>([
  ['a log', () => ask(facts(), `${core}/pods/echo/log`)],
  ['a log that is followed', () => pipelined(`${core}/pods/echo/log?follow=true`)],
  ['a proxied response', () => ask(facts(), `${proxied}/chunks/200?every=0.001`)],
  ['a proxied response of many pieces', () => ask(facts(), `${proxied}/bytes/5000000`)],
  ['a proxied response that nobody reads', () => pipelined(`${proxied}/bytes/5000000`, `${proxied}/bytes/5000000`)],
  ['a long list', () => ask(facts(), `${core}/configmaps`)],
  ['a long list that nobody reads', () => pipelined(`${core}/configmaps`)],
  ['watches', () => pipelined('/api/v1/configmaps?watch=1&resourceVersion=0', '/api/v1/pods?watch=1')],
  ['many requests at once', () => pipelined(...new Array<string>(40).fill('/version'), '/api/v1/pods?watch=1')],
  ['exec', () => webSocket(`${core}/pods/echo/exec?command=true&stdout=1`)],
  ['attach', () => webSocket(`${core}/pods/echo/attach?stdout=1`)],
  ['metrics', () => ask(facts(), '/metrics')],
  [
    'a body that is too long',
    () => ask(facts(), `${core}/configmaps`, { method: 'POST', body: 'x'.repeat(5_000_000) }),
  ],
])('%s', async (_, send) => {
  await send();
  await pause(10);
  expect(warnings.splice(0)).toEqual([]);
});
