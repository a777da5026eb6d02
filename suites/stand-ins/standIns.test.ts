// The stand-ins over real sockets: their responses, their records, and their simulated faults.

import { request as httpRequest } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFixtures } from '../../cli/fixtures/make.js';
import { defined } from '../../matrix/api/index.js';
import { type Fixtures, standInUrl } from '../fixtures/fixtures.js';
import { webhookUsers } from '../fixtures/users.js';
import { type BackendControl, connectControl } from './control.js';
import type { IdTokenRequest } from './idTokens.js';
import { type StandIns, startStandIns } from './index.js';
import type { ReviewReply } from './webhookReviewer.js';

let fixtures: Fixtures;
let files: Map<string, string>;
let standIns: StandIns;
let control: BackendControl;
beforeAll(async () => {
  const made = await makeFixtures({ ip: '127.0.0.1', names: [], standInsAddress: '127.0.0.1' });
  files = new Map(made.map(({ path, text }) => [path, text]));
  fixtures = JSON.parse(files.get('fixtures.json') ?? '') as Fixtures;
  standIns = await startStandIns(fixtures, 'k8s.io');
  control = connectControl(standIns.controlUrl);
});
afterAll(() => standIns.close());

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends one request on a new connection, which trusts only the stand-ins' authority. */
function ask(url: string, { body, ...options }: RequestOptions & { body?: unknown } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('http:') ? httpRequest : request;
    const ca = files.get('stand-ins-ca.crt');
    const sent = send(url, { ...defined({ ca }), agent: false, ...options }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const apiServer = () => ({
  cert: files.get('webhook-client.crt') ?? '',
  key: files.get('webhook-client.key') ?? '',
});
const reviewOf = (token: unknown, change: object = {}) => ({
  apiVersion: 'authentication.k8s.io/v1beta1',
  kind: 'TokenReview',
  spec: { token },
  ...change,
});
const review = (body: unknown, options: RequestOptions = {}) =>
  ask(standInUrl(fixtures, 'webhookReviewer'), { method: 'POST', ...apiServer(), body, ...options });
const refused = { authenticated: false };

describe('the webhook reviewer', () => {
  it('accepts only clients with a certificate of its authority', async () => {
    const [stranger] = Object.values(fixtures.clientCertificates);
    await expect(review(reviewOf('x'), { cert: undefined, key: undefined })).rejects.toThrow();
    await expect(review(reviewOf('x'), { cert: stranger?.certificate, key: stranger?.key })).rejects.toThrow();
    expect(await control.refusedHandshakes('webhookReviewer')).toHaveLength(2);
  });

  it('returns the users of the fixtures', async () => {
    const { status, text } = await review(reviewOf(fixtures.secrets.webhookTokenReview.odd));
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      apiVersion: 'authentication.k8s.io/v1beta1',
      kind: 'TokenReview',
      status: { authenticated: true, user: webhookUsers.odd },
    });
  });

  it.each([
    ['another version', reviewOf('x', { apiVersion: 'authentication.k8s.io/v1' }), 400],
    ['another group', reviewOf('x', { apiVersion: 'authentication.example.org/v1beta1' }), 400],
    ['another kind', reviewOf('x', { kind: 'SubjectAccessReview' }), 400],
    ['no token', reviewOf(undefined), 400],
    ['an empty token', reviewOf(''), 400],
    ['a token that nobody named', reviewOf('nobody'), 200],
  ])('does not authenticate %s', async (_, body, status) => {
    const answer = await review(body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ apiVersion: 'authentication.k8s.io/v1beta1', status: refused });
  });

  it('accepts only POST', async () => {
    expect((await review(reviewOf('x'), { method: 'PUT' })).status).toBe(405);
  });

  const user = { username: 'jane' };
  const good = { authenticated: true, user };
  it.each<[string, ReviewReply, number, RegExp]>([
    ['a refusal with 401', { ...refused, httpStatus: 401 }, 401, /"authenticated":false}/],
    ['a refusal that names a user', { ...refused, user }, 200, /"authenticated":false,"user":/],
    ['another version', { ...good, apiVersion: 'authentication.k8s.io/v1' }, 200, /^{"apiVersion":"[^"]+\/v1",/],
    ['another kind', { ...good, kind: 'Pod' }, 200, /"kind":"Pod"/],
    ['a spec', { ...good, spec: { token: 7 } }, 200, /"spec":{"token":7}/],
    ['broken JSON', { ...good, text: '{"status":' }, 200, /^{"status":$/],
    ['an oversized reply', { ...good, padding: 100_000 }, 200, /x{100000}/],
    ['a redirect', { ...good, redirect: true }, 307, /^$/],
  ])('returns %s on demand', async (name, reply, status, text) => {
    await control.setReview(name, reply);
    const answer = await review(reviewOf(name));
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(text);
    if (!reply.redirect) return;
    const elsewhere = new URL(String(answer.headers.location), standInUrl(fixtures, 'webhookReviewer'));
    expect((await ask(elsewhere.href, { method: 'POST', ...apiServer(), body: reviewOf(name) })).text).toContain(
      'jane',
    );
    expect(await control.calls('webhookReviewer', name)).toMatchObject([{ path: '/review' }, { path: '/elsewhere' }]);
  });

  it('fails the requested number of times, then responds', async () => {
    await control.setReview('later', { ...good, failures: { times: 2, httpStatus: 500 } });
    const statuses = [];
    for (let times = 0; times < 3; times++) statuses.push((await review(reviewOf('later'))).status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  it('closes connections, or does not respond', async () => {
    await control.setReview('cut', { ...good, instead: 'reset' });
    await expect(review(reviewOf('cut'))).rejects.toThrow('socket hang up');
    await control.setReview('silent', { ...good, instead: 'silence' });
    const abort = new AbortController();
    const asked = review(reviewOf('silent'), { signal: abort.signal });
    await expect.poll(() => control.calls('webhookReviewer', 'silent')).toHaveLength(1);
    abort.abort();
    await expect(asked).rejects.toThrow('abort');
  });

  it('records its requests by token', async () => {
    const token = 'tok "ü" en';
    await Promise.all([review(reviewOf(token)), review(reviewOf('of another worker'))]);
    const calls = await control.calls('webhookReviewer', token);
    expect(calls).toMatchObject([
      { method: 'POST', path: '/review', body: reviewOf(token), clientCertificate: 'webhook-client' },
    ]);
    expect(Date.parse(calls[0]?.at ?? '')).toBeLessThanOrEqual(Date.now());
    expect(await control.calls('webhookReviewer', 'never sent')).toEqual([]);
  });

  it('presents the certificate of an untrusted authority, then its own again', async () => {
    await control.showCertificate('webhookReviewer', 'foreign');
    await expect(review(reviewOf('x'))).rejects.toThrow(/certificate|signature/);
    await control.showCertificate('webhookReviewer', 'own');
    expect((await review(reviewOf('x'))).status).toBe(200);
  });
});

describe('the OpenID Connect issuer', () => {
  const issuer = () => standInUrl(fixtures, 'oidcIssuer');
  const verify = async (token: string) => {
    const configuration = JSON.parse((await ask(`${issuer()}/.well-known/openid-configuration`)).text) as {
      issuer: string;
      jwks_uri: string;
    };
    expect(configuration.issuer).toBe(issuer());
    const keys = createLocalJWKSet(JSON.parse((await ask(configuration.jwks_uri)).text) as JSONWebKeySet);
    return await jwtVerify(token, keys, { issuer: issuer(), audience: fixtures.openidConnect.clientId });
  };

  it.each(['RS256', 'ES256', 'PS256'] as const)('mints tokens of %s', async (algorithm) => {
    const token = await control.mintIdToken({ algorithm, claims: { sub: 'jane', groups: ['dev'] } });
    const { payload, protectedHeader } = await verify(token);
    expect([payload.sub, payload.groups, protectedHeader.alg]).toEqual(['jane', ['dev'], algorithm]);
  });

  it('accepts a token with several audiences', async () => {
    const claims = { aud: ['other', fixtures.openidConnect.clientId], azp: 'other' };
    expect((await verify(await control.mintIdToken({ claims }))).payload).toMatchObject(claims);
  });

  it.each<[string, IdTokenRequest, RegExp]>([
    ['another issuer', { claims: { iss: 'https://elsewhere.example' } }, /"iss"/],
    ['another audience', { claims: { aud: 'another' } }, /"aud"/],
    ['no audience', { claims: { aud: null } }, /"aud"/],
    ['an expired one', { lifetime: -60 }, /"exp"/],
    ['one that is not valid yet', { claims: { nbf: 4_000_000_000 } }, /"nbf"/],
    ['a changed signature', { broken: 'signature' }, /signature verification failed/],
    ['a changed payload', { broken: 'payload' }, /signature verification failed/],
    ["another's key", { broken: 'foreign-key' }, /signature verification failed/],
    ['a key that is not published', { broken: 'unknown-key' }, /no applicable key/],
    ['no algorithm', { broken: 'none' }, /Unsupported "alg"|JWS|alg/],
    ['the public key as secret', { broken: 'public-key-as-secret' }, /Unsupported "alg"|alg|key/],
  ])('mints %s, which does not verify', async (_, asked, complaint) => {
    await expect(control.mintIdToken(asked).then(verify)).rejects.toThrow(complaint);
  });

  it('rotates its keys, and tokens of the old keys stay valid', async () => {
    const before = await control.mintIdToken({});
    await control.rotateKeys();
    const after = await control.mintIdToken({});
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    await verify(before);
    await verify(after);
  });

  it('goes away and comes back', async () => {
    await control.setReachable('oidcIssuer', false);
    await expect(ask(issuer())).rejects.toThrow('ECONNREFUSED');
    await control.setReachable('oidcIssuer', true);
    await verify(await control.mintIdToken({}));
  });
});

describe('the identity service', () => {
  const token = (username: unknown, password: unknown) =>
    ask(`${standInUrl(fixtures, 'identityService')}/tokens`, {
      method: 'POST',
      body: { auth: { passwordCredentials: { username, password } } },
    });

  it('issues a token for the password of a user, and records the user', async () => {
    await control.setIdentityUser('jüne', { password: 'pass:wörd' });
    const answer = await token('jüne', 'pass:wörd');
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ access: { token: { id: /./ }, user: { username: 'jüne' } } });
    expect(await control.calls('identityService', 'jüne')).toMatchObject([{ method: 'POST', path: '/v2.0/tokens' }]);
  });

  it.each([
    ['another password', 'identity-user', 'x', 401],
    ['another user', 'nobody', 'x', 401],
    ['no password', 'identity-user', undefined, 400],
  ])('refuses %s', async (_, username, password, status) => {
    expect((await token(username, password)).status).toBe(status);
  });

  it('fails, closes connections and stops on demand', async () => {
    await control.setIdentityUser('failing', { password: 'x', httpStatus: 503 });
    expect((await token('failing', 'x')).status).toBe(503);
    await control.setIdentityUser('cut', { password: 'x', instead: 'reset' });
    await expect(token('cut', 'x')).rejects.toThrow('socket hang up');
    await control.setReachable('identityService', false);
    await expect(token('failing', 'x')).rejects.toThrow('ECONNREFUSED');
    await control.setReachable('identityService', true);
    expect((await token('failing', 'x')).status).toBe(503);
  });

  it('returns its versions', async () => {
    expect(await ask(new URL('/', standInUrl(fixtures, 'identityService')).href)).toMatchObject({ status: 300 });
    expect(await ask(standInUrl(fixtures, 'identityService'))).toMatchObject({ status: 200 });
  });
});

describe('the control', () => {
  it('serves only its secret path and known commands', async () => {
    const { origin } = new URL(standIns.controlUrl);
    expect((await ask(`${origin}/`, { method: 'POST', body: {} })).status).toBe(404);
    const body = { operation: 'constructor', arguments: [] };
    expect((await ask(standIns.controlUrl, { method: 'POST', body })).status).toBe(400);
    expect((await ask(standIns.controlUrl, { method: 'POST' })).status).toBe(400);
    const strange = control.calls('constructor' as never);
    await expect(strange).rejects.toThrow('control: calls:');
  });

  it('stops all stand-ins if a port is in use', async () => {
    const ports = { ...fixtures.ports, webhookReviewer: 0 };
    await expect(startStandIns({ ...fixtures, ports }, 'k8s.io')).rejects.toThrow('EADDRINUSE');
  });
});
