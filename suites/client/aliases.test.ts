// Requests for an aliased resource use the version of the alias, and the suite sees the responses in its own version.
// All other requests are unchanged.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { operations } from '../../matrix/api/index.js';
import type { Alias } from '../requirements/index.js';
import { bareTarget } from '../testing/bareTarget.js';
import { aliasFor, eventSeenAs, placeOf, seenAs, sentAs, servedVersion, unsharedBy } from './aliases.js';
import { Client } from './client.js';
import { decodeEvent, decodeObject, encodeObject } from './protobuf/envelope.js';
import { delimitedField } from './protobuf/wire.js';
import { Reply } from './reply.js';

const version = 'extensions/v1beta1';
const aliases: readonly Alias[] = [
  { groupVersion: version, resource: 'deployments', to: 'apps/v1' },
  { groupVersion: version, resource: 'networkpolicies', to: 'networking.k8s.io/v1' },
];
const apps = { ours: version, theirs: 'apps/v1' };
const own = '/apis/extensions/v1beta1';

describe('a path', () => {
  it.each([
    [`${own}/deployments?limit=1`, '/apis/apps/v1/deployments?limit=1', 'apps/v1'],
    [
      `${own}/namespaces/deployments/deployments/a/status`,
      '/apis/apps/v1/namespaces/deployments/deployments/a/status',
      'apps/v1',
    ],
    [`${own}/watch/namespaces/n/deployments/a`, '/apis/apps/v1/watch/namespaces/n/deployments/a', 'apps/v1'],
    [
      `${own}/namespaces/n/networkpolicies`,
      '/apis/networking.k8s.io/v1/namespaces/n/networkpolicies',
      'networking.k8s.io/v1',
    ],
    [`${own}/namespaces/n/deployments/a/scale`, '/apis/apps/v1/namespaces/n/deployments/a/scale', 'autoscaling/v1'],
    [own, '/apis/apps/v1', 'apps/v1'],
  ])('%s goes to %s', (path, there, theirs) => {
    expect(placeOf(aliases, 'apps/v1', path)).toEqual({ path: there, renaming: { ours: version, theirs } });
  });

  it.each([
    `${own}/ingresses`,
    `${own}/namespaces/n/ingresses/deployments`,
    `${own}5/deployments`,
    '/api/v1/pods',
    '/apis',
  ])('%s stays', (path) => expect(placeOf(aliases, 'apps/v1', path)).toBeUndefined());
});

describe('a rule', () => {
  const [deployments] = aliases as [Alias];
  const scale = 'GET /apis/extensions/v1beta1/namespaces/{namespace}/deployments/{name}/scale, Accept application/json';

  it.each([
    ['responses.body-schema', scale],
    ['subresources.scale-observed', scale],
    ['validation.defaults', 'POST /apis/extensions/v1beta1/namespaces/{namespace}/deployments, the selector'],
  ])('%s is not shared', (requirement, subject) =>
    expect(unsharedBy(deployments, requirement, subject)).toMatch(/^not shared by apps\/v1: /),
  );

  it.each([
    ['responses.body-schema', scale.replace('/scale', '')],
    ['responses.status', scale],
    ['selectors.field-of-kind', 'GET /apis/extensions/v1beta1/deployments, some'],
  ])('%s is shared on %s', (requirement, subject) =>
    expect(unsharedBy(deployments, requirement, subject)).toBeUndefined(),
  );
});

it.each([
  ['Deployment', version, 'apps/v1'],
  ['NetworkPolicy', version, 'networking.k8s.io/v1'],
  ['Ingress', version, version],
  ['ConfigMap', 'v1', 'v1'],
])('an owner of the kind %s in %s is in %s', (kind, of, served) =>
  expect(servedVersion(aliases, of, kind)).toBe(served),
);

