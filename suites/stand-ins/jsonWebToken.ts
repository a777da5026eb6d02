// Changes a signed JSON Web Token without its key, so that a server must refuse it.
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

type Claims = Readonly<Record<string, unknown>>;

const partsOf = (token: string): string[] => token.split('.');
const read = (part: string | undefined): Claims => {
  return JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8')) as Claims;
};
const write = (value: Claims): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function withClaims(token: string, change: Claims): string {
  const [header, payload, signature] = partsOf(token);
  return `${header}.${write({ ...read(payload), ...change })}.${signature}`;
}

/** Returns the token with one changed bit in its signature. */
export function withOtherSignature(token: string): string {
  const [header, payload, signature = ''] = partsOf(token);
  const bytes = Buffer.from(signature, 'base64url');
  bytes[10] = (bytes[10] ?? 0) ^ 1;
  return `${header}.${payload}.${bytes.toString('base64url')}`;
}

/** Returns the header and the payload only. */
export function withoutSignature(token: string): string {
  return partsOf(token).slice(0, 2).join('.');
}

const withoutAlgorithm =
  (alg: string) =>
  (token: string): string => {
    const [header, payload] = partsOf(token);
    return `${write({ ...read(header), alg })}.${payload}.`;
  };

/** Returns the token with the algorithm `none` and an empty signature. */
export const unsigned = withoutAlgorithm('none');
/** Does the same in capitals, which a list of forbidden names may lack. */
export const unsignedInCapitals = withoutAlgorithm('NONE');

/** Returns the same claims signed with the suite's own key, under the issuer's key id unless the change sets one. */
export async function signedByUs(token: string, change: Claims = {}): Promise<string> {
  const [head, payload] = partsOf(token);
  const header = { ...read(head), ...change } as { readonly alg: string };
  const { privateKey } = await generateKeyPair(header.alg);
  return await new SignJWT({ ...read(payload) }).setProtectedHeader(header).sign(privateKey);
}

/** Returns the same claims signed with a key of the suite's own, which the token brings along in its header. */
export async function signedByOwnKey(token: string): Promise<string> {
  const [head, payload] = partsOf(token);
  const { kid: _, ...header } = read(head) as { readonly alg: string; readonly kid?: string };
  const { privateKey, publicKey } = await generateKeyPair(header.alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return await new SignJWT({ ...read(payload) }).setProtectedHeader({ ...header, jwk }).sign(privateKey);
}

/** Returns the same claims with HS256 and this secret, which is public. */
export async function signedWithSecret(token: string, secret: string): Promise<string> {
  const [header, payload] = partsOf(token);
  const key = new TextEncoder().encode(secret);
  return await new SignJWT({ ...read(payload) }).setProtectedHeader({ ...read(header), alg: 'HS256' }).sign(key);
}
