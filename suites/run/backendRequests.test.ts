// Each request that a backend received is recorded with the exchange that caused the request, without credentials.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunFixtures, startFixtures } from '../../cli/run/fixtures.js';
import { standInUrl } from '../fixtures/fixtures.js';
import type { Exchange, Subject } from '../requirements/index.js';
import { type NodeRecord, startNodeRecord } from '../stand-ins/node.js';
import { withBackendRequests } from './backendRequests.js';
import { Context } from './context.js';

const worker = 'kac-abc123-w0';
const logOf = (name: string) => `/api/v1/namespaces/${worker}-main/pods/${worker}-${name}/log`;
const subject: Subject = { id: 'server', resource: 'server' };

let server: Server;
let record: NodeRecord;
let fixtures: RunFixtures;
let context: Context;
const directory = mkdtempSync(join(tmpdir(), 'other-ends-'));

beforeAll(async () => {
  server = createServer((request, response) => {
    const asked = request.url === '/asks' ? askIdentityService(request.headers.authorization) : Promise.resolve();
    asked.finally(() => response.end('{}'));
  }).listen(0, '127.0.0.1');
  record = await startNodeRecord();
  fixtures = await startFixtures(undefined, 'k8s.io', 'ec');
  context = new Context(
    {
      runId: 'abc123',
      directory,
      target: {
        ...{ name: 'here', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, credentials: {} },
        ...{ vendor: 'kubernetes', domains: { authentication: 'k8s.io', secretType: 'kubernetes.io' } },
        ...{ notSupported: [], deviations: [], disposable: false },
      },
      node: { name: 'n', controlUrl: record.controlUrl },
      authentication: { fixtures: fixtures.fixtures, controlUrl: fixtures.controlUrl },
    },
    '0',
  );
});
afterAll(async () => {
  await context.client.close();
  await fixtures.close();
  await record.close();
  server.close();
  rmSync(directory, { recursive: true });
});

/** Asks about the user whom the client shows, as a server would; about somebody if the client shows none. */
async function askIdentityService(authorization = `Basic ${btoa('somebody:a-password-of-somebody')}`): Promise<void> {
  const [username, password] = atob(authorization.slice('Basic '.length)).split(':');
  const passwordCredentials = { username, password };
  const url = `${standInUrl(fixtures.fixtures, 'identityService')}/tokens`;
  const headers = { 'content-type': 'application/json' };
  // the certificate of the stand-in is not under test here
  const asked = request(url, { method: 'POST', headers, rejectUnauthorized: false, agent: false });
  asked.end(JSON.stringify({ auth: { passwordCredentials } }));
  const [response] = await once(asked, 'response');
  await once(response.resume(), 'end');
}

const seenAtNode = (to: string, path: string) =>
  record.add({ to, method: 'GET', path, headers: { authorization: 'Bearer secret' }, ended: Promise.resolve() });
const shown = (exchanges: readonly Exchange[]) =>
  exchanges.map(({ standIn = [] }) => standIn.map(({ by, request }) => `${by} ${request.method} ${request.url}`));

it('attaches the requests at the node to the exchange that caused them', async () => {
  for (const path of [logOf('1'), logOf('2'), `/api/v1/namespaces/x/services/y/proxy/a`]) {
    await context.client.send({ method: 'GET', path: `${path}?tailLines=1` });
  }
  for (const name of ['2', '1']) seenAtNode('node n', `/containerLogs/${worker}-main/${worker}-${name}/c?tailLines=1`);
  seenAtNode(`pod ${worker}-main/${worker}-3`, '/a?tailLines=1');
  seenAtNode('node n', '/containerLogs/kac-abc123-w1-main/another-workers/c');
  const exchanges = await withBackendRequests(context, { ...subject, node: 'running' }, context.client.takeExchanges());
  expect(shown(exchanges)).toEqual([
    [`node: ours (node n) GET /containerLogs/${worker}-main/${worker}-1/c?tailLines=1`],
    [`node: ours (node n) GET /containerLogs/${worker}-main/${worker}-2/c?tailLines=1`],
    [`node: ours (pod ${worker}-main/${worker}-3) GET /a?tailLines=1`],
  ]);
  expect(JSON.stringify(exchanges)).not.toMatch(/secret|sha256/);
});

it('keeps the first of many', async () => {
  await context.client.send({ method: 'GET', path: logOf('many') });
  for (let count = 0; count < 50; count++) seenAtNode('node n', `/containerLogs/${worker}-main/${worker}-many/c`);
  const [exchange] = await withBackendRequests(
    context,
    { ...subject, node: 'running' },
    context.client.takeExchanges(),
  );
  expect(exchange?.standIn).toHaveLength(10);
});

it('attaches the reviews of a credential to the exchange that carried it, without the secret', async () => {
  const users = ['somebody', 'else'];
  for (const username of users) {
    const password = `a-password-of-${username}`;
    context.client.redactor.add(password);
    await context.client.send({ method: 'GET', path: '/asks', as: { username, password } });
  }
  const about: Subject = { ...subject, mechanism: 'identityServicePassword' };
  const exchanges = await withBackendRequests(context, about, context.client.takeExchanges());
  const asked = expect.stringMatching(/^identityService POST .*\/tokens$/);
  expect(shown(exchanges)).toEqual([[asked], [asked]]);
  for (const [index, username] of users.entries()) {
    const text = `"username":"${username}","password":"<redacted>"`;
    expect(exchanges[index]?.standIn?.[0]?.request.body?.text).toContain(text);
  }
});

it('attaches no reviews of other credentials to an exchange without a token and a user', async () => {
  await context.client.send({ method: 'GET', path: '/asks', as: {} });
  const about: Subject = { ...subject, mechanism: 'identityServicePassword' };
  expect(shown(await withBackendRequests(context, about, context.client.takeExchanges()))).toEqual([[]]);
});

it('asks no backend for a subject without a node', async () => {
  await context.client.send({ method: 'GET', path: logOf('1') });
  seenAtNode('node n', `/containerLogs/${worker}-main/${worker}-1/c`);
  expect(shown(await withBackendRequests(context, subject, context.client.takeExchanges()))).toEqual([[]]);
});
