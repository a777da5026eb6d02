// The page at `/` for browsers; clients of the API get the list of paths.
import { once } from 'node:events';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../testing/standIn.js';
import { type ControlledServer, startControlled } from './testing/controlled.js';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let started: ControlledServer;
beforeAll(async () => {
  started = await startControlled({ basePath: '/k8s' });
});
afterAll(() => started.server.close());

it.each([browser, 'text/html', 'text/html;q=0.9, application/json;q=0.1'])('is for %s', async (accept) => {
  const { status, headers, text } = await ask(started.server, '/k8s/', { headers: { accept } });
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).toContain('kubectl --kubeconfig FILE get namespaces');
  expect(text).toContain(`<code>https://127.0.0.1:${started.server.port}/k8s</code>`);
  for (const path of ['/version', '/apis', '/openapi/v3', '/metrics', '/healthz'])
    expect(text).toContain(`<a href="/k8s${path}">`);
  expect(text).not.toContain(started.server.token);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /);
  expect(text).not.toMatch(/<script|<img|<link|style=/);
});

it.each([undefined, '*/*', 'application/json', 'application/json, text/html', 'application/yaml, */*'])(
  'is not for %s',
  async (accept) => {
    const headers = accept === undefined ? {} : { accept };
    const reply = await ask(started.server, '/k8s/', { headers });
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(reply.text).paths).toContain('/apis');
  },
);

it('leads to pages that exist', async () => {
  const { text } = await ask(started.server, '/k8s/', { headers: { accept: browser } });
  const links = [...text.matchAll(/href="([^"]+)"/g)]
    .map(([, link = '']) => link)
    .filter((link) => link.startsWith('/'));
  expect(links.length).toBeGreaterThan(6);
  for (const link of links) expect((await ask(started.server, link, { headers: { accept: '*/*' } })).status).toBe(200);
});

it('has the kinds with objects, and their numbers', async () => {
  const shown = async () => (await ask(started.server, '/k8s/', { headers: { accept: browser } })).text;
  const secrets = async () =>
    Number(/<a href="\/k8s\/api\/v1\/secrets">secrets<\/a>: (\d+)</.exec(await shown())?.[1] ?? 0);
  const before = await secrets();
  const create = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify({ metadata: { generateName: 'a-' } });
  await ask(started.server, '/k8s/api/v1/namespaces/default/secrets', { ...create, body });
  await ask(started.server, '/k8s/api/v1/namespaces/default/secrets', { ...create, body });
  expect(await secrets()).toBe(before + 2);
  expect(await shown()).toMatch(/<a href="\/k8s\/api\/v1\/namespaces">namespaces<\/a>: \d/);
  expect(await shown()).toMatch(/<p>\d+ other kinds have none\.<\/p>/);
});

it('shows what a client calls itself as text', async () => {
  const { caCertificate: ca, port, token } = started.server;
  const headers = { accept: browser, host: '"><script>alert(1)</script>', authorization: `Bearer ${token}` };
  const sent = request({ host: '127.0.0.1', servername: 'localhost', port, ca, path: '/k8s/', headers }).end();
  const [response] = await once(sent, 'response');
  const page = await text(response);
  expect(page).not.toContain('<script');
  expect(page).toContain('&lt;script&gt;');
});

it('says without credentials only how to send them', async () => {
  const headers = { accept: browser };
  const { status, text } = await ask(started.server, '/k8s/', { headers, anonymous: true });
  expect(status).toBe(401);
  expect(text).toContain('refuses requests without credentials');
  expect(text).toContain('kubectl --kubeconfig FILE get namespaces');
  expect(text).not.toMatch(/href="\/|Kubernetes \d|ca\.crt|TOKEN/);
  const json = await ask(started.server, '/k8s/', { headers: { accept: 'application/json' }, anonymous: true });
  expect(JSON.parse(json.text).reason).toBe('Unauthorized');
});

it('is not a page of other paths', async () => {
  const headers = { accept: browser };
  const other = await ask(started.server, '/k8s/apis', { headers, anonymous: true });
  expect([other.status, other.headers['content-type']]).toEqual([401, 'application/json']);
  expect((await ask(started.server, '/k8s/nowhere', { headers })).headers['content-type']).toBe('application/json');
});
