// Changes a signed JSON Web Token without its key, so that a server must refuse it.
import { generateKeyPair, SignJWT } from 'jose';

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

/** Returns the token with the algorithm `none` and an empty signature. */
export function unsigned(token: string): string {
  const [header, payload] = partsOf(token);
  return `${write({ ...read(header), alg: 'none' })}.${payload}.`;
}

/** Returns the same claims signed with the suite's own key, under the issuer's key id unless the change sets one. */
export async function signedByUs(token: string, change: Claims = {}): Promise<string> {
  const [head, payload] = partsOf(token);
  const header = { ...read(head), ...change } as { readonly alg: string };
  const { privateKey } = await generateKeyPair(header.alg);
  return await new SignJWT({ ...read(payload) }).setProtectedHeader(header).sign(privateKey);
}

/** Returns the same claims with HS256 and this secret, which is public. */
export async function signedWithSecret(token: string, secret: string): Promise<string> {
  const [header, payload] = partsOf(token);
  const key = new TextEncoder().encode(secret);
  return await new SignJWT({ ...read(payload) }).setProtectedHeader({ ...read(header), alg: 'HS256' }).sign(key);
}
