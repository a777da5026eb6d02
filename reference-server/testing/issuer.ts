// For tests: an issuer of service account tokens.
import { makeSigningKey } from '../serviceaccounts/signingKey.js';
import { TokenIssuer } from '../serviceaccounts/tokenIssuer.js';

/** Signs with a key of this process; its authority is no certificate. */
export const testIssuer = new TokenIssuer(makeSigningKey(), 'an authority');
