// Rows of the chapter authentication: ID tokens of an OpenID Connect issuer.
import type { Chapter } from '../../types.js';

export const openidConnect = {
  openid: {
    level: 'stated',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token of the issuer for the configured client is accepted as its user.',
    words: 'ID token (a signed JWT) is used as the bearer token',
    subjects: 'openidUsers',
  },
  'openid-signature': {
    level: 'stated',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token with an invalid signature is refused.',
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
    text: 'An ID token for the configured client that was issued to another client, as azp says, is accepted.',
    words: 'multiple clients need a provider that supports the azp claim',
    subjects: 'openidAuthorizedParties',
  },
  'openid-user-name': {
    level: 'convention',
    source: ['General rules/4', 'Mechanisms/OpenID Connect'],
    text: 'Without a configured claim the user name is the issuer, a number sign and the subject.',
    subjects: 'openidUsers',
  },
  'openid-claims': {
    level: 'convention',
    source: ['General rules/4', 'Mechanisms/OpenID Connect'],
    text: 'The user name and the groups are taken from the configured claims.',
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
    text: 'An ID token that has expired, or is not valid yet, is refused.',
    subjects: 'openidTimes',
  },
  'openid-unsigned': {
    level: 'stated',
    source: ['Mechanisms/OpenID Connect'],
    text: 'An ID token with the algorithm none, or with HS256 and the public key as its secret, is refused.',
    words: 'the server verifies the signature',
    subjects: 'openidUnsigned',
  },
  'openid-algorithms': {
    level: 'convention',
    source: ['Mechanisms/OpenID Connect'],
    text: 'ID tokens that are signed with RS256, ES256 and PS256 are accepted.',
    subjects: 'openidAlgorithms',
  },
  'openid-rotation': {
    level: 'convention',
    source: ['Mechanisms/OpenID Connect'],
    text: 'After the issuer has changed its keys, tokens with the new key are accepted.',
    subjects: 'openidRotations',
  },
  'openid-issuer-down': {
    level: 'convention',
    source: ['Mechanisms/OpenID Connect', 'General rules/2'],
    text: 'While the issuer cannot be reached, the other mechanisms continue to work.',
    subjects: 'openidOutages',
  },
} as const satisfies Chapter;
