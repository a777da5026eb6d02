// Authentication: which credentials are accepted, for which user, and which are refused.
import {
  compareOdd,
  sendTwoCredentials,
  sendWith,
  sendWithOtherHeader,
  sendWithWrong,
} from './authentication/general.js';
import {
  breakPassword,
  breakToken,
  sendAuthorizationTwice,
  sendEmptyCredential,
  sendLargeCredential,
  sendScheme,
  spellScheme,
} from './authentication/headers.js';
import { readUnauthenticated, sendWrongCredential, writeUnauthenticated } from './authentication/refused.js';
import { confirmPassword, loseIdentityService, loseIssuer, rotate, sendIdToken } from './authentication/remote.js';
import { restart } from './authentication/restarts.js';
import { clientError, equal, fail, oneOf, Unchecked } from './support/http/expect.js';
import type { RawAnswer } from './support/http/rawRequest.js';
import { accepted, notAccepted, rejected, rejectedForAnonymous, unauthorized } from './support/run/acceptance.js';
import { defineChapter } from './support/run/chapter.js';
import {
  hasExtra,
  hasGroups,
  hasName,
  hasUid,
  identityOf,
  sendBadCredential,
  sendGoodCredential,
} from './support/run/credentialChecks.js';

/** Throws Failure unless the response is a client error or the target closed the connection. */
function refusedOrClosed({ reply }: RawAnswer): void {
  rejected(reply);
}

type Restarted = Awaited<ReturnType<typeof restart>>;

/** Throws Failure unless the change takes effect at the next start, and not before. */
function countsFromStart({ running, after }: Restarted): void {
  rejected(running.changed);
  accepted(after.changed);
  rejected(after.old);
}

defineChapter(
  'authentication',
  {
    authenticatedOperations: sendWith,
    refusedOperations: sendWithWrong,
    enabledMechanisms: sendGoodCredential,
    goodBesideBad: sendWithOtherHeader,
    twoUsers: sendTwoCredentials,
    oddUsers: compareOdd,
    refusedWrites: writeUnauthenticated,
    refusedPaths: readUnauthenticated,
    schemeSpellings: spellScheme,
    otherSchemes: sendScheme,
    emptyValues: sendEmptyCredential,
    controlCharacters: breakToken,
    oversizedCredentials: sendLargeCredential,
    twoHeaders: sendAuthorizationTwice,
    refusals: sendWrongCredential,
    staticTokens: sendGoodCredential,
    staticTokenGroup: sendGoodCredential,
    staticTokenGroups: sendGoodCredential,
    cutStaticTokens: sendBadCredential,
    similarStaticTokens: sendBadCredential,
    tokenRestarts: restart,
    staticPasswords: sendGoodCredential,
    wrongStaticPasswords: sendBadCredential,
    passwordsWithColons: sendGoodCredential,
    passwordsCutAtColon: sendBadCredential,
    passwordsInUtf8: sendGoodCredential,
    malformedPasswords: breakPassword,
    passwordRestarts: restart,
    openidUsers: sendIdToken,
    openidSignatures: sendBadCredential,
    openidAudiences: sendBadCredential,
    openidAuthorizedParties: sendGoodCredential,
    openidIssuers: sendBadCredential,
    openidTimes: sendBadCredential,
    openidUnsigned: sendBadCredential,
    openidAlgorithms: sendGoodCredential,
    openidRotations: rotate,
    openidOutages: loseIssuer,
    identityServiceUsers: confirmPassword,
    identityServiceInUtf8: sendGoodCredential,
    identityServiceRefusals: sendBadCredential,
    identityServiceOutages: loseIdentityService,
  },
  {
    'every-operation': accepted,
    'several-enabled': (seen) => {
      accepted(seen.reply);
      if (seen.identity !== undefined) hasName(seen);
    },
    'authenticated-group': (seen) => hasGroups(seen, ['system:authenticated']),
    'one-succeeds': accepted,
    'either-user': ({ names, seen }) => oneOf(identityOf(seen).name, names, 'the user name'),
    'opaque-attributes': ({ seen, own, other }) => {
      accepted(seen.reply);
      equal(JSON.stringify(own), JSON.stringify(other), 'answers beside those to another user');
      hasName(seen);
      hasUid(seen);
      hasGroups(seen);
      hasExtra(seen);
    },
    refused: rejectedForAnonymous,
    'refused-401': unauthorized,
    'refused-without-effect': ({ replies, created, before, after }) => {
      replies.forEach(rejectedForAnonymous);
      if (created !== undefined) fail('a create that was not let in created');
      equal(after, String(before), 'resourceVersion of the object after writes that were not let in');
    },
    'refused-before-path': (replies) => {
      replies.forEach(unauthorized);
    },
    'scheme-case': accepted,
    'other-scheme': unauthorized,
    'empty-value': ({ reply, error }) => rejected(reply ?? fail(error ?? 'no answer')),
    'control-characters': refusedOrClosed,
    // A server or its load balancer may close the connection before it has read the whole token.
    oversized: ({ answer: { reply }, next }) => {
      if (reply !== undefined) clientError(reply);
      accepted(next);
    },
    'two-headers': ({ reply, error }, { variant }) => {
      const answer = reply ?? fail(error ?? 'no answer');
      if (variant !== 'the good one first' || answer.status > 299) rejected(answer);
    },
    'no-leak': ({ reply, repeats }) => {
      if (repeats) fail(`${reply.request}: the refusal repeats the credential`);
    },
    token: ({ reply }) => accepted(reply),
    'token-identity': (seen) => {
      hasName(seen);
      hasUid(seen);
    },
    'token-group': (seen) => hasGroups(seen),
    'token-groups': (seen) => hasGroups(seen),
    'token-truncated': rejected,
    'token-similar': rejected,
    'token-restart': countsFromStart,
    'token-lasting': ({ running }) => accepted(running.old),
    password: ({ reply }) => accepted(reply),
    'password-identity': (seen) => {
      hasName(seen);
      hasUid(seen);
    },
    'password-wrong': rejected,
    'password-colon': ({ reply }) => accepted(reply),
    'password-cut-at-colon': rejected,
    'password-utf8': hasName,
    'password-malformed': rejected,
    'password-restart': countsFromStart,
    'password-lasting': ({ running }: Restarted) => accepted(running.old),
    openid: ({ seen }) => accepted(seen.reply),
    'openid-user-name': ({ seen, claim }) => {
      if (claim !== undefined) throw new Unchecked('skipped', `the server was told the claim of user names, ${claim}`);
      hasName(seen);
    },
    'openid-claims': ({ seen }) => {
      hasName(seen);
      hasGroups(seen);
    },
    'openid-signature': rejected,
    'openid-audience': rejected,
    'openid-authorized-party': hasName,
    'openid-issuer': rejected,
    'openid-expired': rejected,
    'openid-unsigned': rejected,
    'openid-algorithms': hasName,
    'openid-rotation': accepted,
    'openid-issuer-down': (replies) => replies.forEach(accepted),
    'identity-service': ({ seen }) => {
      accepted(seen.reply);
      if (seen.identity !== undefined) hasName(seen);
    },
    'identity-service-asked': ({ asked, rightly }) => {
      if (asked === 0) fail('the identity service was not asked about the user');
      if (!rightly) fail('the identity service was not asked with the password');
    },
    'identity-service-refused': notAccepted,
    'identity-service-utf8': hasName,
    'identity-service-down': ({ own, others }) => {
      notAccepted(own);
      others.forEach(accepted);
    },
  },
);
