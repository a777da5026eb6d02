// What passes between clients and the nodes, pods and services behind the server.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { issueCertificate } from '../../test-certs/index.js';
import { type RunningServer, type ServerOptions, startServer } from '../index.js';
import { echo, FarEnd, mirror } from '../testing/farEnd.js';
import { ask, exchange } from '../testing/standIn.js';
import { exchange as exchangeWith } from './backend.js';
import { Dialer } from './dialer.js';

const core = '/api/v1/namespaces/default';
let far: FarEnd;
let server: RunningServer;

beforeAll(async () => {
  far = await FarEnd.start();
  server = await startWith({});
});
afterEach(async () => {
  await expect.poll(() => far.open.size, { timeout: 5000 }).toBe(0);
  far.behave = mirror;
  far.switch = echo;
  far.arrived.splice(0);
});
afterAll(async () => {
  await server.close();
  await far.close();
});

/** A server with a node, pods of it and a service, all of them at the far end. */
async function startWith(options: ServerOptions, egressProxy = far.socketPath): Promise<RunningServer> {
  const started = await startServer({ egressProxy, ...options });
  const write = async (method: string, path: string, body: object) => {
    const { status, text } = await ask(started, path, { method, body: JSON.stringify(body) });
    if (status !== 200) throw new Error(text);
  };
  const addresses = [{ type: 'InternalIP', address: '10.250.0.1' }];
  await write('POST', '/api/v1/nodes', { metadata: { name: 'n' }, status: { addresses } });
  for (const [name, ip] of Object.entries({ p: '10.244.0.5', own: '127.0.0.1', meta: '169.254.169.254' })) {
    const containers = [{ name: 'c', image: 'i', ports: [{ containerPort: 8080 }] }];
    await write('POST', `${core}/pods`, { metadata: { name }, spec: { nodeName: 'n', containers } });
    const pod = JSON.parse((await ask(started, `${core}/pods/${name}`)).text);
    await write('PUT', `${core}/pods/${name}/status`, { ...pod, status: { podIP: ip } });
  }
  const ports = [
    { name: 'web', port: 80 },
    { name: 'tls', port: 443 },
    { name: 'dead', port: 81 },
  ];
  const targetRef = { kind: 'Pod', namespace: 'default', name: 'p' };
  const endpoints = ports.map(({ name, port }) => ({ name, port: { web: 8080, tls: 8443, dead: 81 }[name] ?? port }));
  for (const [name, more] of Object.entries({ s: { targetRef }, stray: {} })) {
    await write('POST', `${core}/services`, { metadata: { name }, spec: { ports } });
    const subsets = [{ addresses: [{ ip: '10.244.0.5', ...more }], ports: endpoints }];
    await write('POST', `${core}/endpoints`, { metadata: { name }, subsets });
  }
  return started;
}

const upgrading = (method: string, path: string, headers: readonly string[] = ['Upgrade: echo']) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: front',
    `Authorization: Bearer ${server.token}`,
    'Connection: Upgrade',
    ...headers,
    '',
    '',
  ].join('\r\n');

