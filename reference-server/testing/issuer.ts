// An issuer of service account tokens, for tests.
import { makeSigningKey } from '../serviceaccounts/signingKey.js';
import { TokenIssuer } from '../serviceaccounts/tokenIssuer.js';

/** Signs with a key of this process. Its authority is not a certificate. */
export const testIssuer = new TokenIssuer(makeSigningKey(), 'an authority');
