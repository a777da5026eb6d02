// Tests the traffic between clients and proxied pods, services and nodes.
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { upgrading, useBackend } from '../testing/backendCluster.js';
import { ask, dial, exchange } from '../testing/standIn.js';

const core = '/api/v1/namespaces/default';
const cluster = useBackend();

describe('a proxy', () => {
  const arrivedBy = async (path: string, call: Parameters<typeof ask>[2] = {}) => {
    const { status, text } = await ask(cluster.server, path, call);
    expect([status, text]).toEqual([200, expect.any(String)]);
    return cluster.backend.take();
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
    const head = `${method} ${core}/pods/p/proxy/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${cluster.server.token}\r\n`;
    const chunked = `${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n`;
    expect(await exchange(cluster.server, chunked)).toContain('200 OK');
    expect(cluster.backend.take()).toMatchObject({ method, body: 'onetwo' });
  });

  it('HEAD', async () => {
    const { status, text, headers } = await ask(cluster.server, `${core}/pods/p/proxy/x`, { method: 'HEAD' });
    expect([status, text, headers['x-backend']]).toEqual([200, '', 'test']);
  });

  it('passes headers, except credentials and hop-by-hop headers', async () => {
    const sent = { Cookie: 'a=b', 'X-Own': ['1', '2'], Connection: 'close, X-Hop', 'X-Hop': '1', TE: 'trailers' };
    const identity = { 'X-Remote-User': 'joe', 'X-Remote-Extra-X': 'y', 'X-Forwarded-For': '192.0.2.1' };
    const { headers } = await arrivedBy(`${core}/pods/p/proxy/`, {
      headers: { ...sent, ...identity, 'Keep-Alive': '3', 'Proxy-Authorization': 'z' },
    });
    expect(headers).toMatchObject({ cookie: 'a=b', 'x-own': '1, 2', 'x-forwarded-for': '192.0.2.1, 127.0.0.1' });
    expect(Object.keys(headers).sort()).toEqual(['cookie', 'host', 'x-forwarded-for', 'x-forwarded-uri', 'x-own']);
  });

  it('passes the status and the headers of the response', async () => {
    const sent = {
      'Set-Cookie': ['a=1', 'b=2'],
      'Keep-Alive': 'x',
      'X-Hop': '1',
      Connection: 'X-Hop',
      Location: '/there',
    };
    cluster.backend.behave = (response) => response.writeHead(418, 'Short and stout', sent).end('tea');
    const { status, headers, text } = await ask(cluster.server, `${core}/pods/p/proxy/`);
    expect([status, text, headers.location]).toEqual([418, 'tea', `${core}/pods/p/proxy/there`]);
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect([headers['x-hop'], headers['cache-control']]).toEqual([undefined, 'no-cache, private']);
  });

  it.each([
    ['text/html; charset=utf-8', '', 'GET', 200, true],
    ['text/html', 'gzip', 'GET', 404, true],
    ['text/html', 'br', 'GET', 200, false],
    ['text/plain', '', 'GET', 200, false],
    ['text/html', '', 'HEAD', 200, false],
  ])('links lead through the proxy: %s %s %s %i', async (type, encoding, method, status, isRewritten) => {
    const sent = Buffer.from('<a href="/x?a=1&amp;b">1</a><p title=/x><img src=/i.png>é');
    const [through, image] = isRewritten ? [`${core}/pods/p/proxy/x`, `${core}/pods/p/proxy/i.png`] : ['/x', '/i.png'];
    const body = encoding === 'gzip' ? gzipSync(sent) : sent;
    cluster.backend.behave = (response) =>
      response
        .writeHead(status, {
          'Content-Type': type,
          'Content-Length': body.length,
          ...(encoding && { 'Content-Encoding': encoding }),
        })
        .end(body);
    const head = `${method} ${core}/pods/p/proxy/ HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer ${cluster.server.token}\r\n\r\n`;
    const socket = await dial(cluster.server);
    socket.write(head);
    const received = await buffer(socket);
    cluster.backend.take();
    const content = received.subarray(received.indexOf('\r\n\r\n') + 4);
    const text = String(encoding === 'gzip' ? gunzipSync(content) : content);
    expect(received.toString()).toContain(` ${status} `);
    const expected = `<a href="${through}?a=1&amp;b">1</a><p title=/x><img src=${image}>é`;
    expect(text).toBe(method === 'HEAD' ? '' : expected);
  });

  it('upgrades', async () => {
    const head = upgrading(cluster.server, 'GET', `${core}/pods/p/proxy/socket?q`);
    const text = await exchange(cluster.server, [head, 'hello'], (all) => all.endsWith('hello'));
    expect(text).toContain('101 Switching Protocols');
    expect(cluster.backend.take().url).toBe('/socket?q');
  });

  it('cuts the response where the backend cuts it', async () => {
    cluster.backend.behave = (response) =>
      response.writeHead(200, { 'Content-Length': '10' }).write('half', () => response.destroy());
    await expect(ask(cluster.server, `${core}/pods/p/proxy/`)).rejects.toThrow();
  });

  it.each([
    [`${core}/pods/p:81/proxy/`, 503, 'error trying to reach 10.244.0.5:81'],
    [`${core}/pods/p:99999/proxy/`, 400, '"99999" is not a port'],
    [`${core}/pods/own/proxy/`, 400, 'address not allowed'],
    [`${core}/pods/meta/proxy/`, 400, 'address not allowed'],
    [`${core}/services/s:dead/proxy/`, 503, 'error trying to reach'],
    [`${core}/services/s/proxy/`, 503, 'no endpoints available for service "s"'],
    [`${core}/services/s:82/proxy/`, 503, 'no service port 82 found for service "s"'],
    [`${core}/services/stray:web/proxy/`, 503, 'no endpoints available for service "stray:web"'],
  ])('%s is %i', async (path, code, message) => {
    const { status, text } = await ask(cluster.server, path);
    expect([status, JSON.parse(text).message]).toEqual([code, expect.stringContaining(message)]);
  });
});
