// Service accounts: users that live in the API, with their Secrets and tokens.
import type { Chapter } from '../types.js';

const source = ['Mechanisms/Service account token'] as const;

export const serviceAccounts = {
  // Accounts and Secrets
  manual: {
    level: 'stated',
    source: ['What the service does/4 service accounts'],
    text: 'A service account can be created by an API call, in a namespace.',
    subjects: 'manualAccounts',
  },
  automatic: {
    level: 'stated',
    source: ['What the service does/4 service accounts'],
    text: 'The server creates a service account in each namespace by itself.',
    subjects: 'defaultAccounts',
  },
  secret: {
    level: 'stated',
    source: ['Other rules/1', 'What the service does/4 service accounts'],
    text: 'A new service account gets a Secret with the CA certificate and a token.',
    subjects: 'accountSecrets',
  },
  'secret-listed': {
    level: 'stated',
    source: ['Fields that are stated/ServiceAccount secrets[]'],
    text: 'The secrets of a service account name its Secret.',
    subjects: 'accountSecrets',
  },
  'secret-type': {
    level: 'stated',
    source: ['Fields that are stated/Secret type'],
    text: 'The Secret of a service account has the type <domain>/service-account-token.',
    subjects: 'accountSecrets',
  },
  'secret-ca': {
    level: 'stated',
    source: ['Fields that are stated/service-account Secret data.ca.crt'],
    text: "The ca.crt of the Secret is the CA certificate that the server's own certificate verifies with.",
    subjects: 'accountSecrets',
  },
  'secret-token': {
    level: 'stated',
    source: ['Fields that are stated/service-account Secret data.token'],
    text: 'The token of the Secret is a signed JSON Web Token.',
    subjects: 'accountSecrets',
  },
  'secret-namespace': {
    level: 'convention',
    source: ['Other rules/1', 'Conventions/6'],
    text: 'The Secret holds the name of its namespace.',
    subjects: 'accountSecrets',
  },
  'secret-by-hand': {
    level: 'convention',
    source: ['Other rules/1', 'Conventions/6'],
    text: 'A Secret of that type that names an account by annotation gets a token of the account.',
    subjects: 'handmadeSecrets',
  },
  'secret-unknown-account': {
    level: 'convention',
    source: ['Errors/1', 'Other rules/3'],
    text: 'A Secret of that type that names no account is 422.',
    subjects: 'handmadeSecrets',
  },
  // Tokens
  token: {
    level: 'stated',
    source: [...source, 'Fields that are stated/service-account Secret data.token'],
    text: 'The token of the Secret, as a bearer token, lets in without any option of the server.',
    subjects: 'accountTokens',
  },
  'token-user': {
    level: 'stated',
    source,
    text: 'The user is system:serviceaccount:<namespace>:<name>.',
    subjects: 'accountTokens',
  },
  'token-groups': {
    level: 'stated',
    source,
    text: 'The user is in system:serviceaccounts and in system:serviceaccounts:<namespace>.',
    subjects: 'accountTokens',
  },
  'token-outside': {
    level: 'stated',
    source,
    text: 'The token lets in from outside the cluster.',
    subjects: 'accountTokens',
  },
  'token-of-another': {
    level: 'stated',
    source: ['Other rules/2'],
    text: 'Another user who reads the Secret gets in with its token, as the service account.',
    subjects: 'accountTokens',
  },
  'token-forged': {
    level: 'stated',
    source,
    text: 'A token with a changed payload, a foreign signature or a part missing is refused.',
    subjects: 'forgedAccountTokens',
  },
  'token-unsigned': {
    level: 'convention',
    source,
    text: "A token with the algorithm none, or another than the server's, is refused.",
    subjects: 'otherAccountAlgorithms',
  },
  'token-secret-gone': {
    level: 'convention',
    source,
    text: 'The token ends when its Secret is deleted.',
    subjects: 'endedAccountTokens',
  },
  'token-account-gone': {
    level: 'convention',
    source,
    text: 'The token ends when its service account is deleted.',
    subjects: 'endedAccountTokens',
  },
  'token-namespace-gone': {
    level: 'convention',
    source,
    text: 'The token ends when its namespace is deleted.',
    subjects: 'endedAccountTokens',
  },
  'token-not-revived': {
    level: 'convention',
    source,
    text: 'An account that is created again under the same name does not revive the old token.',
    subjects: 'endedAccountTokens',
  },
  // Pods
  'pod-account': {
    level: 'stated',
    source: ['Fields that are stated/PodSpec serviceAccountName'],
    text: 'A Pod that names no service account gets the one of its namespace.',
    subjects: 'podAccounts',
  },
  'pod-account-named': {
    level: 'stated',
    source: ['Fields that are stated/PodSpec serviceAccountName'],
    text: 'A Pod keeps the service account that it names.',
    subjects: 'podAccounts',
  },
  'pod-account-unknown': {
    level: 'convention',
    source: ['Fields that are stated/PodSpec serviceAccountName', 'Errors/1'],
    text: 'A Pod that names an absent service account is refused.',
    subjects: 'podAccounts',
  },
  'pod-account-alias': {
    level: 'convention',
    source: ['Fields that are stated/PodSpec serviceAccountName', 'Conventions/6'],
    text: 'The older field serviceAccount of a pod or template says the same as serviceAccountName, whichever was sent.',
    subjects: 'accountAliases',
  },
  'pod-mount': {
    level: 'stated',
    source: [...source, 'What the service does/4 service accounts'],
    text: 'The containers of a Pod mount the Secret of its service account at /var/run/secrets/<domain>/serviceaccount.',
    subjects: 'tokenMounts',
  },
  'pod-mount-own': {
    level: 'convention',
    source,
    text: 'A container that mounts something else at that path keeps its mount.',
    subjects: 'tokenMounts',
  },
  'pod-token': {
    level: 'stated',
    source: [...source, 'What the service does/4'],
    text: 'A process in a Pod reads a token there that the server lets in.',
    subjects: 'podTokens',
  },
} as const satisfies Chapter;
