// The subject sets of service accounts: the Secrets of an account, its tokens, and the end of the tokens.
import { type Subject, serverVariants } from './build.js';

/** Returns subjects that need the tokens of service accounts. */
const ofTokens = (...variants: readonly string[]) =>
  serverVariants(variants).map((subject) => ({ ...subject, mechanism: 'serviceAccountToken' as const }));

export const serviceAccountsSets = {
  manualAccounts: serverVariants(['an account']),
  accountSecrets: ofTokens('a new account'),
  handmadeSecrets: ofTokens('a Secret by hand'),
  accountTokens: ofTokens('a token of an account'),
  forgedAccountTokens: ofTokens(
    'its end is missing',
    'its signature is missing',
    'its signature is changed',
    'its payload is changed',
    'a key of ours signed it',
    'a key in its header signed it',
  ),
  otherAccountAlgorithms: ofTokens('none', 'NONE', 'HS256 with the public key'),
  endedAccountTokens: ofTokens('what a token stands on'),
  tokenMounts: ofTokens('pods'),
  podTokens: ofTokens('a process in a pod').map((subject) => ({ ...subject, node: 'running' as const })),
} as const satisfies Record<string, readonly Subject[]>;
