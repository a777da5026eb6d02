// Authentication: which credentials are accepted, for which user, and which are refused.

import { clientError, fail, oneOf, same, statusObject, Unchecked } from '../client/expect.js';
import type { RawAnswer } from '../client/rawRequest.js';
import { changedNothing } from '../objects/refused.js';
import { accepted, notAccepted, rejected, rejectedForAnonymous, unauthorized } from '../run/acceptance.js';
import { defineChapter } from '../run/chapter.js';
import {
  hasExtra,
  hasGroups,
  hasName,
  hasUid,
  identityOf,
  sendBadCredential,
  sendGoodCredential,
} from '../run/credentialChecks.js';
import { group } from '../run/group.js';
import { compareOdd, sendTwoCredentials, sendWith, sendWithOtherHeader, sendWithWrong } from './general.js';
import {
  breakPassword,
  breakToken,
  sendAuthorizationTwice,
  sendEmptyCredential,
  sendLargeCredential,
  sendScheme,
  spellScheme,
} from './headers.js';
import { impersonate, isOfNamedUser } from './impersonation.js';
import {
  askUnauthenticated,
  isNotOfUser,
  readUnauthenticated,
  sendWrongCredential,
  writeUnauthenticated,
} from './refused.js';
import { confirmPassword, loseIdentityService, loseIssuer, outliveIdToken, rotate, sendIdToken } from './remote.js';
import { restart } from './restarts.js';

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

