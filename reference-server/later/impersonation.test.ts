// Requests on behalf of another user, with the rights of their senders.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../server.js';
import { ask } from '../testing/standIn.js';
import { startFullServer } from './index.js';

const tokens = [
  { token: 'admin', user: { name: 'admin', groups: ['system:masters'] } },
  { token: 'bob', user: { name: 'bob', groups: ['devs'] } },
];
let open: RunningServer;
let strict: RunningServer;
beforeAll(async () => {
  open = await startFullServer({ tokens });
  strict = await startFullServer({ tokens, authorizationMode: 'RBAC' });
});
afterAll(() => Promise.all([open.close(), strict.close()]));

const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

async function userOf(server: RunningServer, headers: Readonly<Record<string, string | string[]>>, token = 'admin') {
  const sent = { method: 'POST', body: '{}', headers: { authorization: `Bearer ${token}`, ...headers } };
  const { status, text } = await ask(server, review, sent as Parameters<typeof ask>[2]);
  const body = JSON.parse(text);
  return status === 200 ? body.status.userInfo : [status, body.message];
}

describe('a request on behalf of another user', () => {
  it.each<[string, Record<string, string | string[]>, object]>([
    ['a user', { 'Impersonate-User': 'jane' }, { username: 'jane', groups: ['system:authenticated'] }],
    [
      'groups, one of them with a comma',
      { 'Impersonate-User': 'jane', 'Impersonate-Group': ['dev,ops', 'all'] },
      { username: 'jane', groups: ['dev,ops', 'all', 'system:authenticated'] },
    ],
    [
      'a service account',
      { 'Impersonate-User': 'system:serviceaccount:a:b' },
      {
        username: 'system:serviceaccount:a:b',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated'],
      },
    ],
    [
      'extras and a uid',
      { 'Impersonate-User': 'jane', 'Impersonate-Uid': 'u', 'Impersonate-Extra-Example.com%2fScope': ['a', 'b'] },
      { username: 'jane', uid: 'u', extra: { 'example.com/scope': ['a', 'b'] }, groups: ['system:authenticated'] },
    ],
    [
      'the anonymous user',
      { 'Impersonate-User': 'system:anonymous' },
      { username: 'system:anonymous', groups: ['system:unauthenticated'] },
    ],
    [
      'a user whose groups say how it is known',
      { 'Impersonate-User': 'jane', 'Impersonate-Group': 'system:unauthenticated' },
      { username: 'jane', groups: ['system:unauthenticated'] },
    ],
  ])('is from %s', async (_, headers, expected) => expect(await userOf(open, headers)).toEqual(expected));

  it('is refused with headers that name no user', async () => {
    expect(await userOf(open, { 'Impersonate-Group': 'dev' })).toEqual([
      400,
      expect.stringContaining('requested impersonate-group without impersonating a user'),
    ]);
    const bad = { 'Impersonate-User': 'jane', 'Impersonate-Extra-%': 'a' };
    expect(await userOf(open, bad)).toEqual([400, 'the header impersonate-extra-% cannot be decoded']);
  });

  it('needs the right to send it', async () => {
    expect(await userOf(strict, { 'Impersonate-User': 'jane' })).toMatchObject({ username: 'jane' });
    expect(await userOf(strict, { 'Impersonate-User': 'jane' }, 'bob')).toEqual([
      403,
      'users "jane" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope',
    ]);
  });

  it('has the rights of that user', async () => {
    const headers = { authorization: 'Bearer admin', 'Impersonate-User': 'jane' };
    expect((await ask(strict, '/api/v1/pods', { headers })).status).toBe(403);
    expect((await ask(strict, '/api/v1/pods', { headers: { authorization: 'Bearer admin' } })).status).toBe(200);
  });
});