describe('a body', () => {
  it('is renamed as text: malformed, repeated and quoted parts are kept', () => {
    const sent =
      '{"apiVersion":"extensions/v1beta1","apiVersion":"extensions/v1beta1","note":"\\"apiVersion\\":\\"extensions/v1beta1\\"';
    expect(sentAs(sent, apps)).toBe(
      '{"apiVersion":"apps/v1","apiVersion":"apps/v1","note":"\\"apiVersion\\":\\"extensions/v1beta1\\"',
    );
    expect(sentAs('kind: Deployment\napiVersion: extensions/v1beta1\n', apps)).toBe(
      'kind: Deployment\napiVersion: apps/v1\n',
    );
    expect(sentAs('{"apiVersion": "extensions/v1beta12"}', apps)).toBe('{"apiVersion": "extensions/v1beta12"}');
  });

  it('of any bytes is unchanged except for its version', () => {
    const bytes = Buffer.from('{"apiVersion":"apps/v1","a":"\u00e9\u{1f600}"}');
    expect(seenAs('application/json', bytes, apps).toString()).toBe(
      `{"apiVersion":"${version}","a":"\u00e9\u{1f600}"}`,
    );
    expect(seenAs('text/plain', bytes, apps)).toBe(bytes);
  });

  it('in protobuf is renamed in its envelope', () => {
    const object = { apiVersion: version, kind: 'Deployment', metadata: { name: 'a' } };
    const sent = sentAs(encodeObject(object), apps) as Uint8Array;
    expect(Buffer.from(sent).includes('apps/v1')).toBe(true);
    const seen = seenAs('application/vnd.kubernetes.protobuf', Buffer.from(sent), apps);
    expect(decodeObject(seen)).toMatchObject(object);
    const raw = Buffer.concat([delimitedField(1, 'ADDED'), delimitedField(2, delimitedField(1, sent))]);
    const event = eventSeenAs('application/vnd.kubernetes.protobuf;stream=watch', raw, apps);
    expect(decodeEvent(event)).toMatchObject({ type: 'ADDED', object });
    expect(sentAs(Buffer.from('no envelope'), apps)).toEqual(Buffer.from('no envelope'));
  });
});

it('an operation of an aliased resource has an alias, and no other', () => {
  const of = (id: string) =>
    aliasFor(
      aliases,
      operations.find((operation) => operation.id === id),
    )?.to;
  expect(of(`GET ${own}/namespaces/{namespace}/deployments/{name}/scale`)).toBe('apps/v1');
  expect(of(`GET ${own}/namespaces/{namespace}/ingresses`)).toBeUndefined();
  expect(of(`GET ${own}`)).toBeUndefined();
  expect(aliasFor(undefined, operations[1])).toBeUndefined();
});

it('a client with an alias sends requests there, and records the actual exchange', async () => {
  const object = { kind: 'Deployment', apiVersion: 'apps/v1' };
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify({ type: request.url, object })}\n`);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.send(JSON.stringify({ type: 'ADDED', object })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new Client(bareTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { aliases }));
  const path = `${own}/namespaces/n/deployments`;
  const seen = { object: { apiVersion: version } };
  try {
    expect((await client.send({ method: 'GET', path })).value()).toMatchObject({ type: path, object });
    client.alias = 'apps/v1';
    const body = JSON.stringify({ apiVersion: version });
    expect((await client.send({ method: 'POST', path, body })).value()).toMatchObject({
      type: '/apis/apps/v1/namespaces/n/deployments',
      ...seen,
    });
    await client.stream({ method: 'GET', path }, async (stream) => {
      await stream.ended();
      expect(stream.events[0]?.value).toMatchObject(seen);
    });
    await client.webSocket({ path }, async (opened) => {
      if (opened instanceof Reply) throw new Error(opened.excerpt());
      await opened.until((received) => received.length > 0);
      expect(JSON.parse(String(opened.received[0]?.bytes))).toMatchObject(seen);
    });
    const [, sent, , socket] = client.takeExchanges();
    expect(sent?.request.url).toMatch(/\/apis\/apps\/v1\/namespaces\/n\/deployments$/);
    expect(sent?.request.body?.text).toBe('{"apiVersion":"apps/v1"}');
    expect(sent?.response?.body?.text).toContain('"apps/v1"');
    expect(socket?.frames?.[0]?.data.text).toContain('"apps/v1"');
  } finally {
    await client.close();
    sockets.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
