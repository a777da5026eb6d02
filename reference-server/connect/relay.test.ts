// Tests the traffic between clients and nodes: logs and streams.
import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { describe, expect, it } from 'vitest';
import { upgrading, useBackend } from '../testing/backendCluster.js';
import { ask, exchange } from '../testing/standIn.js';

const core = '/api/v1/namespaces/default';
const cluster = useBackend();

describe('a log', () => {
  it.each([
    ['', ''],
    ['?pretty=true&container=c', ''],
    ['?follow=true&previous=1&timestamps=yes', '?follow=true&previous=true&timestamps=true'],
    ['?follow=false&previous=0&timestamps=False', ''],
    ['?sinceSeconds=5&tailLines=0&limitBytes=2147483647', '?sinceSeconds=5&tailLines=0&limitBytes=2147483647'],
    ['?sinceTime=2026-01-01T00:00:00.5Z', '?sinceTime=2026-01-01T00%3A00%3A00.5Z'],
  ])('%s is requested from the node', async (query, asked) => {
    const { status, text, headers } = await ask(cluster.server, `${core}/pods/p/log${query}`);
    expect([status, headers['content-type']]).toEqual([200, 'text/plain']);
    const { to, encrypted, method, url } = cluster.backend.take();
    expect([to, encrypted, method, url]).toEqual([
      '10.250.0.1:10250',
      true,
      'GET',
      `/containerLogs/default/p/c${asked}`,
    ]);
    expect(text).not.toContain(cluster.server.token);
  });

  it.each([
    [400, 'BadRequest', 'previous terminated container "c" in pod "p" not found'],
    [404, 'NotFound', 'pod "p" not found'],
    [500, 'InternalError', 'broken'],
    [302, 'ServiceUnavailable', 'the node answers 302'],
  ])('that the node refuses with %i is a Status', async (code, reason, message) => {
    cluster.backend.behave = (response) =>
      response.writeHead(code, { Location: 'http://127.0.0.1/' }).end(`${message}\n`);
    const { status, text } = await ask(cluster.server, `${core}/pods/p/log`);
    expect(JSON.parse(text)).toMatchObject({ kind: 'Status', reason, message });
    expect(status).toBe(code < 400 ? 503 : code);
  });

  it('arrives as it is written, and ends at the node when the client leaves', async () => {
    cluster.backend.behave = (response) => response.writeHead(200).write('first\n');
    const asked = httpsRequest({
      port: cluster.server.port,
      ca: cluster.server.caCertificate,
      path: `${core}/pods/p/log?follow=1`,
      agent: false,
    });
    asked.on('error', () => {}).setHeader('authorization', `Bearer ${cluster.server.token}`);
    const [response] = await once(asked.end(), 'response');
    expect(String((await once(response, 'data'))[0])).toBe('first\n');
    const [connection] = cluster.backend.open;
    const left = once(connection as never, 'close');
    asked.destroy();
    await left;
  });

  it('is read no faster than the client reads', async () => {
    let written = 0;
    cluster.backend.behave = (response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write(Buffer.alloc(65_536))) written += 65_536;
        response.once('drain', more);
      };
      more();
    };
    const asked = httpsRequest({
      port: cluster.server.port,
      ca: cluster.server.caCertificate,
      path: `${core}/pods/p/log?follow=1`,
      agent: false,
    });
    asked.on('error', () => {}).setHeader('authorization', `Bearer ${cluster.server.token}`);
    await once(asked.end(), 'response');
    const seen: number[] = [];
    const pauses = () => seen.push(written) > 1 && seen.at(-1) === seen.at(-2);
    await expect.poll(pauses, { interval: 100 }).toBe(true);
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
      const head = upgrading(cluster.server, method, `${core}/pods/p/${operation}?${query}`);
      const text = await exchange(cluster.server, [`${head}early`, ' and late'], (all) =>
        all.endsWith('early and late'),
      );
      expect(text).toMatch(
        /^HTTP\/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\nX-Backend: test\r\n/,
      );
      const arrived = cluster.backend.take();
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
  ])('over SPDY with "%s" does not wait for streams that the client does not open', async (query, asked) => {
    await exchange(
      cluster.server,
      upgrading(cluster.server, 'POST', `${core}/pods/p/attach?${query}`, ['Upgrade: SPDY/3.1']),
      (all) => all !== '',
    );
    expect(cluster.backend.take().url).toBe(`/attach/default/p/c?${asked}`);
  });

  it('carries no token in a subprotocol', async () => {
    const offered = `Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.${Buffer.from(cluster.server.token ?? '').toString('base64url')}, v4.channel.k8s.io`;
    await exchange(
      cluster.server,
      upgrading(cluster.server, 'GET', `${core}/pods/p/exec`, ['Upgrade: websocket', offered]),
      (all) => all !== '',
    );
    expect(cluster.backend.take().headers['sec-websocket-protocol']).toBe('v4.channel.k8s.io');
  });

  it('that the node refuses has the response of the node', async () => {
    cluster.backend.switch = (socket) =>
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nno such thing');
    const text = await exchange(cluster.server, upgrading(cluster.server, 'POST', `${core}/pods/p/exec?command=ls`));
    expect(text).toMatch(/^HTTP\/1.1 404 Not Found\r\n.*\r\n\r\nno such thing$/s);
  });

  it.each(['GET', 'POST'])('needs an upgrade: %s', async (method) => {
    const { status, text } = await ask(cluster.server, `${core}/pods/p/exec?command=ls`, { method });
    expect([status, JSON.parse(text).message]).toEqual([400, 'Upgrade request required']);
  });

  it('ends for the client when the node ends it, after all output', async () => {
    const said = 'x'.repeat(3_000_000);
    cluster.backend.switch = (socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
      socket.resume().end(said);
    };
    const text = await exchange(cluster.server, [upgrading(cluster.server, 'GET', `${core}/pods/p/exec`), 'unread']);
    expect(text.endsWith(`\r\n\r\n${said}`)).toBe(true);
  });

  it('ends for the node when the client leaves', async () => {
    await exchange(cluster.server, upgrading(cluster.server, 'GET', `${core}/pods/p/exec`), (all) =>
      all.includes('\r\n\r\n'),
    );
    await expect.poll(() => cluster.backend.open.size).toBe(0);
  });
});
