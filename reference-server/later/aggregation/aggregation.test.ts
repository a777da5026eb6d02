// APIs of other servers over HTTP: when they are available, what reaches them, and how they are listed.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { makeServerCertificates } from '../../../test-certs/index.js';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { sendingTo } from '../../testing/sending.js';
import { ask } from '../../testing/standIn.js';
import { watched } from '../../testing/watched.js';
import { startFullServer } from '../index.js';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const services = '/api/v1/namespaces/kube-system/services';
const name = 'v1beta1.metrics.example.com';

let server: RunningServer;
let backend: Server;
let caBundle: string;
/** What arrived, the newest last. */
const arrived: { readonly path: string; readonly headers: AnyShape; readonly client: string; readonly body: string }[] =
  [];
let respond: (request: IncomingMessage, response: ServerResponse) => void;
const { send, create, read } = sendingTo(() => server);

const resources = [
  {
    name: 'gauges',
    singularName: 'gauge',
    namespaced: true,
    kind: 'Gauge',
    verbs: ['get', 'list'],
    shortNames: ['gg'],
  },
];
const list = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'metrics.example.com/v1beta1', resources };

function usually(request: IncomingMessage, response: ServerResponse): void {
  const isDiscovery = request.url === '/apis/metrics.example.com/v1beta1';
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(isDiscovery ? list : { kind: 'Gauge', path: request.url }));
}

beforeAll(async () => {
  server = await startFullServer({ allowLoopbackWebhooks: true });
  const { ca, server: own } = await makeServerCertificates('127.0.0.1', { names: ['DNS:metrics.kube-system.svc'] });
  caBundle = Buffer.from(ca.certificate).toString('base64');
  const authority = await frontProxyAuthority();
  backend = createServer({
    cert: own.certificate,
    key: own.key,
    ca: authority,
    requestCert: true,
    rejectUnauthorized: false,
  });
  backend.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const socket = request.socket as TLSSocket;
    const client = socket.authorized ? String(socket.getPeerCertificate().subject.CN) : '';
    const { url: path = '', headers } = request;
    arrived.push({ path, headers, client, body: Buffer.concat(chunks).toString() });
    respond(request, response);
  });
  await once(backend.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  await send('DELETE', `${apiServices}/${name}`);
  await send('DELETE', `${services}/metrics`);
  arrived.splice(0);
});
afterAll(async () => {
  await server.close();
  backend.closeAllConnections();
  backend.close();
});

async function frontProxyAuthority(): Promise<string> {
  const { data } = await read('/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication');
  return data['requestheader-client-ca-file'];
}

/** Returns a request among the checks, which come at any time. */
function arrivedAt(path: string): (typeof arrived)[number] {
  const found = arrived.find((one) => one.path === path);
  if (found === undefined) throw new Error(`nothing arrived at ${path}`);
  return found;
}

const port = () => (backend.address() as AddressInfo).port;

async function register(change: AnyShape = {}): Promise<void> {
  respond = usually;
  await create(services, { metadata: { name: 'metrics' }, spec: { type: 'ExternalName', externalName: 'localhost' } });
  const service = { namespace: 'kube-system', name: 'metrics', port: port() };
  const spec = {
    group: 'metrics.example.com',
    version: 'v1beta1',
    service,
    caBundle,
    groupPriorityMinimum: 100,
    versionPriority: 100,
  };
  const { status } = await create(apiServices, { metadata: { name }, spec: { ...spec, ...change } });
  expect(status).toBe(201);
}

const condition = async (): Promise<AnyShape> => {
  const { status } = await read(`${apiServices}/${name}`);
  return status?.conditions?.find(({ type }: AnyShape) => type === 'Available') ?? {};
};
const untilReason = (reason: string) => expect.poll(async () => (await condition()).reason).toBe(reason);

it('requests reach the server of an API, with the name of their sender', async () => {
  await register();
  await untilReason('Passed');
  const path = '/apis/metrics.example.com/v1beta1/namespaces/default/gauges/a?watch=0&x=%20y';
  const { status, body } = await send('POST', path, { size: 1 });
  expect([status, body]).toEqual([200, { kind: 'Gauge', path }]);
  const { headers, client, body: sent } = arrivedAt(path);
  expect([client, JSON.parse(sent)]).toEqual(['front-proxy-client', { size: 1 }]);
  const { 'x-remote-user': user, 'x-remote-group': groups, authorization, host } = headers;
  expect([user, groups, authorization, host]).toEqual([
    'admin',
    'system:masters, system:authenticated',
    undefined,
    `localhost:${port()}`,
  ]);
});

it('a client cannot say who it is to the server of an API', async () => {
  await register();
  await untilReason('Passed');
  const headers = { 'x-remote-user': 'root', 'x-remote-group': 'g', 'x-remote-extra-a': 'b' };
  const path = '/apis/metrics.example.com/v1beta1/gauges';
  await ask(server, path, { headers });
  const { headers: seen } = arrivedAt(path);
  expect([seen['x-remote-user'], seen['x-remote-extra-a']]).toEqual(['admin', undefined]);
});

it.each(['HEAD', 'OPTIONS'])('%s reaches the server of an API', async (method) => {
  await register();
  await untilReason('Passed');
  const path = '/apis/metrics.example.com/v1beta1/gauges/a';
  respond = (request, response) => response.setHeader('x-method', String(request.method)).end('{}');
  const { status, headers, text } = await ask(server, path, { method });
  expect([status, headers['x-method'], text]).toEqual([200, method, method === 'HEAD' ? '' : '{}']);
});

