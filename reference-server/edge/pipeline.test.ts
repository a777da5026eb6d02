import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { badRequest } from '../errors.js';
import type { RunningServer } from '../server.js';
import { type Ask, ask, exchange, startStandIn } from '../testing/standIn.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startStandIn({
    replaceStatus: () => {
      throw new TypeError('a secret in a bug');
    },
    patchStatus: () => Promise.reject(badRequest('no')),
    exec: () => ({ relay: () => {} }),
  });
});
afterAll(() => server.close());

const configmaps = '/api/v1/namespaces/ns/configmaps';
const json = async (path: string, options?: Ask) => {
  const { status, text } = await ask(server, path, options);
  return { status, body: JSON.parse(text) as Record<string, unknown> };
};
const sent = { body: '{"a":1}', headers: { 'Content-Type': 'application/json' } };

describe('a request on behalf of another user', () => {
  let plain: RunningServer;
  beforeAll(async () => {
    plain = await startStandIn();
  });
  afterAll(() => plain.close());

  it.each([
    ['Impersonate-User', 'jane'],
    ['Impersonate-Group', 'system:masters'],
    ['impersonate-extra-scopes', 'read'],
    ['IMPERSONATE-UID', '1'],
  ])('by %s is refused', async (name, value) => {
    for (const path of ['/api/v1/namespaces', '/healthz', '/no/such/path']) {
      const { status, text } = await ask(plain, path, { headers: { [name]: value } });
      expect([status, JSON.parse(text)]).toEqual([
        403,
        expect.objectContaining({
          reason: 'Forbidden',
          message: `impersonation is not supported: send the request without ${name.toLowerCase()}`,
        }),
      ]);
    }
    const { status } = await ask(plain, '/api/v1/namespaces', { headers: { [name]: value }, anonymous: true });
    expect(status).toBe(401);
  });
});

describe('a request', () => {
  it('reaches its handler with path, user and body', async () => {
    const { status, body } = await json(configmaps, { method: 'POST', ...sent });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      verb: 'create',
      operation: 'POST /api/v1/namespaces/{namespace}/configmaps',
      path: { namespace: 'ns' },
      user: { name: 'admin', groups: ['system:masters', 'system:authenticated'] },
      body: { mediaType: 'application/json', value: { a: 1 } },
    });
  });

  it('is answered with the headers that servers send', async () => {
    const { headers, text } = await ask(server, `${configmaps}/a`);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-cache, private',
      'content-length': String(Buffer.byteLength(text)),
    });
    expect(headers.date).toBeDefined();
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers.etag).toBeUndefined();
    expect(text.endsWith('}\n')).toBe(true);
  });

  it.each([
    ['asked for', '?pretty=true', undefined, true],
    ['asked for as 1', '?pretty=1', undefined, true],
    ['not asked for', '', undefined, false],
    ['refused', '?pretty=false', 'curl/8', false],
    ['by a person', '', 'curl/8', true],
    ['by a browser', '', 'Mozilla/5.0 (X11)', true],
    ['by a client', '', 'kubectl/1.32', false],
  ])('is pretty if %s', async (_, query, agent, pretty) => {
    const headers = agent === undefined ? {} : { 'User-Agent': agent };
    const { text } = await ask(server, `${configmaps}/a${query}`, { headers });
    expect(text.startsWith('{\n  "kind"')).toBe(pretty);
  });

  it('keeps its connection', async () => {
    const one = `GET ${configmaps}/a HTTP/1.1\r\nHost: x\r\nAuthorization: bearer ${server.token}\r\n\r\n`;
    const text = await exchange(server, [one, one], (all) => all.split('"kind":"Echo"').length === 3);
    expect(text).not.toMatch(/Connection: close/i);
  });
});

