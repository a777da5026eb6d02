import { expect, it } from 'vitest';
import { requestMatcher } from './crash.js';

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