it('what a server streams arrives as it is sent', async () => {
  await register();
  await untilReason('Passed');
  let more: ServerResponse | undefined;
  respond = (_, response) => {
    more = response;
    response.write('{"n":1}\n');
  };
  const events = await watched(server, '/apis/metrics.example.com/v1beta1/gauges?watch=1', async (seen) => {
    await seen(1);
    more?.write('{"n":2}\n');
    await seen(2);
  });
  expect(events).toEqual([{ n: 1 }, { n: 2 }]);
  more?.end();
});

it('is listed by discovery while it is registered', async () => {
  await register();
  await untilReason('Passed');
  const groups = async (): Promise<AnyShape[]> => (await read('/apis')).groups;
  const found = (await groups()).find((group) => group.name === 'metrics.example.com');
  const versions = [{ groupVersion: 'metrics.example.com/v1beta1', version: 'v1beta1' }];
  expect(found).toEqual({ name: 'metrics.example.com', versions, preferredVersion: versions[0] });
  expect((await read('/apis/metrics.example.com')).versions).toEqual(versions);
  expect(await read('/apis/metrics.example.com/v1beta1')).toEqual(list);
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const entry = async () => {
    const { text } = await ask(server, '/apis', { headers: { accept } });
    return JSON.parse(text).items.find(({ metadata }: AnyShape) => metadata.name === 'metrics.example.com');
  };
  const [version] = (await entry()).versions;
  expect([version.version, version.freshness, version.resources]).toEqual([
    'v1beta1',
    'Current',
    [expect.objectContaining({ resource: 'gauges', scope: 'Namespaced', shortNames: ['gg'], verbs: ['get', 'list'] })],
  ]);
  await send('DELETE', `${apiServices}/${name}`);
  await expect.poll(async () => (await send('GET', '/apis/metrics.example.com/v1beta1/gauges')).status).toBe(404);
  expect([await entry(), (await groups()).some((group) => group.name === 'metrics.example.com')]).toEqual([
    undefined,
    false,
  ]);
  expect((await send('GET', '/apis/metrics.example.com')).status).toBe(404);
});

it('is not available without its service, and while its server fails', async () => {
  await register({ service: { namespace: 'kube-system', name: 'none', port: 443 } });
  await untilReason('ServiceNotFound');
  expect((await condition()).message).toBe('service/none in "kube-system" is not present');
  const { status, text } = await ask(server, '/apis/metrics.example.com/v1beta1/gauges');
  expect([status, text]).toEqual([503, 'service unavailable\n']);
  await send('DELETE', `${apiServices}/${name}`);
  await register();
  await untilReason('Passed');
  respond = (_, response) => response.writeHead(500).end();
  await create(services, { metadata: { name: 'another' }, spec: { ports: [{ port: 443 }] } });
  await send(
    'PATCH',
    `${services}/metrics`,
    { metadata: { labels: { touched: 'yes' } } },
    'application/merge-patch+json',
  );
  await untilReason('FailedDiscoveryCheck');
  const url = `https://localhost:${port()}/apis/metrics.example.com/v1beta1`;
  expect((await condition()).message).toBe(`failing or missing response from ${url}: bad status from ${url}: 500`);
  respond = usually;
  await untilReason('Passed');
  await send('DELETE', `${services}/another`);
});

it.each<readonly [string, AnyShape, string]>([
  ['a service on another port', { type: 'ClusterIP', ports: [{ port: 444 }] }, 'ServicePortError'],
  ['a service without endpoints', { type: 'ClusterIP', ports: [{ port: 443 }] }, 'EndpointsNotFound'],
])('is not available with %s', async (_, spec, reason) => {
  await register({ service: { namespace: 'kube-system', name: 'odd', port: 443 } });
  await create(services, { metadata: { name: 'odd' }, spec });
  await untilReason(reason);
  await send('DELETE', `${services}/odd`);
});

it('a server whose certificate proves nothing is not asked', async () => {
  await register({ caBundle: undefined });
  await untilReason('FailedDiscoveryCheck');
  expect((await condition()).message).toContain('x509: certificate signed by unknown authority');
  expect(arrived).toEqual([]);
  await send(
    'PATCH',
    `${apiServices}/${name}`,
    { spec: { insecureSkipTLSVerify: true } },
    'application/merge-patch+json',
  );
  await untilReason('Passed');
});

it('an API of the server itself is always available', async () => {
  const spec = { group: 'own.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
  await create(apiServices, { metadata: { name: 'v1.own.example.com' }, spec });
  expect((await read(`${apiServices}/v1.own.example.com`)).status.conditions[0].reason).toBe('Local');
  await send('DELETE', `${apiServices}/v1.own.example.com`);
});

it('loopback addresses are not called unless the server is told to', async () => {
  await using plain = await startFullServer();
  const there = sendingTo(() => plain);
  await there.create(services, {
    metadata: { name: 'metrics' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  const service = { namespace: 'kube-system', name: 'metrics', port: port() };
  const spec = {
    group: 'metrics.example.com',
    version: 'v1beta1',
    service,
    caBundle,
    groupPriorityMinimum: 1,
    versionPriority: 1,
  };
  await there.create(apiServices, { metadata: { name }, spec });
  const message = async () => (await there.read(`${apiServices}/${name}`)).status?.conditions?.[0]?.message;
  await expect.poll(message).toContain('address not allowed');
  expect(arrived).toEqual([]);
});