describe('a log', () => {
  it.each([
    ['', ''],
    ['?pretty=true&container=c', ''],
    ['?follow=true&previous=1&timestamps=yes', '?follow=true&previous=true&timestamps=true'],
    ['?follow=false&previous=0&timestamps=False', ''],
    ['?sinceSeconds=5&tailLines=0&limitBytes=2147483647', '?sinceSeconds=5&tailLines=0&limitBytes=2147483647'],
    ['?sinceTime=2026-01-01T00:00:00.5Z', '?sinceTime=2026-01-01T00%3A00%3A00.5Z'],
  ])('%s is asked of the node', async (query, asked) => {
    const { status, text, headers } = await ask(server, `${core}/pods/p/log${query}`);
    expect([status, headers['content-type']]).toEqual([200, 'text/plain']);
    const { to, encrypted, method, url } = far.take();
    expect([to, encrypted, method, url]).toEqual([
      '10.250.0.1:10250',
      true,
      'GET',
      `/containerLogs/default/p/c${asked}`,
    ]);
    expect(text).not.toContain(server.token);
  });

  it.each([
    [400, 'BadRequest', 'previous terminated container "c" in pod "p" not found'],
    [404, 'NotFound', 'pod "p" not found'],
    [500, 'InternalError', 'broken'],
    [302, 'ServiceUnavailable', 'the node answers 302'],
  ])('that the node answers with %i is a Status', async (code, reason, message) => {
    far.behave = (response) => response.writeHead(code, { Location: 'http://127.0.0.1/' }).end(`${message}\n`);
    const { status, text } = await ask(server, `${core}/pods/p/log`);
    expect(JSON.parse(text)).toMatchObject({ kind: 'Status', reason, message });
    expect(status).toBe(code < 400 ? 503 : code);
  });

  it('comes as it is written, and leaves the node when the client leaves', async () => {
    far.behave = (response) => response.writeHead(200).write('first\n');
    const asked = httpsRequest({
      port: server.port,
      ca: server.caCertificate,
      path: `${core}/pods/p/log?follow=1`,
      agent: false,
    });
    asked.on('error', () => {}).setHeader('authorization', `Bearer ${server.token}`);
    const [response] = await once(asked.end(), 'response');
    expect(String((await once(response, 'data'))[0])).toBe('first\n');
    const [connection] = far.open;
    const left = once(connection as never, 'close');
    asked.destroy();
    await left;
  });

  it('is read no faster than the client reads', async () => {
    let written = 0;
    far.behave = (response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write(Buffer.alloc(65_536))) written += 65_536;
        response.once('drain', more);
      };
      more();
    };
    const asked = httpsRequest({
      port: server.port,
      ca: server.caCertificate,
      path: `${core}/pods/p/log?follow=1`,
      agent: false,
    });
    asked.on('error', () => {}).setHeader('authorization', `Bearer ${server.token}`);
    await once(asked.end(), 'response');
    const seen: number[] = [];
    const pauses = () => seen.push(written) > 1 && seen.at(-1) === seen.at(-2);
    await expect.poll(pauses, { interval: 100, timeout: 5000 }).toBe(true);
    expect(written).toBeLessThan(64 * 1024 * 1024);
    asked.destroy();
  });
});

