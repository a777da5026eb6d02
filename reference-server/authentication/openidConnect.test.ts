import { createHmac } from 'node:crypto';
import { base64url, exportSPKI, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { discovery, good, keys, now, request, startIssuer } from '../testing/openidIssuer.js';
import type { OpenidConnect } from './openidConnect.js';

describe('an ID token', () => {
  it.each(['rs', 'es', 'ps'] as const)('signed by the key %s is accepted, and keys are fetched once', async (name) => {
    await using oidc = await startIssuer();
    const jane = { name: `${oidc.issuer}#jane`, groups: [] };
    expect(await oidc.user({}, keys[name])).toEqual(jane);
    expect(await oidc.user({}, keys[name])).toEqual(jane);
    expect(oidc.paths()).toEqual([discovery, '/keys']);
  });

  it.each(['', '/', '/realms/one', '/realms/one/'])('of an issuer at "%s" is accepted', async (path) => {
    await using oidc = await startIssuer({}, path);
    expect(await oidc.user()).toMatchObject({ name: `${oidc.issuer}#jane` });
  });

  it.each<[string, object]>([
    ['several audiences', { aud: ['other', 'me'] }],
    ['the azp of another client', { azp: 'other' }],
    ['the azp of another client and several audiences', { aud: ['other', 'me'], azp: 'other' }],
    ['a start that has come', { nbf: now() - 5, iat: now() - 5 }],
  ])('with %s is accepted', async (_, claims) => {
    await using oidc = await startIssuer();
    expect(await oidc.user(claims)).toMatchObject({ name: `${oidc.issuer}#jane` });
  });

  it.each<[string, object, string]>([
    ['another audience', { aud: 'other' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (aud)'],
    ['other audiences', { aud: ['mee', 'Me', ''] }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (aud)'],
    ['no audience', { aud: undefined }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (aud)'],
    ['the azp alone for us', { aud: 'other', azp: 'me' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (aud)'],
    ['an end that is past', { exp: now() - 1 }, 'ERR_JWT_EXPIRED'],
    ['no end', { exp: undefined }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (exp)'],
    ['an end that is not a number', { exp: 'never' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (exp)'],
    ['a start to come', { nbf: now() + 300 }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (nbf)'],
    ['no subject', { sub: undefined }, 'no user name'],
    ['an empty subject', { sub: '' }, 'no user name'],
    ['a number for a subject', { sub: 7 }, 'no user name'],
  ])('with %s is refused', async (_, claims, reason) => {
    await using oidc = await startIssuer();
    await expect(oidc.user(claims)).rejects.toThrow(reason);
  });

  const altered = (token: string, index: number, change: (part: string) => string) =>
    token
      .split('.')
      .map((part, at) => (at === index ? change(part) : part))
      .join('.');
  const encode = (value: object) => base64url.encode(JSON.stringify(value));
  type Oidc = Awaited<ReturnType<typeof startIssuer>>;
  it.each<[string, (oidc: Oidc) => Promise<string>, string]>([
    ['the signature of another key', (oidc) => oidc.sign({}, keys.foreign), 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
    ['no signature', async (oidc) => altered(await oidc.sign(), 2, () => ''), 'ERR_JWS_SIGNATURE'],
    [
      'half a signature',
      async (oidc) => altered(await oidc.sign(), 2, (part) => part.slice(0, 100)),
      'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    ],
    [
      'other claims than were signed',
      async (oidc) => altered(await oidc.sign(), 1, () => encode({ iss: oidc.issuer, ...good, sub: 'root' })),
      'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    ],
    [
      'the algorithm none',
      async (oidc) => new UnsecuredJWT({ iss: oidc.issuer, ...good }).encode(),
      'ERR_JOSE_ALG_NOT_ALLOWED',
    ],
    [
      'the algorithm none and a signature',
      async (oidc) => altered(await oidc.sign(), 0, () => encode({ alg: 'none' })),
      'ERR_JOSE_ALG_NOT_ALLOWED',
    ],
    [
      'HS256 and the public key as the secret',
      async (oidc) => {
        const text = `${encode({ alg: 'HS256', kid: 'rs' })}.${encode({ iss: oidc.issuer, ...good })}`;
        const secret = await exportSPKI(keys.rs.publicKey);
        return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
      },
      'ERR_JOSE_ALG_NOT_ALLOWED',
    ],
    ['another algorithm', (oidc) => oidc.sign({}, keys.es384), 'ERR_JOSE_ALG_NOT_ALLOWED'],
    [
      'the algorithm of another key',
      async (oidc) => oidc.sign({}, { ...keys.ps, kid: 'rs' }),
      'ERR_JWKS_NO_MATCHING_KEY',
    ],
    [
      'a critical extension',
      async (oidc) =>
        altered(await oidc.sign(), 0, () => encode({ alg: 'RS256', kid: 'rs', crit: ['the-secret'], 'the-secret': 1 })),
      'ERR_JOSE_NOT_SUPPORTED',
    ],
    ['a key of nobody', (oidc) => oidc.sign({}, keys.next), 'ERR_JWKS_NO_MATCHING_KEY'],
  ])('with %s is refused', async (_, make, reason) => {
    await using oidc = await startIssuer();
    oidc.state.published = [keys.rs, keys.es, keys.ps, keys.es384];
    const error: unknown = await oidc.ask(await make(oidc)).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toMatch(reason);
    expect((error as Error).message).not.toMatch(/the-secret|jane|root/);
  });

  it('of another issuer, or that is not an ID token, is ignored, and no issuer is asked', async () => {
    await using oidc = await startIssuer();
    const others = await Promise.all(
      ['https://issuer.example', `${oidc.issuer}/`, oidc.issuer.toUpperCase(), '', 7, undefined].map((iss) =>
        oidc.sign({ iss }),
      ),
    );
    for (const token of ['abc', 'a.b.c', '..', 'e30.e30.', 'eyJhbGciOiJub25lIn0.W10.', ...others]) {
      expect(oidc.authenticate(request(`Bearer ${token}`))).toBeUndefined();
    }
    expect(oidc.authenticate(request())).toBeUndefined();
    expect(oidc.authenticate(request(`Basic ${await oidc.sign()}`))).toBeUndefined();
    expect(oidc.paths()).toEqual([]);
  });
});

describe('claims of choice', () => {
  it.each<[Partial<OpenidConnect>, object, object]>([
    [{ usernameClaim: 'name' }, { name: 'Jané "D"' }, { name: '#Jané "D"', groups: [] }],
    [{ usernameClaim: 'email' }, { email: 'j@x.org' }, { name: 'j@x.org', groups: [] }],
    [{ usernameClaim: 'email' }, { email: 'j@x.org', email_verified: true }, { name: 'j@x.org', groups: [] }],
    [{}, { groups: ['dev'] }, { name: '#jane', groups: [] }],
    [{ groupsClaim: 'roles' }, { roles: ['dev', 'a,b', ''] }, { name: '#jane', groups: ['dev', 'a,b', ''] }],
    [{ groupsClaim: 'roles' }, { roles: 'dev, ops' }, { name: '#jane', groups: ['dev, ops'] }],
    [{ groupsClaim: 'roles' }, { roles: [] }, { name: '#jane', groups: [] }],
    [{ groupsClaim: 'roles' }, { roles: null }, { name: '#jane', groups: [] }],
    [{ groupsClaim: 'roles' }, {}, { name: '#jane', groups: [] }],
  ])('%j of %j', async (settings, claims, expected) => {
    await using oidc = await startIssuer(settings);
    const user = await oidc.user(claims);
    expect({ ...user, name: user?.name.replace(oidc.issuer, '') }).toEqual(expected);
  });

  it.each<[Partial<OpenidConnect>, object, string]>([
    [{ usernameClaim: 'name' }, {}, 'no user name'],
    [{ usernameClaim: 'email' }, { email: 'j@x.org', email_verified: false }, 'is not verified'],
    [{ usernameClaim: 'email' }, { email: 'j@x.org', email_verified: 'true' }, 'is not verified'],
    [{ groupsClaim: 'roles' }, { roles: 7 }, 'neither a string nor a list of strings'],
    [{ groupsClaim: 'roles' }, { roles: ['dev', 7] }, 'neither a string nor a list of strings'],
    [{ groupsClaim: 'roles' }, { roles: { dev: true } }, 'neither a string nor a list of strings'],
  ])('%j refuse %j', async (settings, claims, reason) => {
    await using oidc = await startIssuer(settings);
    await expect(oidc.user(claims)).rejects.toThrow(reason);
  });
});
