import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type PeerAnswer, type PeerCall, peerCertificates, startHttpsPeer } from '../testing/httpsPeer.js';
import { createPeer } from './peer.js';
import { webhookTokenReview } from './webhookTokenReview.js';

const apiVersion = 'authentication.k8s.io/v1beta1';
const request = (authorization?: string) => ({ headers: { authorization } }) as IncomingMessage;
const review = (status: unknown, changed: object = {}) => ({ apiVersion, kind: 'TokenReview', status, ...changed });
const jane = review({ authenticated: true, user: { username: 'jane' } });
const extra: unknown = JSON.parse('{"example.org/scopes":["a","b"],"none":[],"__proto__":["c"]}');
const refused = review({ authenticated: false });

/** Returns an authenticator and its remote service. */
async function setUp(answer: (call: PeerCall, count: number) => PeerAnswer, { ttl = 60_000, patience = 30_000 } = {}) {
  const peer = await startHttpsPeer(answer);
  const { ca, client } = peerCertificates;
  const tls = { authority: ca.certificate, certificate: client.certificate, key: client.key };
  const server = new URL(`${peer.url}/authenticate`);
  const authenticate = webhookTokenReview(
    { server, ask: createPeer(tls, new AbortController().signal, patience), apiVersion, pauses: [1, 2, 3] },
    ttl,
  );
  return {
    calls: peer.calls,
    ask: async (token: string) => authenticate(request(`Bearer ${token}`)),
    authenticate,
    [Symbol.asyncDispose]: peer.close,
  };
}

