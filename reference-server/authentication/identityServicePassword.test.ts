import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type PeerAnswer, peerCertificates, startHttpsPeer } from '../testing/httpsPeer.js';
import { identityServicePassword } from './identityServicePassword.js';
import { createPeer } from './peer.js';

const request = (authorization?: string) => ({ headers: { authorization } }) as IncomingMessage;
const basic = (text: string) => request(`Basic ${Buffer.from(text).toString('base64')}`);
const confirmed: PeerAnswer = { body: { access: { token: { id: 'abc', expires: '2038-01-01T00:00:00Z' } } } };

async function setUp(answer: () => PeerAnswer, path = '/v2.0', patience = 30_000) {
  const peer = await startHttpsPeer(answer);
  const ask = createPeer({ authority: peerCertificates.ca.certificate }, new AbortController().signal, patience);
  const authenticate = identityServicePassword(new URL(`${peer.url}${path}`), ask);
  return { calls: peer.calls, authenticate, close: peer.close, [Symbol.asyncDispose]: peer.close };
}

describe('the identity service', () => {
  it.each([
    ['/v2.0', '/v2.0/tokens'],
    ['/v2.0/', '/v2.0/tokens'],
    ['/identity/v2.0', '/identity/v2.0/tokens'],
    ['', '/tokens'],
  ])('at "%s" is asked for a token, each time', async (path, asked) => {
    await using service = await setUp(() => confirmed, path);
    for (const attempt of [1, 2]) {
      expect(await service.authenticate(basic('jané:pass:wörd'))).toEqual({ name: 'jané', groups: [] });
      expect(service.calls).toHaveLength(attempt);
    }
    const [call] = service.calls;
    expect(call).toMatchObject({ method: 'POST', path: asked });
    expect(JSON.parse(call?.body ?? '')).toEqual({
      auth: { passwordCredentials: { username: 'jané', password: 'pass:wörd' } },
    });
  });

  it.each<[string, PeerAnswer, string]>([
    ['401', { status: 401, body: { error: { code: 401 } } }, 'HTTP status 401'],
    ['500', { status: 500 }, 'HTTP status 500'],
    ['a redirect', { status: 302, headers: { location: '/' } }, 'HTTP status 302'],
    ['no token', { body: { access: {} } }, 'confirms without a token'],
    ['an empty token', { body: { access: { token: { id: '' } } } }, 'confirms without a token'],
    ['no JSON', { body: 'fine' }, 'not a JSON object'],
    ['silence', 'silence', 'no answer within 1000 ms'],
    ['a broken connection', 'reset', 'the connection broke off'],
  ])('that answers %s refuses', async (_, answer, reason) => {
    await using service = await setUp(() => answer, '/v2.0', answer === 'silence' ? 1_000 : undefined);
    const error: unknown = await Promise.resolve(service.authenticate(basic('jane:the-secret'))).catch(
      (thrown: unknown) => thrown,
    );
    expect((error as Error).message).toContain(reason);
    expect((error as Error).message).not.toContain('the-secret');
    // The time may be up before the request is sent.
    if (answer !== 'silence' || service.calls.length > 0) expect(service.calls).toHaveLength(1);
  });

  it('that is down refuses', async () => {
    const service = await setUp(() => confirmed);
    await service.close();
    await expect(service.authenticate(basic('jane:pw'))).rejects.toThrow('ECONNREFUSED');
  });

  it('is not asked about requests without basic credentials', async () => {
    await using service = await setUp(() => confirmed);
    for (const header of [undefined, '', 'Bearer abc', 'Basically abc']) {
      expect(service.authenticate(request(header))).toBeUndefined();
    }
    expect(service.calls).toEqual([]);
  });
});
