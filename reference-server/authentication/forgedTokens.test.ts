// Tests that forged service account tokens are refused.
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../server.js';
import { ask } from '../testing/standIn.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const publicPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' });
const secrets = '/api/v1/namespaces/default/secrets';
let folder: string;
let server: RunningServer;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forged-tokens-'));
  const serviceAccountKeyFile = join(folder, 'accounts.key');
  await writeFile(serviceAccountKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  server = await startServer({ serviceAccountKeyFile });
  const { items } = JSON.parse((await ask(server, secrets)).text) as { items: { data: { token: string } }[] };
  token = Buffer.from(items[0]?.data.token ?? '', 'base64').toString();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const statusWith = async (bearer: string) =>
  (await ask(server, secrets, { headers: { Authorization: `Bearer ${bearer}` } })).status;

describe('a forged token', () => {
  const signed = (claims: JWTPayload, alg: string, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT(claims).setProtectedHeader({ alg }).sign(key);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it.each<[string, (claims: JWTPayload) => string | Promise<string>]>([
    ['without a signature', (claims) => new UnsecuredJWT(claims).encode()],
    ['whose signature is cut off', () => token.slice(0, token.lastIndexOf('.') + 1)],
    ['whose algorithm is none', (claims) => `${part({ alg: 'none' })}.${part(claims)}.${token.split('.')[2]}`],
    ['signed by another key', (claims) => signed(claims, 'RS256', other)],
    ['signed with the public key as a secret', (claims) => signed(claims, 'HS256', Buffer.from(publicPem))],
    ['signed with another algorithm of the key', (claims) => signed(claims, 'PS256', privateKey)],
    ['that says more than the Secret holds', (claims) => signed({ ...claims, more: 1 }, 'RS256', privateKey)],
    ['of another issuer', (claims) => signed({ ...claims, iss: 'https://example.com' }, 'RS256', privateKey)],
    ['about another account', (claims) => withClaims({ ...claims, sub: 'x' })],
    ['that names no Secret', ({ iss, sub = '' }) => signed({ sub, ...(iss && { iss }) }, 'RS256', privateKey)],
    ['with a part too many', () => `${token}.x`],
    ['with a part too few', () => token.split('.').slice(0, 2).join('.')],
    ['that is cut short', () => token.slice(0, -2)],
  ])('%s is refused', async (_, forge) => {
    expect(await statusWith(token)).toBe(200);
    expect(await statusWith(await forge(decodeJwt(token)))).toBe(401);
  });

  function withClaims(claims: JWTPayload): string {
    const [header, , signature] = token.split('.');
    return `${header}.${part(claims)}.${signature}`;
  }
});
