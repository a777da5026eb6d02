// Tests the requests that `--crash-on` matches, and `--latency`.
import { expect, it } from 'vitest';
import { startServer } from '../server.js';
import { ask } from '../testing/standIn.js';
import { latency, requestMatcher } from './faultInjection.js';

it.each([
  ['PUT /api/v1/namespaces/*/configmaps/*', 'PUT', '/api/v1/namespaces/a/configmaps/b', true],
  ['PUT /api/v1/namespaces/*/configmaps/*', 'GET', '/api/v1/namespaces/a/configmaps/b', false],
  ['PUT /api/v1/namespaces/*/configmaps/*', 'PUT', '/api/v1/namespaces/a/configmaps/b/c', false],
  ['* /api/v1/nodes', 'DELETE', '/api/v1/nodes', true],
  ['GET /a.b', 'GET', '/aXb', false],
  ['GET /api/v1/*/a-*', 'GET', '/api/v1/nodes/a-1', true],
])('%s: %s %s', (crashOn, method, path, crashes) => {
  expect(requestMatcher(crashOn)(method, path)).toBe(crashes);
});

it.each(['PUT', 'put /a'])('refuses %s', (text) => {
  expect(() => requestMatcher(text)).toThrow(`--crash-on: "${text}" is not understood`);
});

it('is before every response', async () => {
  await using server = await startServer({ latency: 300 });
  const started = performance.now();
  expect((await ask(server, '/api/v1')).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThanOrEqual(299);
});

it.each([-1, 10_001, 0.5])('refuses %d', (milliseconds) => {
  expect(() => latency(milliseconds)).toThrow(
    `--latency: ${milliseconds} is not a number of milliseconds from 0 to 10000`,
  );
});
