import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { PeerAnswer } from '../testing/httpsPeer.js';
import { discovery, good, type Key, keys, makeKey, startIssuer } from '../testing/openidIssuer.js';

describe('keys', () => {
  it('that are new are fetched once for concurrent requests', async () => {
    await using oidc = await startIssuer();
    await oidc.user();
    oidc.state.published = [keys.next];
    const users = await Promise.all([1, 2, 3].map(() => oidc.user({}, keys.next)));
    expect(users.map((user) => user?.name)).toEqual(Array.from({ length: 3 }, () => `${oidc.issuer}#jane`));
    expect(oidc.paths()).toEqual([discovery, '/keys', discovery, '/keys']);
    await expect(oidc.user({}, keys.rs)).rejects.toThrow('ERR_JWKS_NO_MATCHING_KEY');
  });

  it('that changed under the same name are fetched', async () => {
    await using oidc = await startIssuer();
    await oidc.user();
    oidc.state.published = [keys.foreign];
    expect(await oidc.user({}, keys.foreign)).toMatchObject({ name: `${oidc.issuer}#jane` });
  });

  it('are all tried for a token without a key id', async () => {
    await using oidc = await startIssuer();
    const nameless = ({ jwk: { kid: _, ...jwk }, ...key }: Key): Key => ({ ...key, jwk });
    oidc.state.published = [keys.es, keys.next].map(nameless);
    const token = (key: Key) =>
      new SignJWT({ iss: oidc.issuer, ...good }).setProtectedHeader({ alg: key.alg }).sign(key.privateKey);
    expect(await oidc.ask(await token(keys.next))).toMatchObject({ name: `${oidc.issuer}#jane` });
    expect(await oidc.ask(await token(keys.es))).toMatchObject({ name: `${oidc.issuer}#jane` });
    await expect(oidc.ask(await token(await makeKey('ES256', '')))).rejects.toThrow('ERR_JWS_SIGNATURE');
  });

  it('are not fetched for every token with an unknown key id', async () => {
    await using oidc = await startIssuer();
    const token = await oidc.sign({}, keys.next);
    const refused = async (times: number) => {
      for (let time = 0; time < times; time++) await expect(oidc.ask(token)).rejects.toThrow('ERR_JWKS_NO_MATCHING');
      return oidc.paths().filter((path) => path === '/keys').length;
    };
    expect(await refused(30)).toBe(10);
    oidc.state.time += 1_000;
    expect(await refused(30)).toBe(11);
    expect(await oidc.user()).toMatchObject({ name: `${oidc.issuer}#jane` });
  });

  it('that are old stay in use while the issuer is down', async () => {
    await using oidc = await startIssuer();
    await oidc.user();
    oidc.state.answer = () => ({ status: 503 });
    oidc.state.time += 700_000;
    expect(await oidc.user()).toMatchObject({ name: `${oidc.issuer}#jane` });
    await expect.poll(() => oidc.paths()).toEqual([discovery, '/keys', discovery]);
  });

  it('that were withdrawn are rejected after the next refresh', async () => {
    await using oidc = await startIssuer();
    await oidc.user();
    oidc.state.published = [keys.next];
    oidc.state.time += 700_000;
    await expect.poll(() => oidc.user().catch((error: Error) => error.message)).toMatch('ERR_JWKS_NO_MATCHING_KEY');
  });
});

describe('an issuer', () => {
  const elsewhere = { issuer: 'https://issuer.example', jwks_uri: 'https://issuer.example/keys' };
  it.each<[string, (path: string, url: string) => PeerAnswer | undefined, string]>([
    ['that breaks off', () => 'reset', 'the connection broke off'],
    ['that fails', () => ({ status: 500 }), 'HTTP status 500'],
    ['that redirects', () => ({ status: 302, headers: { location: discovery } }), 'HTTP status 302'],
    ['that says nonsense', () => ({ body: 'the-secret' }), 'not a JSON object'],
    ['that says too much', () => ({ body: 'x'.repeat(300_000) }), 'an answer of more than'],
    ['that says to be another', () => ({ body: elsewhere }), 'the discovery document is of another issuer'],
    ['without keys', (_, url) => ({ body: { issuer: url } }), 'no jwks_uri'],
    [
      'with keys in plain text',
      (_, url) => ({ body: { issuer: url, jwks_uri: 'http://127.0.0.1/keys' } }),
      'jwks_uri is not an https URL',
    ],
    [
      'with keys that are none',
      (path) => (path === '/keys' ? { body: { keys: 'none' } } : undefined),
      'JSON Web Key Set malformed',
    ],
    ['whose keys are gone', (path) => (path === '/keys' ? { status: 404 } : undefined), 'HTTP status 404'],
  ])('%s: its tokens are refused, and it is asked again later', async (_, answer, reason) => {
    await using oidc = await startIssuer();
    oidc.state.answer = (path) => answer(path, oidc.issuer);
    await expect(oidc.user()).rejects.toThrow(reason);
    const asked = oidc.paths().length;
    await expect(oidc.user()).rejects.toThrow('the issuer was out of reach a moment ago');
    expect(oidc.paths()).toHaveLength(asked);
    oidc.state.answer = undefined;
    oidc.state.time += 1_000;
    expect(await oidc.user()).toMatchObject({ name: `${oidc.issuer}#jane` });
  });

  it('that does not respond: its tokens are refused', async () => {
    await using oidc = await startIssuer({}, '', 300);
    oidc.state.answer = () => 'silence';
    await expect(oidc.user()).rejects.toThrow('no answer within 300 ms');
  });

  it('that does not exist: its tokens are refused', async () => {
    const oidc = await startIssuer();
    await oidc.close();
    await expect(oidc.user()).rejects.toThrow('ECONNREFUSED');
  });
});
