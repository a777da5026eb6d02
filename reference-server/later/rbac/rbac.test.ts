// The mode RBAC: requests, reviews and grants as a table, which cli/serve/rbacKubeApiserver.test.ts holds against a real server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';
import { rbacBody, rbacDifferences, rbacExchanges, type SendRbac } from '../testing/rbacExchanges.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer({ authorizationMode: 'RBAC' });
});
afterAll(() => server.close());

const send: SendRbac = async ({ method, path, body }, headers) => {
  const sent = { method, ...(body && { body: JSON.stringify(body) }) };
  const { status, text } = await ask(server, path, {
    ...sent,
    headers: { authorization: `Bearer ${server.token}`, ...headers },
  });
  return { code: status, body: rbacBody(text) };
};

describe('a server with roles', () => {
  it.each(Object.entries(rbacExchanges))('answers as the table says: %s', async (_what, list) => {
    expect(await rbacDifferences(list, send)).toEqual([]);
  });
});