describe('errors', () => {
  it.each([
    ['a path that is not served', 'GET', '/api/v1/nosuch', {}, 404, 'NotFound'],
    ['a group that is not served', 'GET', '/apis/nosuch/v1/foo', {}, 404, 'NotFound'],
    ['a segment that does not decode', 'GET', `${configmaps}/a%zz`, {}, 400, 'BadRequest'],
    ['a name that climbs', 'GET', `${configmaps}/%2e%2e`, {}, 400, 'BadRequest'],
    ['a method that the path has not', 'PUT', configmaps, {}, 405, 'MethodNotAllowed'],
    ['a method that is unknown', 'PURGE', configmaps, {}, 405, 'MethodNotAllowed'],
    ['OPTIONS', 'OPTIONS', configmaps, {}, 405, 'MethodNotAllowed'],
    [
      'an answer that no codec writes',
      'GET',
      `${configmaps}/a`,
      { headers: { Accept: 'text/html' } },
      406,
      'NotAcceptable',
    ],
    [
      'a body that no codec reads',
      'POST',
      configmaps,
      { ...sent, headers: { 'Content-Type': 'text/plain' } },
      415,
      'UnsupportedMediaType',
    ],
    [
      'a type with a parameter without a value',
      'POST',
      configmaps,
      { ...sent, headers: { 'Content-Type': 'application/json;foo' } },
      415,
      'UnsupportedMediaType',
    ],
    ['a patch of no patch type', 'PATCH', `${configmaps}/a`, sent, 415, 'UnsupportedMediaType'],
    ['a patch without a type', 'PATCH', `${configmaps}/a`, { body: '{}' }, 415, 'UnsupportedMediaType'],
    [
      'a compressed body',
      'POST',
      configmaps,
      { ...sent, headers: { 'Content-Encoding': 'gzip' } },
      415,
      'UnsupportedMediaType',
    ],
    ['a missing body', 'POST', configmaps, {}, 400, 'BadRequest'],
    [
      'a missing patch',
      'PATCH',
      `${configmaps}/a`,
      { headers: { 'Content-Type': 'application/merge-patch+json' } },
      400,
      'BadRequest',
    ],
    ['malformed JSON', 'POST', configmaps, { ...sent, body: '{"a":' }, 400, 'BadRequest'],
    [
      'malformed YAML',
      'POST',
      configmaps,
      { body: 'a: [', headers: { 'Content-Type': 'application/yaml' } },
      400,
      'BadRequest',
    ],
    ['garbage as delete options', 'DELETE', `${configmaps}/a`, { body: 'garbage' }, 400, 'BadRequest'],
    [
      'a handler that rejects',
      'PATCH',
      '/apis/batch/v1/namespaces/ns/jobs/a/status',
      { body: '{}', headers: { 'Content-Type': 'application/merge-patch+json' } },
      400,
      'BadRequest',
    ],
    ['a bug', 'PUT', '/apis/batch/v1/namespaces/ns/jobs/a/status', sent, 500, 'InternalError'],
    ['an exec without an upgrade', 'GET', '/api/v1/namespaces/ns/pods/p/exec', {}, 400, 'BadRequest'],
  ] as const)('%s: %s %s', async (_, method, path, options: Ask, status, reason) => {
    const reply = await json(path, { method, ...options });
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code: status });
    expect(JSON.stringify(reply.body)).not.toContain('secret');
  });

  it('of a compressed transfer are 501', async () => {
    const head = `POST ${configmaps} HTTP/1.1\r\nHost: x\r\nAuthorization: bearer ${server.token}\r\nTransfer-Encoding: gzip, chunked\r\n`;
    const text = await exchange(server, `${head}\r\n2\r\n{}\r\n0\r\n\r\n`, (all) => all.includes('"code"'));
    expect(text).toMatch(/^HTTP\/1\.1 501 /);
  });

  it('of an unknown method are 405', async () => {
    const text = await exchange(server, `FOO ${configmaps} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1.1 405 .*"reason":"MethodNotAllowed"/s);
  });

  it('name the kind of a body and the invalid field', async () => {
    const { body } = await json(configmaps, { method: 'POST', ...sent, body: 'not json' });
    expect(body.message).toBe(
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: " +
        "invalid character 'o' in literal null (expecting 'u') (line 1, column 2)",
    );
  });

  it('have the requested media type', async () => {
    const { headers, text } = await ask(server, '/api/v1/nosuch', { headers: { Accept: 'application/yaml' } });
    expect(headers['content-type']).toBe('application/yaml');
    expect(text).toContain('reason: NotFound\n');
  });

  it('of the method list the allowed methods', async () => {
    const { headers } = await ask(server, configmaps, { method: 'PUT' });
    expect(headers.allow).toBe('GET, DELETE, POST');
  });

  it('of the path list the known paths', async () => {
    const { status, body } = await json('/nosuch');
    expect(status).toBe(404);
    expect(body.paths).toContain('/apis/extensions/v1beta1');
  });

  it('for a HEAD have no body', async () => {
    const { status, headers, text } = await ask(server, configmaps, { method: 'HEAD' });
    expect([status, text]).toEqual([405, '']);
    expect(Number(headers['content-length'])).toBeGreaterThan(100);
  });
});

describe('a request without a valid credential', () => {
  it.each([
    ['no credential', {}],
    ['another token', { Authorization: 'Bearer wrong' }],
    ['an empty token', { Authorization: 'Bearer ' }],
    ['another scheme', { Authorization: 'Basic YTpi' }],
  ])('but %s gets 401, whatever the path', async (_, headers) => {
    for (const path of [configmaps, '/healthz', '/nosuch', '/', '/api/v1/namespaces/%zz']) {
      const { status, text, headers: got } = await ask(server, path, { anonymous: true, headers });
      expect([path, status]).toEqual([path, 401]);
      expect(text).toBe(
        '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}\n',
      );
      expect(got['content-length']).toBe('129');
    }
  });
});

describe('optional bodies', () => {
  it.each([
    ['absent', {}],
    ['empty', { body: '' }],
  ])('may be %s', async (_, options) => {
    const { status, body } = await json(`${configmaps}/a`, { method: 'DELETE', ...options });
    expect([status, body.body]).toEqual([200, undefined]);
  });

  it('are delete options for every delete', async () => {
    const { status, body } = await json('/api/v1/namespaces/ns/services/s', { method: 'DELETE', ...sent });
    expect([status, body.verb, body.body]).toEqual([
      200,
      'deletePlain',
      { mediaType: 'application/json', value: { a: 1 } },
    ]);
  });
});
