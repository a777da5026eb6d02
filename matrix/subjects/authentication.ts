// The subject sets of the authentication chapter: mechanisms, and the names of the good and bad credentials of each.
import { type Mechanism, mechanisms } from '../api/index.js';
import { alone, perOperation, perVariant, type Subject, serverVariants, stated, type Table } from './build.js';

const names = Object.keys(mechanisms) as Mechanism[];

export const shown = (mechanism: Mechanism, variants: readonly string[]): Subject[] =>
  variants.map((variant) => ({ id: `${mechanism}, ${variant}`, resource: 'server', mechanism, variant }));

export const perMechanism = (of: readonly Mechanism[]): Subject[] =>
  of.map((mechanism) => ({ id: mechanism, resource: 'server', mechanism }));

const oneGroup = ['oneGroup', 'hash', 'quotes', 'comma', 'colons'];
const severalGroups = ['severalGroups', 'spaces', 'utf8', 'markup', 'long'];
const withoutGroups = ['noGroups', 'oddToken', 'longToken'];

/** Returns the subject sets of every kind for the operations of a table. */
export const authenticationSetsOf = ({ operations }: Table) => ({
  authenticatedOperations: perOperation(operations).flatMap((subject) =>
    names.map((mechanism) => ({ ...subject, id: `${subject.id}, ${mechanism}`, mechanism })),
  ),
  refusedOperations: perVariant(operations, ['a wrong password', 'a certificate of another authority']),
});

export const authenticationSets = {
  ...authenticationSetsOf(stated),
  enabledMechanisms: perMechanism(names),
  goodBesideBad: [
    ...shown('clientCertificate', ['beside a wrong token', 'beside a wrong password']),
    ...perMechanism(names.filter((name) => name !== 'clientCertificate')).map((subject) => ({
      ...subject,
      id: `${subject.id}, beside a certificate of another authority`,
    })),
  ],
  twoUsers: perMechanism(['staticToken', 'staticPassword']),
  oddUsers: [
    ...shown('clientCertificate', ['utf8', 'odd']),
    ...shown('staticToken', ['spaces', 'utf8', 'hash', 'quotes', 'comma', 'markup', 'colons', 'long']),
    ...shown('staticPassword', ['colons', 'spaces', 'hash', 'quotes', 'comma', 'long']),
    ...shown('openidConnect', ['oddGroups']),
    ...shown('webhookTokenReview', ['nameOnly', 'odd']),
  ],
  refusedWrites: serverVariants(['create', 'replace', 'patch', 'delete', 'delete-collection']),
  refusedPaths: serverVariants(['an unknown resource', 'an unknown group', 'an unknown version', 'outside the API']),
  guardedRequests: serverVariants([
    'a watch',
    'a log',
    'a proxy',
    'a connection',
    'a second slash',
    'dots in the path',
    'a user in the headers of a proxy',
    'a HEAD',
  ]),
  schemeSpellings: [
    ...shown('staticToken', ['bearer', 'BEARER', 'bEaReR']),
    ...shown('staticPassword', ['basic', 'BASIC', 'bAsIc']),
  ],
  otherSchemes: serverVariants(['Digest', 'Negotiate', 'Token', 'Bearer-Token', 'no scheme']),
  emptyValues: serverVariants(['Bearer', 'Bearer and a space', 'Basic', 'Basic and a space', 'nothing']),
  controlCharacters: serverVariants(['NUL', 'SOH', 'ESC', 'DEL', 'a lone CR', 'a lone LF', 'a folded line']),
  oversizedCredentials: serverVariants(['a token', 'a password']),
  twoHeaders: shown('staticToken', ['the good one first', 'the good one second']),
  impersonations: serverVariants([
    'a user',
    'a user with a group and an extra attribute',
    'a service account',
    'a group alone',
    'an administrator, by a user without rights',
  ]),
  refusals: serverVariants(['a wrong token', 'a wrong password', 'a token of three parts']),
  staticTokens: shown('staticToken', [...severalGroups, ...oneGroup, ...withoutGroups]),
  staticTokenGroup: shown('staticToken', oneGroup),
  staticTokenGroups: shown('staticToken', severalGroups),
  cutStaticTokens: shown('staticToken', ['truncated', 'extended']),
  similarStaticTokens: shown('staticToken', ['otherCase', 'userName', 'wholeLine', 'password', 'otherEnd']),
  tokenRestarts: perMechanism(['staticToken']),
  passwordRestarts: perMechanism(['staticPassword']),
  staticPasswords: shown('staticPassword', ['plain', 'colons', 'spaces', 'hash', 'quotes', 'comma', 'long']),
  wrongStaticPasswords: shown('staticPassword', [
    'otherUsersPassword',
    'truncated',
    'extended',
    'empty',
    'unknownUser',
    'otherCase',
    'otherCaseOfName',
    'blankBehind',
    'blankBehindName',
    'zeroBehind',
    'token',
    'otherEnd',
  ]),
  passwordsWithColons: shown('staticPassword', ['colons']),
  passwordsCutAtColon: shown('staticPassword', ['cutAtColon']),
  passwordsInUtf8: shown('staticPassword', ['utf8']),
  malformedPasswords: shown('staticPassword', ['no base64', 'cut base64', 'no colon', 'no user name', 'no UTF-8']),
  openidUsers: shown('openidConnect', ['rs256', 'oneGroup', 'noGroups', 'oddGroups']),
  openidSignatures: shown('openidConnect', [
    'otherSignature',
    'otherPayload',
    'foreignKey',
    'unknownKey',
    'keyInHeader',
    'truncated',
  ]),
  openidAudiences: shown('openidConnect', ['otherAudience', 'noAudience', 'similarAudience', 'authorizedPartyAlone']),
  openidAuthorizedParties: shown('openidConnect', ['authorizedParty']),
  openidIssuers: shown('openidConnect', ['otherIssuer', 'similarIssuer']),
  openidTimes: shown('openidConnect', ['expired', 'notYetValid', 'noExpiry']),
  openidNameless: shown('openidConnect', ['nameless']),
  openidExpiries: perMechanism(['openidConnect']),
  openidUnsigned: shown('openidConnect', ['none', 'NONE', 'publicKeyAsSecret']),
  openidAlgorithms: [
    ...shown('openidConnect', ['rs256']),
    ...shown('openidConnect', ['es256', 'ps256']).map((subject) => ({
      ...subject,
      feature: 'jwt-algorithms' as const,
    })),
  ],
  openidRotations: perMechanism(['openidConnect']),
  openidOutages: perMechanism(['openidConnect']).map(alone),
  identityServiceUsers: shown('identityServicePassword', ['plain', 'colons']),
  identityServiceInUtf8: shown('identityServicePassword', ['utf8']),
  identityServiceRefusals: shown('identityServicePassword', [
    'otherPassword',
    'otherUsersPassword',
    'unknownUser',
    'emptyPassword',
    'failing',
    'confirmingNothing',
  ]),
  identityServiceOutages: shown('identityServicePassword', ['unreachable', 'reset', 'silence']).map(alone),
} as const satisfies Record<string, readonly Subject[]>;