describe('a stream', () => {
  it.each([
    [
      'exec',
      'command=ls&command=-l&command=a%20b',
      'exec/default/p/c?output=1&error=1&command=ls&command=-l&command=a+b',
    ],
    ['exec', 'command=ls&stdin=true&container=c', 'exec/default/p/c?input=1&output=1&error=1&command=ls'],
    ['exec', 'command=ls&stdout=false', 'exec/default/p/c?error=1&command=ls'],
    ['exec', 'command=ls&stdout=0&stderr=False', 'exec/default/p/c?command=ls'],
    ['exec', 'stdin=true&tty=true', 'exec/default/p/c?input=1&output=1&tty=1'],
    ['attach', '', 'attach/default/p/c?output=1&error=1'],
    ['attach', 'stdin=1&stderr=0', 'attach/default/p/c?input=1&output=1'],
    ['portforward', '', 'portForward/default/p'],
    ['portforward', 'ports=80&ports=81,82', 'portForward/default/p?port=80%2C81%2C82'],
  ])('%s?%s', async (operation, query, url) => {
    for (const method of ['GET', 'POST']) {
      const head = upgrading(method, `${core}/pods/p/${operation}?${query}`);
      const text = await exchange(server, [`${head}early`, ' and late'], (all) => all.endsWith('early and late'));
      expect(text).toMatch(
        /^HTTP\/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\nX-Far: end\r\n/,
      );
      const arrived = far.take();
      expect([arrived.method, arrived.url, arrived.to]).toEqual([method, `/${url}`, '10.250.0.1:10250']);
      expect(arrived.headers).toMatchObject({
        host: '10.250.0.1:10250',
        upgrade: 'echo',
        'x-forwarded-for': '127.0.0.1',
      });
      expect(arrived.headers.authorization).toBeUndefined();
    }
  });

  it.each([
    ['', 'output=1&error=1'],
    ['stdout=true', 'output=1'],
    ['stderr=true&stdin=true', 'input=1&error=1'],
    ['stdin=true', 'input=1&output=1&error=1'],
  ])('over SPDY with "%s" waits for no stream that the client does not open', async (query, asked) => {
    await exchange(
      server,
      upgrading('POST', `${core}/pods/p/attach?${query}`, ['Upgrade: SPDY/3.1']),
      (all) => all !== '',
    );
    expect(far.take().url).toBe(`/attach/default/p/c?${asked}`);
  });

  it('carries no token in a subprotocol', async () => {
    const offered = `Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.${Buffer.from(server.token ?? '').toString('base64url')}, v4.channel.k8s.io`;
    await exchange(
      server,
      upgrading('GET', `${core}/pods/p/exec`, ['Upgrade: websocket', offered]),
      (all) => all !== '',
    );
    expect(far.take().headers['sec-websocket-protocol']).toBe('v4.channel.k8s.io');
  });

  it('that the node refuses is answered as the node does', async () => {
    far.switch = (socket) =>
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nno such thing');
    const text = await exchange(server, upgrading('POST', `${core}/pods/p/exec?command=ls`));
    expect(text).toMatch(/^HTTP\/1.1 404 Not Found\r\n.*\r\n\r\nno such thing$/s);
  });

  it.each(['GET', 'POST'])('needs an upgrade: %s', async (method) => {
    const { status, text } = await ask(server, `${core}/pods/p/exec?command=ls`, { method });
    expect([status, JSON.parse(text).message]).toEqual([400, 'Upgrade request required']);
  });

  it('ends for the client when the node ends it, with all that it said', async () => {
    const said = 'x'.repeat(3_000_000);
    far.switch = (socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
      socket.resume().end(said);
    };
    const text = await exchange(server, [upgrading('GET', `${core}/pods/p/exec`), 'unread']);
    expect(text.endsWith(`\r\n\r\n${said}`)).toBe(true);
  });

  it('ends for the node when the client is gone', async () => {
    await exchange(server, upgrading('GET', `${core}/pods/p/exec`), (all) => all.includes('\r\n\r\n'));
    await expect.poll(() => far.open.size).toBe(0);
  });
});