defineChapter('authentication', [
  group({
    subjects: 'authenticatedOperations',
    setup: sendWith,
    checks: { 'every-operation': accepted },
  }),
  group({
    subjects: 'refusedOperations',
    setup: sendWithWrong,
    checks: {
      refused: rejectedForAnonymous,
      'refused-401': unauthorized,
    },
  }),
  group({
    subjects: 'enabledMechanisms',
    setup: sendGoodCredential,
    checks: {
      'several-enabled': (seen) => {
        accepted(seen.reply);
        if (seen.identity !== undefined) hasName(seen);
      },
      'authenticated-group': (seen) => {
        hasGroups(seen, ['system:authenticated']);
        const { groups = [], seenIn } = identityOf(seen);
        if (groups.includes('system:unauthenticated')) fail(`the groups, in ${seenIn}: system:unauthenticated too`);
      },
      'forbidden-body': ({ reply }) => reply.status !== 403 || statusObject(reply, 'Forbidden'),
    },
  }),
  group({
    subjects: 'goodBesideBad',
    setup: sendWithOtherHeader,
    checks: { 'one-succeeds': (replies) => replies.forEach(accepted) },
  }),
  group({
    subjects: 'twoUsers',
    setup: sendTwoCredentials,
    checks: {
      'either-user': (records) => {
        for (const { mechanism, users, seen } of records) {
          const { name, groups } = identityOf(seen);
          oneOf(
            name,
            users.map((user) => user.name),
            `the user name, beside a credential of ${mechanism}`,
          );
          if (groups === undefined) continue;
          const user = users.find((each) => each.name === name) ?? seen.user;
          hasUid({ ...seen, user });
          hasGroups({ ...seen, user });
        }
      },
    },
  }),
  group({
    subjects: 'oddUsers',
    setup: compareOdd,
    checks: {
      'opaque-attributes': ({ seen, own, other }) => {
        accepted(seen.reply);
        same(own, other, 'the answers, beside those to another user');
        hasName(seen);
        hasUid(seen);
        hasGroups(seen);
        hasExtra(seen);
      },
    },
  }),
  group({
    subjects: 'refusedWrites',
    setup: writeUnauthenticated,
    checks: {
      'refused-without-effect': ({ replies, created, ...refused }) => {
        replies.forEach(rejectedForAnonymous);
        if (created !== undefined) fail('a create that was not let in created');
        changedNothing(refused);
      },
    },
  }),
  group({
    subjects: 'refusedPaths',
    setup: readUnauthenticated,
    checks: {
      'refused-before-path': (replies) => {
        replies.forEach(unauthorized);
      },
    },
  }),
  group({
    subjects: 'guardedRequests',
    setup: askUnauthenticated,
    checks: {
      'refused-anywhere': (replies, { variant }) => {
        for (const reply of replies) isNotOfUser(reply, variant);
      },
    },
  }),
  group({
    subjects: 'schemeSpellings',
    setup: spellScheme,
    checks: { 'scheme-case': accepted },
  }),
  group({
    subjects: 'otherSchemes',
    setup: sendScheme,
    checks: { 'other-scheme': unauthorized },
  }),
  group({
    subjects: 'emptyValues',
    setup: sendEmptyCredential,
    checks: {
      'empty-value': ({ reply, error }) => rejected(reply ?? fail(error ?? 'no answer')),
    },
  }),
  group({
    subjects: 'controlCharacters',
    setup: breakToken,
    checks: { 'control-characters': refusedOrClosed },
  }),
  group({
    subjects: 'oversizedCredentials',
    setup: sendLargeCredential,
    checks: {
      // A server or its load balancer may close the connection before it has read the whole token.
      oversized: ({ answer: { reply }, next }) => {
        if (reply !== undefined) clientError(reply);
        accepted(next);
      },
    },
  }),
  group({
    subjects: 'twoHeaders',
    setup: sendAuthorizationTwice,
    checks: {
      'two-headers': ({ reply, error }, { variant }) => {
        const answer = reply ?? fail(error ?? 'no answer');
        if (variant !== 'the good one first' || answer.status > 299) rejected(answer);
      },
    },
  }),
  group({
    subjects: 'refusals',
    setup: sendWrongCredential,
    checks: {
      'no-leak': (refusals) => {
        for (const { reply, repeats } of refusals)
          if (repeats) fail(`${reply.request}: the refusal repeats the credential`);
      },
    },
  }),
  group({
    subjects: 'staticTokens',
    setup: sendGoodCredential,
    checks: {
      token: ({ reply }) => accepted(reply),
      'token-identity': (seen) => {
        hasName(seen);
        hasUid(seen);
      },
    },
  }),
  group({
    subjects: 'staticTokenGroup',
    setup: sendGoodCredential,
    checks: { 'token-group': (seen) => hasGroups(seen) },
  }),
  group({
    subjects: 'staticTokenGroups',
    setup: sendGoodCredential,
    checks: { 'token-groups': (seen) => hasGroups(seen) },
  }),
  group({
    subjects: 'cutStaticTokens',
    setup: sendBadCredential,
    checks: { 'token-truncated': rejected },
  }),
  group({
    subjects: 'similarStaticTokens',
    setup: sendBadCredential,
    checks: { 'token-similar': rejected },
  }),
  group({
    subjects: 'tokenRestarts',
    setup: restart,
    checks: {
      'token-restart': countsFromStart,
      'token-lasting': ({ running }) => accepted(running.old),
    },
  }),
  group({
    subjects: 'staticPasswords',
    setup: sendGoodCredential,
    checks: {
      password: ({ reply }) => accepted(reply),
      'password-identity': (seen) => {
        hasName(seen);
        hasUid(seen);
      },
    },
  }),
  group({
    subjects: 'wrongStaticPasswords',
    setup: sendBadCredential,
    checks: { 'password-wrong': rejected },
  }),
  group({
    subjects: 'passwordsWithColons',
    setup: sendGoodCredential,
    checks: { 'password-colon': ({ reply }) => accepted(reply) },
  }),
  group({
    subjects: 'passwordsCutAtColon',
    setup: sendBadCredential,
    checks: { 'password-cut-at-colon': rejected },
  }),
  group({
    subjects: 'passwordsInUtf8',
    setup: sendGoodCredential,
    checks: { 'password-utf8': hasName },
  }),
  group({
    subjects: 'malformedPasswords',
    setup: breakPassword,
    checks: { 'password-malformed': rejected },
  }),
  group({
    subjects: 'passwordRestarts',
    setup: restart,
    checks: {
      'password-restart': countsFromStart,
      'password-lasting': ({ running }) => accepted(running.old),
    },
  }),
  group({
    subjects: 'openidUsers',
    setup: sendIdToken,
    checks: {
      openid: ({ seen }) => accepted(seen.reply),
      'openid-user-name': ({ seen, claim }) => {
        if (claim !== undefined)
          throw new Unchecked('skipped', `the server was told the claim of user names, ${claim}`);
        hasName(seen);
      },
      'openid-claims': ({ seen }) => {
        hasName(seen);
        hasGroups(seen);
      },
    },
  }),
  group({
    subjects: 'openidSignatures',
    setup: sendBadCredential,
    checks: { 'openid-signature': rejected },
  }),
  group({
    subjects: 'openidAudiences',
    setup: sendBadCredential,
    checks: { 'openid-audience': rejected },
  }),
  group({
    subjects: 'openidAuthorizedParties',
    setup: sendGoodCredential,
    checks: { 'openid-authorized-party': hasName },
  }),
  group({
    subjects: 'openidNameless',
    setup: sendBadCredential,
    checks: { 'openid-without-name': rejected },
  }),
  group({
    subjects: 'openidIssuers',
    setup: sendBadCredential,
    checks: { 'openid-issuer': rejected },
  }),
  group({
    subjects: 'openidTimes',
    setup: sendBadCredential,
    checks: { 'openid-expired': rejected },
  }),
  group({
    subjects: 'openidExpiries',
    setup: outliveIdToken,
    checks: {
      'openid-expired-later': ({ before, after }) => {
        accepted(before);
        rejected(after);
      },
    },
  }),
  group({
    subjects: 'impersonations',
    setup: impersonate,
    checks: { impersonation: isOfNamedUser },
  }),
  group({
    subjects: 'openidUnsigned',
    setup: sendBadCredential,
    checks: { 'openid-unsigned': rejected },
  }),
  group({
    subjects: 'openidAlgorithms',
    setup: sendGoodCredential,
    checks: { 'openid-algorithms': hasName },
  }),
  group({
    subjects: 'openidRotations',
    setup: rotate,
    checks: { 'openid-rotation': accepted },
  }),
  group({
    subjects: 'openidOutages',
    setup: loseIssuer,
    checks: { 'openid-issuer-down': (replies) => replies.forEach(accepted) },
  }),
  group({
    subjects: 'identityServiceUsers',
    setup: confirmPassword,
    checks: {
      'identity-service': ({ seen }) => {
        accepted(seen.reply);
        if (seen.identity !== undefined) hasName(seen);
      },
      'identity-service-asked': ({ asked, rightly }) => {
        if (asked === 0) fail('the identity service was not asked about the user');
        if (!rightly) fail('the identity service was not asked with the password');
      },
    },
  }),
  group({
    subjects: 'identityServiceInUtf8',
    setup: sendGoodCredential,
    checks: { 'identity-service-utf8': hasName },
  }),
  group({
    subjects: 'identityServiceRefusals',
    setup: sendBadCredential,
    checks: { 'identity-service-refused': notAccepted },
  }),
  group({
    subjects: 'identityServiceOutages',
    setup: loseIdentityService,
    checks: {
      'identity-service-down': ({ own, others }) => {
        notAccepted(own);
        others.forEach(accepted);
      },
    },
  }),
]);
