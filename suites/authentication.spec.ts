// Authentication: who gets in, as whom, and who stays out.
import { compareOdd, sendWith, sendWithWrong, showBeside, showTwo } from './authentication/general.js';
import {
  breakPassword,
  breakToken,
  showLarge,
  showNothing,
  showScheme,
  showTwice,
  spellScheme,
} from './authentication/headers.js';
import { askAsNobody, showWrong, writeAsNobody } from './authentication/refused.js';
import { confirmPassword, loseIdentityService, loseIssuer, rotate, showIdToken } from './authentication/remote.js';
import { restart } from './authentication/restarts.js';
import { keptOut, keptOutWhole, letIn, notAccepted, unauthorized } from './support/acceptance.js';
import { defineChapter } from './support/chapter.js';
import { clientError, equal, fail, oneOf, Unjudged } from './support/expect.js';
import type { RawAnswer } from './support/rawRequest.js';
import { hasExtra, hasGroups, hasName, hasUid, identityOf, showBad, showGood } from './support/shown.js';

/** The answer is a client error, or the target hung up. */
function refusedOrClosed({ reply }: RawAnswer): void {
  keptOut(reply);
}

type Restarted = Awaited<ReturnType<typeof restart>>;

/** The change does not count before the next start, and counts from then on. */
function countsFromStart({ running, after }: Restarted): void {
  keptOut(running.changed);
  letIn(after.changed);
  keptOut(after.old);
}

defineChapter(
  'authentication',
  {
    authenticatedOperations: sendWith,
    refusedOperations: sendWithWrong,
    enabledMechanisms: showGood,
    goodBesideBad: showBeside,
    twoUsers: showTwo,
    oddUsers: compareOdd,
    refusedWrites: writeAsNobody,
    refusedPaths: askAsNobody,
    schemeSpellings: spellScheme,
    otherSchemes: showScheme,
    emptyValues: showNothing,
    controlCharacters: breakToken,
    oversizedCredentials: showLarge,
    twoHeaders: showTwice,
    refusals: showWrong,
    staticTokens: showGood,
    staticTokenGroup: showGood,
    staticTokenGroups: showGood,
    cutStaticTokens: showBad,
    similarStaticTokens: showBad,
    tokenRestarts: restart,
    staticPasswords: showGood,
    wrongStaticPasswords: showBad,
    passwordsWithColons: showGood,
    passwordsCutAtColon: showBad,
    passwordsInUtf8: showGood,
    malformedPasswords: breakPassword,
    passwordRestarts: restart,
    openidUsers: showIdToken,
    openidSignatures: showBad,
    openidAudiences: showBad,
    openidAuthorizedParties: showGood,
    openidIssuers: showBad,
    openidTimes: showBad,
    openidUnsigned: showBad,
    openidAlgorithms: showGood,
    openidRotations: rotate,
    openidOutages: loseIssuer,
    identityServiceUsers: confirmPassword,
    identityServiceInUtf8: showGood,
    identityServiceRefusals: showBad,
    identityServiceOutages: loseIdentityService,
  },
  {
    'every-operation': letIn,
    'several-enabled': (seen) => {
      letIn(seen.reply);
      if (seen.identity !== undefined) hasName(seen);
    },
    'authenticated-group': (seen) => hasGroups(seen, ['system:authenticated']),
    'one-succeeds': letIn,
    'either-user': ({ names, seen }) => oneOf(identityOf(seen).name, names, 'the user name'),
    'opaque-attributes': ({ seen, own, other }) => {
      letIn(seen.reply);
      equal(JSON.stringify(own), JSON.stringify(other), 'answers beside those to another user');
      hasName(seen);
      hasUid(seen);
      hasGroups(seen);
      hasExtra(seen);
    },
    refused: keptOutWhole,
    'refused-401': unauthorized,
    'refused-without-effect': ({ replies, created, before, after }) => {
      replies.forEach(keptOutWhole);
      if (created !== undefined) fail('a create that was not let in created');
      equal(after, String(before), 'resourceVersion of the object after writes that were not let in');
    },
    'refused-before-path': (replies) => {
      replies.forEach(unauthorized);
    },
    'scheme-case': letIn,
    'other-scheme': unauthorized,
    'empty-value': ({ reply, error }) => keptOut(reply ?? fail(error ?? 'no answer')),
    'control-characters': refusedOrClosed,
    oversized: ({ answer: { reply, error }, next }) => {
      clientError(reply ?? fail(`the connection was closed without an answer: ${error}`));
      letIn(next);
    },
    'two-headers': ({ reply, error }, { variant }) => {
      const answer = reply ?? fail(error ?? 'no answer');
      if (variant !== 'the good one first' || answer.status > 299) keptOut(answer);
    },
    'no-leak': ({ reply, repeats }) => {
      if (repeats) fail(`${reply.request}: the refusal repeats the credential`);
    },
    token: ({ reply }) => letIn(reply),
    'token-identity': (seen) => {
      hasName(seen);
      hasUid(seen);
    },
    'token-group': (seen) => hasGroups(seen),
    'token-groups': (seen) => hasGroups(seen),
    'token-truncated': keptOut,
    'token-similar': keptOut,
    'token-restart': countsFromStart,
    'token-lasting': ({ running }) => letIn(running.old),
    password: ({ reply }) => letIn(reply),
    'password-identity': (seen) => {
      hasName(seen);
      hasUid(seen);
    },
    'password-wrong': keptOut,
    'password-colon': ({ reply }) => letIn(reply),
    'password-cut-at-colon': keptOut,
    'password-utf8': hasName,
    'password-malformed': keptOut,
    'password-restart': countsFromStart,
    'password-lasting': ({ running }: Restarted) => letIn(running.old),
    openid: ({ seen }) => letIn(seen.reply),
    'openid-user-name': ({ seen, claim }) => {
      if (claim !== undefined) throw new Unjudged('skipped', `the server was told the claim of user names, ${claim}`);
      hasName(seen);
    },
    'openid-claims': ({ seen }) => {
      hasName(seen);
      hasGroups(seen);
    },
    'openid-signature': keptOut,
    'openid-audience': keptOut,
    'openid-authorized-party': hasName,
    'openid-issuer': keptOut,
    'openid-expired': keptOut,
    'openid-unsigned': keptOut,
    'openid-algorithms': hasName,
    'openid-rotation': letIn,
    'openid-issuer-down': (replies) => replies.forEach(letIn),
    'identity-service': ({ seen }) => {
      letIn(seen.reply);
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
      others.forEach(letIn);
    },
  },
);