describe('a proxy', () => {
  const arrivedBy = async (path: string, call: Parameters<typeof ask>[2] = {}) => {
    const { status, text } = await ask(server, path, call);
    expect([status, text]).toEqual([200, expect.any(String)]);
    return far.take();
  };

  it.each([
    [`${core}/pods/p/proxy`, '10.244.0.5:8080', '/'],
    [`${core}/pods/p/proxy/`, '10.244.0.5:8080', '/'],
    [`${core}/pods/p:9000/proxy/a%2Fb//c/%41/?x=1&y=%2F`, '10.244.0.5:9000', '/a%2Fb//c/%41/?x=1&y=%2F'],
    [`${core}/pods/p/proxy/../../x`, '10.244.0.5:8080', '/../../x'],
    [`${core}/pods/p/proxy/a?path=/b`, '10.244.0.5:8080', '/a?path=/b'],
    [`${core}/pods/p/proxy?path=/b%20c&z`, '10.244.0.5:8080', '/b%20c?path=/b%20c&z'],
    [`${core}/pods/https:p:8443/proxy/tls`, '10.244.0.5:8443', '/tls'],
    [`${core}/services/s:web/proxy/x`, '10.244.0.5:8080', '/x'],
    [`${core}/services/s:80/proxy/x`, '10.244.0.5:8080', '/x'],
    [`${core}/services/https:s:tls/proxy/x`, '10.244.0.5:8443', '/x'],
    ['/api/v1/nodes/n/proxy/healthz', '10.250.0.1:10250', '/healthz'],
    ['/api/v1/nodes/n:9090/proxy/healthz', '10.250.0.1:9090', '/healthz'],
    ['/api/v1/proxy/namespaces/default/pods/p', '10.244.0.5:8080', '/'],
    ['/api/v1/proxy/namespaces/default/pods/p/a//b/', '10.244.0.5:8080', '/a//b/'],
    ['/api/v1/proxy/namespaces/default/services/s:web/x', '10.244.0.5:8080', '/x'],
    ['/api/v1/proxy/nodes/n/pods', '10.250.0.1:10250', '/pods'],
  ])('%s', async (path, to, url) => {
    const arrived = await arrivedBy(path);
    expect([arrived.to, arrived.url]).toEqual([to, url]);
    expect(arrived.encrypted).toBe(/:(8443|10250)$/.test(to));
    expect(arrived.headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-uri': path.split('?')[0] });
  });

  it.each(['GET', 'PUT', 'DELETE', 'POST', 'PATCH', 'OPTIONS'])('%s, with a body', async (method) => {
    const body = 'b'.repeat(4_000_000);
    const headers = { 'Content-Type': 'x/y', Expect: '100-continue' };
    const counted = await arrivedBy(`${core}/pods/p/proxy/x`, { method, body, headers });
    expect([counted.method, counted.body === body, counted.headers['content-type']]).toEqual([method, true, 'x/y']);
    expect(counted.headers.expect).toBeUndefined();
    const head = `${method} ${core}/pods/p/proxy/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n`;
    const chunked = `${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n`;
    expect(await exchange(server, chunked)).toContain('200 OK');
    expect(far.take()).toMatchObject({ method, body: 'onetwo' });
  });

  it('HEAD', async () => {
    const { status, text, headers } = await ask(server, `${core}/pods/p/proxy/x`, { method: 'HEAD' });
    expect([status, text, headers['x-far']]).toEqual([200, '', 'end']);
  });

  it('passes headers, but neither credentials nor those of one hop', async () => {
    const sent = { Cookie: 'a=b', 'X-Own': ['1', '2'], Connection: 'close, X-Hop', 'X-Hop': '1', TE: 'trailers' };
    const identity = { 'Impersonate-User': 'joe', 'Impersonate-Extra-X': 'y', 'X-Forwarded-For': '192.0.2.1' };
    const { headers } = await arrivedBy(`${core}/pods/p/proxy/`, {
      headers: { ...sent, ...identity, 'Keep-Alive': '3', 'Proxy-Authorization': 'z' },
    });
    expect(headers).toMatchObject({ cookie: 'a=b', 'x-own': '1, 2', 'x-forwarded-for': '192.0.2.1, 127.0.0.1' });
    expect(Object.keys(headers).sort()).toEqual(['cookie', 'host', 'x-forwarded-for', 'x-forwarded-uri', 'x-own']);
  });

  it('passes the status and the headers of the answer', async () => {
    const sent = {
      'Set-Cookie': ['a=1', 'b=2'],
      'Keep-Alive': 'x',
      'X-Hop': '1',
      Connection: 'X-Hop',
      Location: '/there',
    };
    far.behave = (response) => response.writeHead(418, 'Short and stout', sent).end('tea');
    const { status, headers, text } = await ask(server, `${core}/pods/p/proxy/`);
    expect([status, text, headers.location]).toEqual([418, 'tea', `${core}/pods/p/proxy/there`]);
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect([headers['x-hop'], headers['cache-control']]).toEqual([undefined, 'no-cache, private']);
  });

  it('upgrades', async () => {
    const head = upgrading('GET', `${core}/pods/p/proxy/socket?q`);
    const text = await exchange(server, [head, 'hello'], (all) => all.endsWith('hello'));
    expect(text).toContain('101 Switching Protocols');
    expect(far.take().url).toBe('/socket?q');
  });

  it('cuts the answer where the other end cuts it', async () => {
    far.behave = (response) =>
      response.writeHead(200, { 'Content-Length': '10' }).write('half', () => response.destroy());
    await expect(ask(server, `${core}/pods/p/proxy/`)).rejects.toThrow();
  });

  it.each([
    [`${core}/pods/p:81/proxy/`, 503, 'error trying to reach 10.244.0.5:81'],
    [`${core}/pods/p:99999/proxy/`, 400, '"99999" is no port'],
    [`${core}/pods/own/proxy/`, 400, 'address not allowed'],
    [`${core}/pods/meta/proxy/`, 400, 'address not allowed'],
    [`${core}/services/s:dead/proxy/`, 503, 'error trying to reach'],
    [`${core}/services/s/proxy/`, 503, 'no endpoints available for service "s"'],
    [`${core}/services/s:82/proxy/`, 503, 'no service port 82 found for service "s"'],
    [`${core}/services/stray:web/proxy/`, 503, 'no endpoints available for service "stray:web"'],
  ])('%s is %i', async (path, code, message) => {
    const { status, text } = await ask(server, path);
    expect([status, JSON.parse(text).message]).toEqual([code, expect.stringContaining(message)]);
  });
});

it.each([
  ['a request', undefined],
  ['a body', Readable.from(['all of it'])],
])('what takes %s and says nothing is 504', async (_, body) => {
  const call = { method: 'POST', path: '/', headers: [], body };
  const { signal } = new AbortController();
  const asked = exchangeWith(new Dialer(far.socketPath), { host: '10.244.0.5', port: 82 }, call, signal, 50);
  await expect(asked).rejects.toMatchObject({ code: 504, reason: 'Timeout' });
});

describe('a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relay-'));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it('verifies nodes where it is told what signs them', async () => {
    const { certificate } = await issueCertificate({ subject: { commonName: 'other' }, usage: 'authority' });
    for (const [ca, code] of [
      [far.ca, 200],
      [certificate, 503],
    ] as const) {
      await using own = await startWith({ kubeletCertificateAuthority: file('ca.crt', ca) });
      expect((await ask(own, `${core}/pods/p/log`)).status).toBe(code);
    }
  });

  it('shows nodes its certificate', async () => {
    const authority = await issueCertificate({ subject: { commonName: 'a' }, usage: 'authority' });
    const client = await issueCertificate({
      subject: { commonName: 'api-server' },
      usage: 'client',
      issuer: authority,
    });
    const asking = await FarEnd.start({ requestCert: true, rejectUnauthorized: true, ca: authority.certificate });
    const pair = {
      kubeletClientCertificate: file('client.crt', client.certificate),
      kubeletClientKey: file('client.key', client.key),
    };
    await using own = await startWith(pair, asking.socketPath);
    expect((await ask(own, `${core}/pods/p/log`)).status).toBe(200);
    expect(asking.take().client).toBe('api-server');
    await expect(startServer({ kubeletClientKey: pair.kubeletClientKey })).rejects.toThrow(
      '--kubelet-client-certificate is missing',
    );
    await asking.close();
  });

  it('stops within a second, whatever is open', async () => {
    const own = await startWith({});
    far.behave = (response) => response.writeHead(200).write('first\n');
    const token = own.token ?? '';
    const head = upgrading('GET', `${core}/pods/p/exec`).replace(server.token ?? '', token);
    const streams = [
      exchange(own, head),
      exchange(own, `GET ${core}/pods/p/log?follow=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`),
    ];
    await expect.poll(() => far.arrived.length).toBe(2);
    await own.close();
    await Promise.all(streams);
    await expect.poll(() => far.open.size).toBe(0);
  });
});
