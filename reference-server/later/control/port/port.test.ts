// The control port: each control over HTTP, as a test in another language would send it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFullServer } from '../../index.js';
import { type ControlPort, listenForControl } from './listen.js';

let server: Awaited<ReturnType<typeof startFullServer>>;
let port: ControlPort;

beforeAll(async () => {
  server = await startFullServer({ requests: true });
  const { controls } = server;
  if (controls === undefined) throw new Error('a server without controls');
  await controls.markStart();
  port = await listenForControl(controls, 0);
});
afterAll(async () => {
  await port.close();
  await server.close();
});

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look at fields of any kind.
  readonly body: any;
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  token = port.token,
  type = 'application/json',
): Promise<Answer> {
  const response = await fetch(port.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** Asks the server itself for the ConfigMaps of a namespace, and returns the status code. */
async function listed(): Promise<{ status: number; names: string[] }> {
  const { request } = await import('node:https');
  return await new Promise((resolve, reject) => {
    const sent = request(
      `${server.url}/api/v1/namespaces/default/configmaps`,
      { ca: server.caCertificate, headers: { authorization: `Bearer ${server.token}` } },
      (response) => {
        let text = '';
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () => {
          const { items = [] } = JSON.parse(text);
          const names = items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
          resolve({ status: response.statusCode ?? 0, names });
        });
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });

describe('the control port', () => {
  it('makes requests fail, counts them, and ends that', async () => {
    const { body: rule } = await send('POST', '/failures', { verb: 'list', resource: 'configmaps', status: 503 });
    expect((await listed()).status).toBe(503);
    expect((await send('GET', `/rules/${rule.id}`)).body).toEqual({ id: rule.id, calls: 1 });
    expect((await send('DELETE', `/rules/${rule.id}`)).status).toBe(200);
    expect((await listed()).status).toBe(200);
    expect((await send('GET', `/rules/${rule.id}`)).status).toBe(404);
  });

  it('stores objects, remembers them, and returns to them', async () => {
    const loaded = await send('POST', '/objects', [map('one'), map('two')]);
    expect(loaded.body.items.map((object: ReturnType<typeof map>) => object.metadata.name)).toEqual(['one', 'two']);
    const lenient = await send('POST', '/objects?fieldValidation=Ignore', { ...map('one'), dat: {} });
    expect(lenient.status).toBe(200);
    const { body: snapshot } = await send('POST', '/snapshots');
    await send('POST', '/objects', map('three'));
    expect((await listed()).names).toContain('three');
    expect((await send('POST', `/snapshots/${snapshot.id}/restore`)).status).toBe(200);
    const { body } = await send('GET', '/objects/configmaps?namespace=default');
    const names = body.items.map((object: ReturnType<typeof map>) => object.metadata.name);
    expect(names).toEqual(expect.arrayContaining(['one', 'two']));
    expect(names).not.toContain('three');
  });

  it('moves the clock', async () => {
    const { body: before } = await send('GET', '/clock');
    const { body: after } = await send('POST', '/clock/advance', { milliseconds: 3_600_000 });
    expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(3_600_000);
    expect((await send('PUT', '/clock', { now: '2040-01-01T00:00:00Z' })).body.now).toMatch(/^2040-01-01T00:0/);
    expect((await send('DELETE', '/clock')).body.now).not.toMatch(/^2040/);
  });

  it('tells the requests, and waits for one', async () => {
    await send('DELETE', '/requests');
    const waiting = send('GET', '/requests/wait?resource=configmaps&verb=list');
    await listed();
    expect((await waiting).body).toMatchObject({ verb: 'list', resource: 'configmaps', status: 200 });
    expect((await send('GET', '/requests?status=200&verb=list')).body.requests.length).toBe(1);
    const late = await send('GET', '/requests/wait?resource=pods&timeout=1');
    expect(late).toMatchObject({ status: 404, body: { error: expect.stringContaining('pods') } });
  });

  it('cuts watches, expires versions, delays, settles and resets', async () => {
    expect((await send('POST', '/watches/cut', {})).body).toEqual({ cut: expect.any(Number) });
    expect((await send('POST', '/compact')).body).toEqual({});
    expect((await send('POST', '/delays', { resource: 'pods', milliseconds: 1 })).body.calls).toBe(0);
    expect((await send('POST', '/settled')).body).toEqual({});
    expect((await send('POST', '/reset')).body).toEqual({});
    expect((await listed()).names).not.toContain('one');
  });

  it('returns one object', async () => {
    await send('POST', '/objects', map('only'));
    const { body } = await send('GET', '/objects/configmaps/only?namespace=default');
    expect(body.metadata.name).toBe('only');
    expect((await send('GET', '/objects/configmaps/only')).body).toEqual(body);
    const absent = await send('GET', '/objects/configmaps/none');
    expect([absent.status, absent.body.error]).toEqual([404, 'there is no none among the configmaps']);
  });

  it('forgets a snapshot', async () => {
    const { body } = await send('POST', '/snapshots');
    expect((await send('DELETE', `/snapshots/${body.id}`)).status).toBe(200);
    expect((await send('DELETE', `/snapshots/${body.id}`)).status).toBe(404);
    expect((await send('POST', `/snapshots/${body.id}/restore`)).status).toBe(404);
  });

  it('takes objects as YAML', async () => {
    const one = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
    const stored = await send(
      'POST',
      '/objects',
      `# two\n---\n${one('y1')}---\n${one('y2')}`,
      port.token,
      'application/yaml',
    );
    expect(stored.body.items.map(({ metadata }: ReturnType<typeof map>) => metadata.name)).toEqual(['y1', 'y2']);
    const wrong = await send('POST', '/objects', 'a: b: c', port.token, 'application/yaml');
    expect([wrong.status, wrong.body.error]).toEqual([400, expect.stringContaining('load: the body: ')]);
    const text = await send('POST', '/objects', one('y3'));
    expect([text.status, text.body.error]).toEqual([
      400,
      expect.stringMatching(/not JSON.*for YAML, send Content-Type: application\/yaml$/),
    ]);
    const other = await send('POST', '/failures', 'status: 500', port.token, 'application/yaml');
    expect([other.status, other.body.error]).toEqual([
      415,
      'POST /failures takes JSON: send Content-Type: application/json',
    ]);
  });

  it('says how far the clock came', async () => {
    const set = await send('PUT', '/clock', { now: '2040-01-01T00:00:00Z' });
    expect(set.body).toMatchObject({ now: expect.stringMatching(/^2040-01-01T00:00/), complete: true });
    const { body } = await send('POST', '/clock/advance', { milliseconds: 60_000, timers: 5, timeout: 1000 });
    expect(body).toEqual({
      now: expect.stringMatching(/^2040-01-01T00:01/),
      timers: expect.any(Number),
      until: expect.stringMatching(/^2040-01-01T00:01/),
      complete: true,
    });
    await send('DELETE', '/clock');
  });

  it.each([
    ['POST', '/reset'],
    ['POST', '/settled'],
    ['POST', '/snapshots'],
    ['POST', '/compact'],
    ['DELETE', '/requests'],
    ['GET', '/clock'],
  ])('%s %s takes no body', async (method, path) => {
    if (method !== 'GET') {
      const refused = await send(method, path, { now: 1 });
      expect([refused.status, refused.body.error]).toEqual([400, `${method} ${path} takes no body: unknown field now`]);
      for (const garbage of ['nonsense', '[]', '5']) expect((await send(method, path, garbage)).status).toBe(400);
      for (const none of ['{}', 'null']) expect((await send(method, path, none)).status).toBe(200);
    }
    expect((await send(method, path)).status).toBe(200);
  });

  it('describes all of that', async () => {
    const { body } = await send('GET', '/openapi.json');
    expect(body.openapi).toBe('3.0.3');
    expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(['/failures', '/rules/{id}', '/requests/wait']));
    expect(body.paths['/clock'].put.requestBody.content['application/json'].schema.properties).toEqual({
      now: { type: 'string' },
      timers: { type: 'integer' },
      timeout: { type: 'integer' },
    });
    const { parameters } = body.paths['/objects/{resource}/{name}'].get;
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual(['resource', 'name', 'namespace']);
    expect(Object.keys(body.paths['/objects'].post.requestBody.content)).toEqual([
      'application/json',
      'application/yaml',
    ]);
    expect(body.paths['/reset'].post).not.toHaveProperty('requestBody');
  });

  it.each<[string, string, string, unknown, number, RegExp]>([
    ['no such path', 'GET', '/nowhere', undefined, 404, /openapi\.json/],
    ['another method', 'PUT', '/failures', {}, 405, /takes POST/],
    ['a body that is not JSON', 'POST', '/failures', '{', 400, /not JSON/],
    ['an unknown field', 'POST', '/failures', { stauts: 500 }, 400, /stauts/],
    ['a resource that is none', 'POST', '/failures', { resource: 'pots', status: 500 }, 400, /pots/],
    ['an unknown field of an object', 'POST', '/objects', { ...map('m'), dat: {} }, 400, /unknown field "dat"/],
    ['an unknown field validation', 'POST', '/objects?fieldValidation=Warn', map('m'), 400, /there is no value Warn/],
    ['the path of a file', 'POST', '/objects', '"/etc/passwd"', 400, /give an object/],
    ['a snapshot that is none', 'POST', '/snapshots/99/restore', undefined, 404, /no snapshot 99/],
    ['a parameter that is none', 'GET', '/requests?verbs=list', undefined, 400, /no parameter verbs/],
    ['a number that is none', 'GET', '/requests?status=x', undefined, 400, /whole number/],
    ['a time that is none', 'PUT', '/clock', { now: 'soon' }, 400, /soon/],
    ['no time', 'PUT', '/clock', {}, 400, /give now/],
    ['a body that is a list', 'PUT', '/clock', [], 400, /not a JSON object/],
    ['a body that is null', 'POST', '/clock/advance', 'null', 400, /not a JSON object/],
    ['an unknown field of the clock', 'POST', '/clock/advance', { milliseconds: 1, by: 2 }, 400, /unknown field by/],
    ['no milliseconds', 'POST', '/clock/advance', {}, 400, /give milliseconds from 0/],
    [
      'a match that no request can have',
      'POST',
      '/delays',
      { resource: 'pods/stat', milliseconds: 1 },
      400,
      /pods has no/,
    ],
    ['a wait that is too long', 'GET', '/requests/wait?timeout=300001', undefined, 400, /timeout: give at most 300000/],
    ['a short name', 'GET', '/objects/cm/x', undefined, 400, /the plural is configmaps/],
    ['a namespace of a node', 'GET', '/objects/nodes/x?namespace=y', undefined, 400, /nodes are in no namespace/],
    ['broken encoding', 'GET', '/objects/%zz', undefined, 400, /encoded/],
  ])('refuses %s', async (_, method, path, body, status, message) => {
    const answer = await send(method, path, body);
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringMatching(message)]);
  });

  it('refuses another token, and none', async () => {
    expect((await send('GET', '/clock', undefined, 'other')).status).toBe(401);
    expect((await fetch(`${port.url}/clock`)).status).toBe(401);
  });
});
