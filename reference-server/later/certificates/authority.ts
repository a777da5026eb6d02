// The authority of client certificates: its key comes from the key that the storage keeps, so that certificates survive a
// restart, and several servers of one storage sign and accept the same ones.
import { createECDH, createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';
import { authorityOf, type Issued } from '../../../test-certs/index.js';
import type { SigningKey } from '../../serviceaccounts/signingKey.js';

const name = 'kube-api-conformance-client-ca';
const curve = 'prime256v1';
const bytes = 32;

export const clientAuthority = (key: SigningKey): Issued => authorityNamed(name, key);

/** Returns the authority of a name: each name has its own key. */
export const authorityNamed = (name: string, key: SigningKey): Issued =>
  authorityOf(derived(key.privateKey, name), name);

/** Derives a key of P-256. */
function derived(from: KeyObject, name: string): KeyObject {
  const secret = Buffer.from(hkdfSync('sha256', from.export({ type: 'pkcs8', format: 'der' }), '', name, bytes));
  const pair = createECDH(curve);
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const text = (part: Buffer): string => part.toString('base64url');
  const [x, y] = [text(point.subarray(1, 1 + bytes)), text(point.subarray(1 + bytes))];
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d: text(secret), x, y }, format: 'jwk' });
}
