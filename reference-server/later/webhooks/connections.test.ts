// Connections to webhooks stay open, are few, and lead to nobody whom the authorities do not name.
import { once } from 'node:events';
import { createServer as createPlain } from 'node:http';
import { createServer, request, type Server } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { makeServerCertificates } from '../../../test-certs/index.js';
import { askOverKept, textOf } from '../../remote/exchange.js';
import { KeptConnections } from '../../remote/keptConnections.js';
import { sendingTo } from '../../testing/sending.js';
import { startFullServer } from '../index.js';
import { caBundle as otherBundle } from '../testing/webhookServer.js';
import { WebhookCaller } from './caller.js';

const timeout = inject('deadline') / 2;
const nothing = { of: () => ({ get: () => Promise.reject(new Error()), find: async () => undefined }) };
const { ca, server: certificate } = await makeServerCertificates('127.0.0.1', { names: ['IP:127.0.0.1'] });
const caBundle = Buffer.from(ca.certificate).toString('base64');

let webhook: Server;
let caller: WebhookCaller;
let connections: Socket[];
let asked: number;

beforeEach(async () => {
  [connections, asked] = [[], 0];
  webhook = createServer({ cert: certificate.certificate, key: certificate.key }, (request, response) => {
    asked++;
    const answer = async (): Promise<void> => {
      if (request.url?.startsWith('/broken')) request.socket.destroy();
      else if (request.url?.startsWith('/nested'))
        response.end(JSON.stringify(await ends(call(caBundle, 'silent', 1))));
      else if (!request.url?.startsWith('/silent')) response.end('{}');
    };
    request.resume().on('end', answer);
  });
  webhook.on('connection', (socket: Socket) => connections.push(socket));
  await once(webhook.listen(0, '127.0.0.1'), 'listening');
  caller = new WebhookCaller({ allowLoopbackWebhooks: true }, nothing);
});
afterEach(() => {
  caller.stop();
  webhook.closeAllConnections();
  webhook.close();
});

const call = (bundle = caBundle, path = 'x', seconds = 10) => {
  const url = `https://127.0.0.1:${(webhook.address() as AddressInfo).port}/${path}`;
  return caller.call({ url, caBundle: bundle }, { request: {} }, seconds);
};
const ends = (one: Promise<unknown>) => one.then(Object, ({ message }: Error) => ({ failed: message }));
const open = () => connections.filter(({ destroyed }) => !destroyed).length;

it('one connection serves many calls, also those of a configuration that was written again', async () => {
  for (let count = 0; count < 20; count++) expect(await call()).toEqual({});
  expect(connections).toHaveLength(1);
  await Promise.all(Array.from({ length: 20 }, () => call()));
  const most = connections.length;
  expect(most).toBeLessThanOrEqual(20);
  await call();
  expect(connections).toHaveLength(most);
});

it('other authorities mean another connection, which they must know', async () => {
  await call();
  await expect(call(otherBundle)).rejects.toThrow(/certificate/);
  expect(await call(Buffer.from(`${ca.certificate}\n`).toString('base64'))).toEqual({});
  expect([asked, connections.length]).toEqual([2, 3]);
});

it('a connection that the webhook has closed is not used again', async () => {
  await call();
  webhook.closeAllConnections();
  expect(await call()).toEqual({});
  for (const socket of connections) socket.end();
  expect(await call()).toEqual({});
  expect(connections).toHaveLength(3);
});

it('a webhook that breaks off is asked once more at most, over a new connection', async () => {
  await expect(call(caBundle, 'broken')).rejects.toThrow(/Post "https/);
  expect(asked).toBe(1);
  await call();
  await expect(call(caBundle, 'broken')).rejects.toThrow(/Post "https/);
  expect([asked, connections.length]).toEqual([4, 3]);
});

it('calls that lead to further calls end from the last of them on', async () => {
  caller = new WebhookCaller({ allowLoopbackWebhooks: true }, nothing, 1);
  expect(await call(caBundle, 'nested', 1)).toEqual({ failed: expect.stringContaining('deadline exceeded') });
});

it('a call ends when the client of its request has left, whose object is not stored', async () => {
  const server = await startFullServer({ allowLoopbackWebhooks: true });
  const { create, read } = sendingTo(() => server);
  const url = `https://127.0.0.1:${(webhook.address() as AddressInfo).port}/silent`;
  const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps'] }];
  const own = { sideEffects: 'None', admissionReviewVersions: ['v1'], timeoutSeconds: 30, failurePolicy: 'Ignore' };
  const hooks = [{ ...own, name: 'hook.example.com', rules, clientConfig: { url, caBundle } }];
  await create('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    metadata: { name: 'hook' },
    webhooks: hooks,
  });
  const path = '/api/v1/namespaces/default/configmaps';
  const headers = { authorization: `Bearer ${server.token}` };
  const client = request(server.url + path, { method: 'POST', ca: server.caCertificate, headers, agent: false });
  client.on('error', () => {}).end(JSON.stringify({ metadata: { name: 'a' } }));
  await expect.poll(() => asked).toBe(1);
  client.destroy();
  await expect.poll(open).toBe(0);
  expect((await read(`${path}/a`)).reason).toBe('NotFound');
  await server.close();
});

it('connections end with the caller', async () => {
  await Promise.all([call(), call(), call()]);
  caller.stop();
  await expect.poll(open).toBe(0);
});

it('idle connections are few, and do not stay', async () => {
  const kept = new KeptConnections(2, 200);
  const server = createPlain((_, response) => response.end('yes'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const count = () => new Promise<number>((resolve) => server.getConnections((_, number) => resolve(number)));
  try {
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (key) => {
        const dial = async () => {
          const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
          await once(socket, 'connect');
          return socket;
        };
        const question = { method: 'GET', path: '/', host: 'x', headers: {}, signal: AbortSignal.timeout(timeout) };
        const response = await askOverKept(kept, { key, dial }, question);
        expect(await textOf(response, 10)).toBe('yes');
      }),
    );
    const idle = () => Object.values(kept.freeSockets).flat().length;
    await expect.poll(idle).toBeLessThanOrEqual(2);
    await expect.poll(count).toBe(0);
  } finally {
    server.close();
  }
});
