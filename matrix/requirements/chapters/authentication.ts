// Authentication: who gets in, as whom, and who stays out. (Certificates, webhook and service accounts: own chapters.)
import type { Chapter } from '../types.js';

const planned = 'the authentication chapter';

export const authentication = {
  // All mechanisms
  'every-operation': {
    level: 'stated',
    source: ['General rules/1', 'What the service does/4'],
    text: 'A valid credential of any enabled mechanism lets a request in on every stated operation.',
    subjects: 'authenticatedOperations',
  },
  'several-enabled': {
    level: 'stated',
    source: ['General rules/2'],
    text: 'With several mechanisms enabled each of them lets its own users in.',
    subjects: 'enabledMechanisms',
  },
  'one-succeeds': {
    level: 'stated',
    source: ['General rules/2'],
    text: 'A valid credential of one mechanism lets a request in, even beside a bad one of another.',
    subjects: 'goodBesideBad',
  },
  'either-user': {
    level: 'stated',
    source: ['General rules/2'],
    text: 'A request with valid credentials of two users is let in as one of them.',
    subjects: 'twoUsers',
  },
  'opaque-attributes': {
    level: 'stated',
    source: ['General rules/3'],
    text: 'An odd user name, uid, group or extra passes through unchanged and changes no answer.',
    subjects: 'oddUsers',
  },
  'refused-401': {
    level: 'convention',
    source: ['Errors/2'],
    text: 'A request that is not let in is answered with 401.',
    subjects: 'refusedOperations',
  },
  'refused-without-effect': {
    level: 'convention',
    source: ['Errors/2'],
    text: 'A write that is not let in changes nothing.',
    subjects: 'refusedWrites',
  },
  'refused-before-path': {
    level: 'convention',
    source: ['Errors/2'],
    text: 'A request that is not let in is 401 on an unknown path too.',
    subjects: 'refusedPaths',
  },
  'authenticated-group': {
    level: 'convention',
    source: ['General rules/4'],
    text: 'Every user that gets in is in the group system:authenticated.',
    subjects: 'enabledMechanisms',
  },
  'scheme-case': {
    level: 'convention',
    source: ['General rules/1'],
    text: 'The scheme of an Authorization header is read in upper and lower case.',
    subjects: 'schemeSpellings',
  },
  'other-scheme': {
    level: 'convention',
    source: ['Errors/2'],
    text: 'An Authorization header of a scheme that no mechanism has is 401.',
    subjects: 'otherSchemes',
  },
  'empty-value': {
    level: 'convention',
    source: ['Errors/2'],
    text: 'A Bearer or Basic header without a value is 401, or another client error.',
    subjects: 'emptyValues',
  },
  'control-characters': {
    level: 'convention',
    source: ['Errors/2'],
    text: 'A token with control characters is answered with a client error, or the connection is closed.',
    subjects: 'controlCharacters',
  },
  oversized: {
    level: 'convention',
    source: ['Errors/2', 'Limits/4'],
    text: 'A token of a megabyte is answered with a client error, and the server goes on.',
    subjects: 'oversizedCredentials',
  },
  'two-headers': {
    level: 'convention',
    source: ['Errors/2'],
    text: 'Of two Authorization headers the first counts, or the request is a client error: the second never lets it in.',
    subjects: 'twoHeaders',
  },
  'no-leak': {
    level: 'convention',
    source: ['Errors/2'],
    text: 'A refusal does not repeat the credential.',
    subjects: 'refusals',
  },
  // Static token file
  token: {
    level: 'stated',
    source: ['Mechanisms/Static token file'],
    text: 'A token of the file lets in the user of its line.',
    subjects: 'staticTokens',
  },
  'token-identity': {
    level: 'stated',
    source: ['Mechanisms/Static token file'],
    text: "The user has the name and the uid of the token's line.",
    subjects: 'staticTokens',
  },
  'token-group': {
    level: 'stated',
    source: ['Mechanisms/Static token file'],
    text: "The fourth column of the token's line is a group of the user.",
    subjects: 'staticTokenGroup',
  },
  'token-groups': {
    level: 'stated',
    source: ['Mechanisms/Static token file'],
    text: 'Several groups, double-quoted with commas between them, are all groups of the user.',
    subjects: 'staticTokenGroups',
  },
  'token-truncated': {
    level: 'convention',
    source: ['Mechanisms/Static token file'],
    text: 'A token that lacks its last character, or has one more, is refused.',
    subjects: 'cutStaticTokens',
  },
  'token-similar': {
    level: 'convention',
    source: ['Mechanisms/Static token file'],
    text: 'What only looks like a token of the file, such as a user name or a line of it, is refused.',
    subjects: 'similarStaticTokens',
  },
  'token-restart': {
    level: 'stated',
    source: ['Mechanisms/Static token file', 'Limits/2'],
    text: 'A token that is added to the file, or removed, counts from the next start of the server.',
    planned,
  },
  // Static password file
  password: {
    level: 'stated',
    source: ['Mechanisms/Static password file'],
    text: 'A user name and password of the file let in that user.',
    subjects: 'staticPasswords',
  },
  'password-identity': {
    level: 'stated',
    source: ['Mechanisms/Static password file'],
    text: "The user has the name and the id of the password's line.",
    subjects: 'staticPasswords',
  },
  'password-wrong': {
    level: 'stated',
    source: ['Mechanisms/Static password file'],
    text: 'Another password, and the password of another user, are refused.',
    subjects: 'wrongStaticPasswords',
  },
  'password-colon': {
    level: 'convention',
    source: ['Mechanisms/Static password file'],
    text: 'A password may hold colons: the first colon ends the user name.',
    subjects: 'passwordsWithColons',
  },
  'password-cut-at-colon': {
    level: 'convention',
    source: ['Mechanisms/Static password file'],
    text: 'A password is refused that ends where the right one has a colon.',
    subjects: 'passwordsCutAtColon',
  },
  'password-utf8': {
    level: 'convention',
    source: ['Mechanisms/Static password file'],
    text: 'A user name and a password may hold UTF-8.',
    subjects: 'passwordsInUtf8',
  },
  'password-malformed': {
    level: 'convention',
    source: ['Mechanisms/Static password file', 'Errors/2'],
    text: 'A Basic header that is not base64, or has no colon, is refused.',
    subjects: 'malformedPasswords',
  },
  'password-restart': {
    level: 'stated',
    source: ['Mechanisms/Static password file', 'Limits/2'],
    text: 'A password that is changed in the file counts from the next start of the server.',
    planned,
  },
  // OpenID Connect
  openid: {
    level: 'stated',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token of the issuer for our client lets its user in.',
    subjects: 'openidUsers',
  },
  'openid-signature': {
    level: 'stated',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token whose signature does not verify is refused.',
    subjects: 'openidSignatures',
  },
  'openid-audience': {
    level: 'stated',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token for another client is refused.',
    subjects: 'openidAudiences',
  },
  'openid-authorized-party': {
    level: 'stated',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token for our client that the issuer gave to another one, as azp says, lets its user in.',
    subjects: 'openidAuthorizedParties',
  },
  'openid-user-name': {
    level: 'convention',
    source: ['General rules/4', 'Mechanisms/OpenID Connect'],
    text: 'Without a claim of choice the user name is the issuer, a number sign and the subject.',
    subjects: 'openidUsers',
  },
  'openid-claims': {
    level: 'convention',
    source: ['General rules/4', 'Mechanisms/OpenID Connect'],
    text: 'The user name and the groups come from the claims that the server was told.',
    subjects: 'openidUsers',
  },
  'openid-issuer': {
    level: 'convention',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token of another issuer is refused.',
    subjects: 'openidIssuers',
  },
  'openid-expired': {
    level: 'convention',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token that is expired, or not valid yet, is refused.',
    subjects: 'openidTimes',
  },
  'openid-unsigned': {
    level: 'convention',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token with the algorithm none, or with HS256 and the public key as secret, is refused.',
    subjects: 'openidUnsigned',
  },
  'openid-algorithms': {
    level: 'convention',
    source: ['Mechanisms/OpenID Connect'],
    text: 'ID tokens signed with RS256, ES256 and PS256 let their users in.',
    subjects: 'openidAlgorithms',
  },
  'openid-rotation': {
    level: 'convention',
    source: ['Mechanisms/OpenID Connect'],
    text: 'After the issuer has changed its keys, tokens of the new key let their users in.',
    subjects: 'openidRotations',
  },
  'openid-issuer-down': {
    level: 'convention',
    source: ['Mechanisms/OpenID Connect', 'General rules/2'],
    text: 'While the issuer cannot be reached the other mechanisms go on.',
    subjects: 'openidOutages',
  },
  // Identity service
  'identity-service': {
    level: 'stated',
    source: ['Mechanisms/Identity-service password'],
    text: 'A user name and password that the identity service confirms let in that user.',
    subjects: 'identityServiceUsers',
  },
  'identity-service-asked': {
    level: 'stated',
    source: ['Mechanisms/Identity-service password'],
    text: 'The identity service is asked with the user name and the password of the Basic header.',
    subjects: 'identityServiceUsers',
  },
  'identity-service-refused': {
    level: 'stated',
    source: ['Mechanisms/Identity-service password'],
    text: 'A user name and password that the identity service refuses are refused.',
    subjects: 'identityServiceRefusals',
  },
  'identity-service-down': {
    level: 'convention',
    source: ['Mechanisms/Identity-service password'],
    text: 'While the identity service cannot be reached its users are refused and the others go on.',
    subjects: 'identityServiceOutages',
  },
} as const satisfies Chapter;