describe('a token review', () => {
  it('is posted with the token and the client certificate', async () => {
    await using webhook = await setUp(() => ({ body: jane }));
    expect(await webhook.ask('a.b-c_~+/=')).toEqual({ name: 'jane', groups: [] });
    const [call] = webhook.calls;
    expect(call).toMatchObject({ method: 'POST', path: '/authenticate', client: 'api server' });
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      apiVersion,
      kind: 'TokenReview',
      spec: { token: 'a.b-c_~+/=' },
    });
  });

  it.each([undefined, '', 'Basic amFuZTpwdw==', 'Bearer', 'Bearer ', 'Negotiate x'])(
    'is not sent for the header %j',
    async (header) => {
      await using webhook = await setUp(() => ({ body: jane }));
      expect(webhook.authenticate(request(header))).toBeUndefined();
      expect(webhook.calls).toEqual([]);
    },
  );

  it.each<[string, PeerAnswer, object]>([
    [
      'every field',
      {
        body: review({
          authenticated: true,
          user: {
            username: 'jané: "x"',
            uid: '42',
            groups: ['dev', 'system:masters', ''],
            extra,
          },
        }),
      },
      {
        name: 'jané: "x"',
        uid: '42',
        groups: ['dev', 'system:masters', ''],
        extra,
      },
    ],
    [
      'fields that are null',
      { body: review({ authenticated: true, user: { username: 'x', uid: null, groups: null, extra: null } }) },
      { name: 'x', groups: [] },
    ],
    ['another spec', { body: { ...jane, spec: 'ignored' } }, { name: 'jane', groups: [] }],
    ['status 201', { status: 201, body: jane }, { name: 'jane', groups: [] }],
    ['another content type', { headers: { 'content-type': 'text/plain' }, body: jane }, { name: 'jane', groups: [] }],
  ])('accepts the token with %s', async (_, answer, user) => {
    await using webhook = await setUp(() => answer);
    expect(await webhook.ask('token')).toEqual(user);
  });

  const user = (fields: object) => ({ body: review({ authenticated: true, user: { username: 'x', ...fields } }) });
  it.each<[string, PeerAnswer, string]>([
    ['false', { body: refused }, 'does not know the token'],
    ['false and 401', { status: 401, body: refused }, 'does not know the token'],
    ['false and a user', { body: review({ authenticated: false, user: { username: 'x' } }) }, 'does not know'],
    ['no status', { body: review(undefined) }, 'does not know the token'],
    ['an empty status', { body: review({}) }, 'does not know the token'],
    ['true and 401', { status: 401, body: jane }, 'but with HTTP status 401'],
    ['401 and nothing', { status: 401, body: '' }, 'not a JSON object'],
    ['404 and something', { status: 404, body: { kind: 'Status' } }, 'HTTP status 404'],
    ['nothing', { body: '' }, 'not a JSON object'],
    ['half an answer', { body: JSON.stringify(jane).slice(0, -9) }, 'not a JSON object'],
    ['a list', { body: [jane] }, 'not a JSON object'],
    [
      'another version',
      { body: { ...jane, apiVersion: 'authentication.k8s.io/v1' } },
      `not a TokenReview of ${apiVersion}`,
    ],
    ['no version', { body: { ...jane, apiVersion: undefined } }, `not a TokenReview of ${apiVersion}`],
    ['another kind', { body: { ...jane, kind: 'SubjectAccessReview' } }, `not a TokenReview of ${apiVersion}`],
    ['"true"', { body: review({ authenticated: 'true', user: { username: 'x' } }) }, 'is not a boolean'],
    ['no user', { body: review({ authenticated: true }) }, 'status.user of the answer is not an object'],
    ['no user name', { body: review({ authenticated: true, user: {} }) }, 'names no user'],
    ['an empty user name', user({ username: '' }), 'names no user'],
    ['a number for a user name', user({ username: 1 }), 'names no user'],
    ['a number for a uid', user({ uid: 1 }), 'uid of the answer is not a string'],
    ['a string for groups', user({ groups: 'dev' }), 'groups of the answer is not a list of strings'],
    ['numbers for groups', user({ groups: [1] }), 'groups of the answer is not a list of strings'],
    ['a list for extra', user({ extra: [] }), 'extra of the answer is not an object'],
    ['a string in extra', user({ extra: { a: 'b' } }), 'extra of the answer is not a list of strings'],
    ['a redirect', { status: 302, headers: { location: '/authenticate' }, body: jane }, 'redirects are not followed'],
    ['too much', { body: { ...jane, spec: 'x'.repeat(300_000) } }, 'an answer of more than'],
    ['silence', 'silence', 'no answer within 1000 ms'],
  ])('refuses the token with %s, after one request', async (_, answer, reason) => {
    await using webhook = await setUp(() => answer, answer === 'silence' ? { patience: 1_000 } : {});
    const error: unknown = await webhook.ask('the-secret').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toContain(reason);
    expect((error as Error).message).not.toContain('the-secret');
    // The time may be up before the request is sent.
    if (answer !== 'silence' || webhook.calls.length > 0) expect(webhook.calls).toHaveLength(1);
  });

  it.each<[string, PeerAnswer]>([
    ['500', { status: 500, body: jane }],
    ['503', { status: 503 }],
    ['429', { status: 429 }],
    ['a broken connection', 'reset'],
  ])('is repeated after %s', async (_, answer) => {
    await using webhook = await setUp((_, count) => (count <= 2 ? answer : { body: jane }));
    expect(await webhook.ask('token')).toEqual({ name: 'jane', groups: [] });
    expect(webhook.calls).toHaveLength(3);
  });

  it.each<[string, PeerAnswer, string]>([
    ['500', { status: 500, body: jane }, 'HTTP status 500'],
    ['a broken connection', 'reset', 'the connection broke off'],
  ])('is given up after a few times %s', async (_, answer, reason) => {
    await using webhook = await setUp(() => answer);
    await expect(webhook.ask('token')).rejects.toThrow(reason);
    expect(webhook.calls).toHaveLength(4);
  });
});

describe('a verdict', () => {
  it.each<[string, PeerAnswer]>([
    ['good', { body: jane }],
    ['bad', { body: refused }],
    ['bad, with 401,', { status: 401, body: refused }],
  ])('that is %s is requested once for each token', async (_, answer) => {
    await using webhook = await setUp(() => answer);
    for (const token of ['one', 'one', 'two', 'one']) await webhook.ask(token).catch(() => {});
    expect(webhook.calls.map(({ body }) => JSON.parse(body).spec.token)).toEqual(['one', 'two']);
  });

  it('is requested each time without a cache', async () => {
    await using webhook = await setUp(() => ({ body: jane }), { ttl: 0 });
    await webhook.ask('one');
    await webhook.ask('one');
    expect(webhook.calls).toHaveLength(2);
  });

  it('is requested again after an error', async () => {
    await using webhook = await setUp((_, count) => (count === 1 ? { body: 'broken' } : { body: jane }));
    await expect(webhook.ask('one')).rejects.toThrow('not a JSON object');
    expect(await webhook.ask('one')).toEqual({ name: 'jane', groups: [] });
  });

  it('is shared by concurrent requests', async () => {
    await using webhook = await setUp(() => ({ body: jane }));
    const users = await Promise.all(Array.from({ length: 20 }, () => webhook.ask('one')));
    expect(new Set(users.map((found) => found?.name))).toEqual(new Set(['jane']));
    expect(webhook.calls).toHaveLength(1);
  });
});
