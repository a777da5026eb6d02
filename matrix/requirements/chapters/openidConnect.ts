// Rows of the authentication chapter: ID tokens of an OpenID Connect issuer.
import type { Chapter } from '../types.js';

export const openidConnect = {
  openid: {
    level: 'stated',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token of the issuer for our client lets its user in.',
    words: 'ID token (a signed JWT) is used as the bearer token',
    subjects: 'openidUsers',
  },
  'openid-signature': {
    level: 'stated',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token whose signature does not verify is refused.',
    words: 'the server verifies the signature',
    subjects: 'openidSignatures',
  },
  'openid-audience': {
    level: 'stated',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token for another client is refused.',
    words: 'trusts a single client',
    subjects: 'openidAudiences',
  },
  'openid-authorized-party': {
    level: 'stated',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token for our client that the issuer gave to another one, as azp says, lets its user in.',
    words: 'multiple clients need a provider that supports the azp claim',
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
    level: 'stated',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token with the algorithm none, or with HS256 and the public key as secret, is refused.',
    words: 'the server verifies the signature',
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
} as const satisfies Chapter;
