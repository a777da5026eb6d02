// Tests the key of service account tokens: valid files, and the key of a data directory.
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OptionError } from '../optionValues.js';
import { keptSigningKey, readSigningKey } from './signingKey.js';
import { TokenIssuer } from './tokenIssuer.js';

const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).privateKey;
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey;
const subject = { namespace: 'ns', secret: 'robot-token', account: 'robot', uid: 'u1' };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signing-key-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function written(text: string | Buffer): Promise<string> {
  const file = join(folder, 'given.key');
  await writeFile(file, text);
  return file;
}

describe('a key file', () => {
  it.each<[string, string, () => string | Buffer]>([
    ['RSA', 'RS256', () => rsa(2048).export({ type: 'pkcs1', format: 'pem' })],
    ['RSA in PKCS #8', 'RS256', () => rsa(2048).export({ type: 'pkcs8', format: 'pem' })],
    ['P-256', 'ES256', () => ec('P-256').export({ type: 'sec1', format: 'pem' })],
    ['P-384', 'ES384', () => ec('P-384').export({ type: 'pkcs8', format: 'pem' })],
    ['P-521', 'ES512', () => ec('P-521').export({ type: 'sec1', format: 'pem' })],
  ])('with %s signs with %s', async (_, algorithm, pem) => {
    const key = await readSigningKey(await written(pem()));
    expect(key.algorithm).toBe(algorithm);
    const issuer = new TokenIssuer(key, '');
    const token = await issuer.issue(subject);
    expect(issuer.claims(token)).toBe(true);
    expect(await issuer.verify(token)).toEqual(subject);
  });

  const pkcs8 = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' });
  const noKey = 'holds no PEM private key without a passphrase';
  const otherKey = 'give an RSA key of 2048 bits or more, or an EC key on P-256, P-384 or P-521';
  it.each<[string, () => string | Buffer, string]>([
    ['nothing', () => '', noKey],
    ['a public key', () => createPublicKey(ec('P-256')).export({ type: 'spki', format: 'pem' }), noKey],
    [
      'a locked key',
      () => ec('P-256').export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }),
      noKey,
    ],
    ['a short RSA key', () => pkcs8(rsa(1024)), otherKey],
    ['another curve', () => pkcs8(ec('secp256k1')), otherKey],
    ['another kind of key', () => pkcs8(generateKeyPairSync('ed25519').privateKey), otherKey],
  ])('with %s is refused', async (_, pem, why) => {
    const refusal = readSigningKey(await written(pem()));
    await expect(refusal).rejects.toThrow(why);
    await expect(refusal).rejects.toThrow(/^--service-account-key-file: .*given\.key/);
    await expect(refusal).rejects.toBeInstanceOf(OptionError);
  });

  it('that does not exist is refused', async () => {
    await expect(readSigningKey(join(folder, 'none'))).rejects.toThrow(
      /^--service-account-key-file: cannot read .*none: there is none \(ENOENT\)$/,
    );
  });
});

describe('a data directory', () => {
  it('keeps the generated key, readable for its owner only', async () => {
    const made = await keptSigningKey(folder);
    const file = join(folder, 'service-account.key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const token = await new TokenIssuer(made, '').issue(subject);
    const kept = await keptSigningKey(folder);
    expect(kept.id).toBe(made.id);
    expect(await new TokenIssuer(kept, '').verify(token)).toEqual(subject);
  });

  it('with a broken key is refused, and the key is not replaced', async () => {
    const file = join(folder, 'service-account.key');
    await writeFile(file, 'broken');
    await expect(keptSigningKey(folder)).rejects.toThrow(
      /^--data-dir: .*service-account\.key holds no PEM private key/,
    );
    expect(await readFile(file, 'utf8')).toBe('broken');
  });
});

it('an issuer caches a limited number of tokens, and verifies the others again', async () => {
  const issuer = new TokenIssuer(
    await readSigningKey(await written(ec('P-256').export({ type: 'sec1', format: 'pem' }))),
    '',
  );
  const tokens = await Promise.all(
    Array.from({ length: 1010 }, (_, index) => issuer.issue({ ...subject, uid: `u${index}` })),
  );
  for (const token of tokens) await issuer.verify(token);
  expect((await issuer.verify(tokens[0] ?? '')).uid).toBe('u0');
  expect((await issuer.verify(tokens.at(-1) ?? '')).uid).toBe('u1009');
});
