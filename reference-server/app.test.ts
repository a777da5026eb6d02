import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createTlsServer, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { issueCertificate, makeServerCertificates } from '../test-certs/index.js';
import { type Api, createApp } from './app.js';
import { TestBackend } from './testing/testBackend.js';

const { ca, server: pair } = await makeServerCertificates('127.0.0.1');
const user = await issueCertificate({ subject: { commonName: 'jane' }, issuer: ca, usage: 'client' });
const tls = { cert: pair.certificate, key: pair.key, ca: ca.certificate, requestCert: true, rejectUnauthorized: false };

const backend = await TestBackend.start();
afterAll(() => backend.close());

const listening: Readonly<Record<string, (app: RequestListener) => Server>> = {
  http: (app) => createServer(app),
  https: (app) => createTlsServer(tls, app) as unknown as Server,
};

interface Ask {
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cert?: string;
  readonly key?: string;
}

describe.each([
  ['http', '/'],
  ['http', '/k8s'],
  ['https', '/'],
  ['https', '/k8s'],
])('over %s, an application with the API at %s', (protocol, path) => {
  let api: Api;
  let server: Server;
  let origin: string;
  const base = path === '/' ? '' : path;

  beforeAll(async () => {
    api = await createApp({ egressProxy: backend.socketPath, clientCertificates: true });
    const app = express();
    app.get('/hello', (_request, response) => void response.send('hello'));
    app.use(path, api);
    server = (listening[protocol] as (app: RequestListener) => Server)(app);
    server.on('upgrade', api.upgrade);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    origin = `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await api.close();
    server.close();
  });

  const sent = (url: string, { method = 'GET', body, headers, ...identity }: Ask = {}) => {
    const request = (protocol === 'http' ? httpRequest : httpsRequest)(origin + url, {
      method,
      agent: false,
      ca: ca.certificate,
      headers: { ...(identity.cert === undefined && { authorization: `Bearer ${api.token}` }), ...headers },
      ...identity,
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    return request;
  };
  const ask = async (url: string, options?: Ask) => {
    const [response] = (await once(sent(url, options), 'response')) as [IncomingMessage];
    return { status: response.statusCode, text: await text(response) };
  };
  const kindOf = ({ text: json }: { text: string }): string => JSON.parse(json).kind;
  const core = `${base}/api/v1/namespaces/default`;

  it('serves its own routes and the API', async () => {
    expect(await ask('/hello')).toEqual({ status: 200, text: 'hello' });
    expect(kindOf(await ask(`${core}/configmaps`))).toBe('ConfigMapList');
    const none = await ask(`${base}/apis/none`);
    expect([none.status, kindOf(none)]).toEqual([404, 'Status']);
    expect((await ask(`${core}/configmaps`, { headers: { authorization: 'Bearer none' } })).status).toBe(401);
  });

  it('sends events of a create to watches and WebSockets', async () => {
    const [watch] = (await once(sent(`${core}/configmaps?watch=true`), 'response')) as [IncomingMessage];
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${core}/configmaps?watch=true`, {
      ca: ca.certificate,
      headers: { authorization: `Bearer ${api.token}` },
    });
    const message = once(socket, 'message');
    await once(socket, 'open');
    expect((await ask(`${core}/configmaps`, { method: 'POST', body: { metadata: { name: 'a' } } })).status).toBe(200);
    const added = { type: 'ADDED', object: { metadata: { name: 'a' } } };
    expect(JSON.parse(String(await once(watch, 'data')))).toMatchObject(added);
    const [sentOver] = await message;
    expect(JSON.parse(String(sentOver))).toMatchObject(added);
    watch.destroy();
    socket.close();
  });

  it('joins an exec with the node', async () => {
    const addresses = [{ type: 'InternalIP', address: '10.250.0.1' }];
    await ask(`${base}/api/v1/nodes`, { method: 'POST', body: { metadata: { name: 'n' }, status: { addresses } } });
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
    await ask(`${core}/pods`, { method: 'POST', body: { metadata: { name: 'p' }, spec } });
    const request = sent(`${core}/pods/p/exec?command=id`, { headers: { connection: 'Upgrade', upgrade: 'echo' } });
    const [, socket] = await once(request, 'upgrade');
    socket.write('said');
    expect(String(await once(socket, 'data'))).toBe('said');
    socket.destroy();
    expect(backend.take().url).toBe('/exec/default/p/c?output=1&error=1&command=id');
  });

  it.runIf(protocol === 'https')('knows the user of a client certificate', async () => {
    const identity = { cert: user.certificate, key: user.key };
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const review = await ask(`${base}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
      method: 'POST',
      body,
      ...identity,
    });
    expect(JSON.parse(review.text)).toMatchObject({ status: { userInfo: { username: 'jane' } } });
  });
});

it('reports a body parser above the API', async () => {
  await using api = await createApp();
  const app = express().use(express.json()).use(api);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/namespaces/default/configmaps`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'a' } }),
    },
  );
  expect(response.status).toBe(500);
  server.close();
});

it('ends its watches on close, so that its server can close', async () => {
  const api = await createApp();
  const server = createServer(api).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/namespaces?watch=true`,
    { headers: { authorization: `Bearer ${api.token}` } },
  );
  const closed = once(server, 'close');
  server.close();
  await api.close();
  expect(await response.text()).toContain('"kind":"Namespace"');
  server.closeAllConnections();
  await closed;
});
