// Tests token reviews, self reviews, and requests without credentials.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../server.js';
import { type Ask, ask } from '../testing/standIn.js';

let folder: string;
let server: RunningServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reviews-'));
  const tokenAuthFile = join(folder, 'tokens.csv');
  const basicAuthFile = join(folder, 'passwords.csv');
  await writeFile(tokenAuthFile, 'tok-1,jane,u1,"dev,ops"\ntok-2,joe,\n');
  await writeFile(basicAuthFile, 'pa:ss,anna,u2,dev\n');
  server = await startServer({
    tokenAuthFile,
    basicAuthFile,
    anonymousAuth: true,
    runtimeConfig: 'authentication.k8s.io/v1beta1=true',
    tokens: [{ token: 'odd', user: { name: 'odd:näme', groups: [], extra: { 'a/b': ['c', 'd'] } } }],
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

async function call(method: string, path: string, options: Ask = {}) {
  const { status, headers, text } = await ask(server, path, { method, ...options });
  return { status, headers, body: JSON.parse(text) };
}
const reviews = '/apis/authentication.k8s.io/v1beta1/tokenreviews';
const jane = { username: 'jane', uid: 'u1', groups: ['dev', 'ops', 'system:authenticated'] };

describe('a token review', () => {
  const review = (spec: object) => ({ apiVersion: 'authentication.k8s.io/v1beta1', kind: 'TokenReview', spec });
  const post = (body: object) => call('POST', reviews, { body: JSON.stringify(body) });

  it.each([
    ['tok-1', { authenticated: true, user: jane }],
    ['tok-2', { authenticated: true, user: { username: 'joe', groups: ['system:authenticated'] } }],
    [
      'odd',
      {
        authenticated: true,
        user: { username: 'odd:näme', groups: ['system:authenticated'], extra: { 'a/b': ['c', 'd'] } },
      },
    ],
    ['tok', { authenticated: false }],
    ['tok-1 ', { authenticated: false }],
    ['tok-1\r\nx: y', { authenticated: false }],
    ['pa:ss', { authenticated: false }],
    ['a.b.c', { authenticated: false }],
    ['t'.repeat(1_000_000), { authenticated: false }],
  ])('of %.20j', async (token, status) => {
    const { status: code, body } = await post(review({ token }));
    expect(code).toBe(200);
    expect(body).toEqual({ ...review({}), metadata: {}, status });
  });

  it('of a service account token', async () => {
    const secrets = (await call('GET', '/api/v1/namespaces/default/secrets')).body.items;
    const token = Buffer.from(secrets[0].data.token, 'base64').toString();
    const { body } = await post({ spec: { token } });
    expect(body.status.user).toEqual({
      username: 'system:serviceaccount:default:default',
      uid: secrets[0].metadata.annotations['kubernetes.io/service-account.uid'],
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    });
  });

  it.each([
    ['no token', review({})],
    ['an empty token', review({ token: '' })],
    ['a token that is none', review({ token: 5 })],
    ['another kind', { ...review({ token: 'a' }), kind: 'Pod' }],
    ['another version', { ...review({ token: 'a' }), apiVersion: 'authentication.k8s.io/v7' }],
  ])('with %s is a client error', async (_, body) => {
    expect((await post(body)).status).toBe(400);
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('is not for %s', async (method) => {
    const { status, headers } = await call(method, reviews);
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });

  it('is in discovery', async () => {
    expect((await call('GET', '/apis/authentication.k8s.io/v1beta1')).body.resources).toEqual([
      { name: 'tokenreviews', singularName: 'tokenreview', namespaced: false, kind: 'TokenReview', verbs: ['create'] },
    ]);
  });
});

describe('a self subject review', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const anonymous = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

  it.each([
    ['a token', 'Bearer tok-1', jane],
    ['a password', basic('anna:pa:ss'), { username: 'anna', uid: 'u2', groups: ['dev', 'system:authenticated'] }],
    ['nothing', undefined, anonymous],
    ['a wrong token', 'Bearer no', undefined],
    ['a wrong password', basic('anna:pass'), undefined],
    ['malformed credentials', 'Basic !', undefined],
    ['a scheme alone', 'Bearer', undefined],
    ['another scheme', 'Digest username="anna"', undefined],
    ['an empty header', '', undefined],
  ])('with %s', async (_, authorization, userInfo) => {
    const { status, body } = await call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      body: '{}',
      anonymous: true,
      ...(authorization !== undefined && { headers: { Authorization: authorization } }),
    });
    expect(status).toBe(userInfo === undefined ? 401 : 200);
    if (userInfo === undefined) return;
    const named = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    expect(body).toEqual({ ...named, metadata: {}, status: { userInfo } });
  });
});
