import { afterAll, describe, expect, it } from 'vitest';
import { startServer } from '../server.js';
import type { AnyShape } from '../testing/anyShape.js';
import { type Ask, ask } from '../testing/standIn.js';

const tokens = [
  { token: 'admin-token', user: { name: 'admin', groups: ['system:masters'] } },
  { token: 'bob-token', user: { name: 'bob', groups: ['devs'] } },
];
const server = await startServer({ tokens, anonymousAuth: true, authorizationMode: 'RBAC' });
afterAll(() => server.close());

const call = async (path: string, options: Ask = {}) => {
  const { status, text } = await ask(server, path, options);
  return { status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as AnyShape };
};
const anonymous = { anonymous: true };
const as = (authorization: string): Ask => ({ headers: { authorization } });
const cannot = 'User "system:anonymous" cannot';

describe('RBAC with the roles of a fresh cluster', () => {
  it.each([
    ['GET', '/api/v1', `forbidden: ${cannot} get path "/api/v1"`, {}],
    ['GET', '/', `forbidden: ${cannot} get path "/"`, {}],
    ['POST', '/version', `forbidden: ${cannot} post path "/version"`, {}],
    [
      'GET',
      '/api/v1/namespaces/x/pods',
      `pods is forbidden: ${cannot} list resource "pods" in API group "" in the namespace "x"`,
      { kind: 'pods' },
    ],
    [
      'GET',
      '/api/v1/pods?watch=1',
      `pods is forbidden: ${cannot} watch resource "pods" in API group "" at the cluster scope`,
      { kind: 'pods' },
    ],
    [
      'GET',
      '/api/v1/namespaces//pods',
      `pods is forbidden: ${cannot} list resource "pods" in API group "" at the cluster scope`,
      { kind: 'pods' },
    ],
    [
      'GET',
      '/api/v1/namespaces/x/pods/a/log',
      `pods "a" is forbidden: ${cannot} get resource "pods/log" in API group "" in the namespace "x"`,
      { name: 'a', kind: 'pods' },
    ],
    [
      'GET',
      '/api/v1/namespaces/x',
      `namespaces "x" is forbidden: ${cannot} get resource "namespaces" in API group "" in the namespace "x"`,
      { name: 'x', kind: 'namespaces' },
    ],
    [
      'PUT',
      '/api/v1/namespaces/x/finalize',
      `namespaces "x" is forbidden: ${cannot} update resource "namespaces/finalize" in API group "" in the namespace "x"`,
      { name: 'x', kind: 'namespaces' },
    ],
    [
      'DELETE',
      '/apis/extensions/v1beta1/namespaces/x/ingresses',
      `ingresses.extensions is forbidden: ${cannot} deletecollection resource "ingresses" in API group "extensions" in the namespace "x"`,
      { group: 'extensions', kind: 'ingresses' },
    ],
    [
      'GET',
      '/api/v1/watch/namespaces/x/pods/a',
      `pods "a" is forbidden: ${cannot} watch resource "pods" in API group "" in the namespace "x"`,
      { name: 'a', kind: 'pods' },
    ],
    [
      'GET',
      '/api/v1/proxy/namespaces/x/pods/a/b/c',
      `pods "a" is forbidden: ${cannot} proxy resource "pods" in API group "" in the namespace "x"`,
      { name: 'a', kind: 'pods' },
    ],
    [
      'PATCH',
      '/api/v1/namespaces/x/nosuch/q',
      `nosuch "q" is forbidden: ${cannot} patch resource "nosuch" in API group "" in the namespace "x"`,
      { name: 'q', kind: 'nosuch' },
    ],
  ])('refuses system:anonymous %s %s', async (method, path, message, details) => {
    const { status, body } = await call(path, { method, ...anonymous });
    expect(status).toBe(403);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason: 'Forbidden',
      details,
      code: 403,
    });
  });

  it.each(['/version', '/healthz', '/livez', '/readyz'])('shows %s to every user', async (path) => {
    expect((await call(path, anonymous)).status).toBe(200);
  });

  it.each([
    ['a password where no mechanism takes one', `Basic ${btoa('a:b')}`, 403],
    ['a scheme that is unknown', 'Digest x', 403],
    ['an empty bearer token', 'Bearer ', 403],
    ['a bearer token of nobody', 'Bearer bad', 401],
    ['a token', 'Bearer bob-token', 200],
  ])('answers %s', async (_, authorization, status) => {
    expect((await call('/api/v1', as(authorization))).status).toBe(status);
  });

  it('allows discovery and self reviews for authenticated users, and everything for administrators', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    expect((await call(pods, as('Bearer bob-token'))).body.message).toContain('User "bob" cannot list resource "pods"');
    expect((await call(pods)).status).toBe(200);
    const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const asked = { method: 'POST', body: '{}' };
    expect((await call(review, { ...asked, ...as('Bearer bob-token') })).status).toBe(200);
    expect((await call(review, { ...asked, ...anonymous })).status).toBe(403);
  });

  it('refuses another mode', async () => {
    const mode = 'ABAC' as 'RBAC';
    await expect(startServer({ authorizationMode: mode })).rejects.toThrow('"ABAC" is none of AlwaysAllow, RBAC');
  });
});
