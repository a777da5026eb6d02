// Servers that break the chapter of service accounts: no Secrets, tokens for the wrong or for good, mounts elsewhere.
import { isObject, itemsOf, type JsonObject } from '../../support/json.js';
import { withoutSignature } from '../../support/jsonWebToken.js';
import { containers, each, showing } from './mending.js';
import { answering, asking, type Fault, failure, metadata, type Passing, type Returning, without } from './parts.js';

const tokenType = 'kubernetes.io/service-account-token';

/** Breaks one requirement. */
const only = (requirement: string, name: string, broken: Partial<Fault>): Fault => ({
  name,
  grep: `serviceAccounts.${requirement} ›`,
  fails: [`serviceAccounts.${requirement}`],
  ...broken,
});

/** Changes the token Secrets in the answers, alone and in lists. */
const tokenSecrets = (change: (secret: JsonObject) => JsonObject): NonNullable<Fault['reply']> => {
  const changed = (secret: JsonObject): JsonObject => (secret.type === tokenType ? change(secret) : secret);
  return answering((body) =>
    body.kind === 'SecretList' ? { ...body, items: itemsOf(body).map(changed) } : changed(body),
  );
};

/** Changes the data of the token Secrets. */
const tokenData = (change: (data: JsonObject) => JsonObject): NonNullable<Fault['reply']> =>
  tokenSecrets((secret) => ({ ...secret, data: change(isObject(secret.data) ? secret.data : {}) }));

/** Whether a request shows a JSON Web Token, as none of the suite's own does. */
const showsToken = ({ headers }: Passing): boolean => /^Bearer eyJ/.test(headers.authorization ?? '');

const refusesTokens: NonNullable<Fault['request']> = (passing) =>
  showsToken(passing) ? failure(401, 'Unauthorized') : passing;

/** Lets everybody in. */
export const open: NonNullable<Fault['reply']> = (returning: Returning): Returning =>
  returning.status === 401 ? { ...returning, status: 200 } : returning;

/** Changes the user in what the server says of whoever asks. */
export const selfAs = (change: (user: JsonObject) => JsonObject): NonNullable<Fault['reply']> =>
  showing('SelfSubjectReview', (review) => {
    const status = isObject(review.status) ? review.status : {};
    return { ...review, status: { ...status, userInfo: change(isObject(status.userInfo) ? status.userInfo : {}) } };
  });

export const serviceAccountFaults: readonly Fault[] = [
  only('manual', 'forgets the accounts that were made by a call', {
    request: (passing) =>
      passing.method === 'GET' && /\/serviceaccounts\//.test(passing.path) ? failure(404, 'NotFound') : passing,
  }),
  only('automatic-name', 'calls the account of a namespace otherwise', {
    reply: showing('ServiceAccountList', (list) => ({
      ...list,
      items: itemsOf(list).map((item) => ({ ...item, metadata: { ...metadata(item), name: 'usual' } })),
    })),
  }),
  only('secret', 'makes Secrets without an authority', { reply: tokenData((data) => without(data, 'ca.crt')) }),
  only('secret-listed', 'does not name the Secrets of an account', {
    reply: showing('ServiceAccount', (account) => without(account, 'secrets')),
  }),
  only('secret-type', 'gives the Secrets of accounts no type of their own', {
    reply: tokenSecrets((secret) => ({ ...secret, type: 'Opaque' })),
  }),
  only('secret-ca', 'puts an authority of nobody into the Secrets of accounts', {
    tls: true,
    reply: tokenData((data) => ({ ...data, 'ca.crt': data.namespace })),
  }),
  only('secret-token', 'signs no tokens', {
    reply: tokenData((data) => {
      const token = Buffer.from(String(data.token), 'base64').toString('utf8');
      return { ...data, token: Buffer.from(withoutSignature(token)).toString('base64') };
    }),
  }),
  only('secret-namespace', 'makes Secrets without a namespace', {
    reply: tokenData((data) => without(data, 'namespace')),
  }),
  only('secret-by-hand', 'fills no Secret that others made', {
    reply: showing('Secret', (secret) => without(secret, 'data')),
  }),
  only('secret-unknown-account', 'takes Secrets of no account', {
    request: asking('POST', (body) =>
      body.type === tokenType && !('annotations' in metadata(body)) ? { ...body, type: 'Opaque' } : body,
    ),
  }),
  only('token', 'lets nobody in by the token of an account', { request: refusesTokens }),
  only('token-outside', 'lets nobody in from outside', { request: refusesTokens }),
  only('token-user', 'calls accounts by their names alone', {
    reply: selfAs((user) => ({ ...user, username: String(user.username).replace(/.*:/, '') })),
  }),
  only('token-groups', 'has no groups of accounts', { reply: selfAs((user) => without(user, 'groups')) }),
  only('token-of-another', 'shows Secrets to nobody', {
    request: (passing) =>
      passing.method === 'GET' && /\/secrets\//.test(passing.path) ? failure(403, 'Forbidden') : passing,
  }),
  only('token-forged', 'reads tokens without verifying them', { reply: open }),
  only('token-unsigned', 'takes any algorithm', { reply: open }),
  {
    name: 'knows tokens for good that it knew once',
    grep: 'server, what a token stands on',
    fails: ['secret-gone', 'account-gone', 'namespace-gone', 'not-revived'].map(
      (end) => `serviceAccounts.token-${end}`,
    ),
    reply: open,
  },
  {
    name: 'mounts no tokens',
    grep: 'serviceAccounts.pod-mount ›',
    fails: ['serviceAccounts.pod-mount'],
    reply: showing('Pod', (pod) => ({ ...pod, spec: { ...(isObject(pod.spec) ? pod.spec : {}), volumes: [] } })),
  },
  {
    name: 'mounts tokens elsewhere',
    grep: 'serviceAccounts.pod-mount',
    fails: ['serviceAccounts.pod-mount-path'],
    reply: showing(
      'Pod',
      containers((container) => ({
        ...container,
        volumeMounts: each(container.volumeMounts, (mount) =>
          mount.name === 'own-place' ? mount : { ...mount, mountPath: '/elsewhere' },
        ),
      })),
    ),
  },
  {
    name: 'mounts tokens over what is mounted there',
    grep: 'serviceAccounts.pod-mount',
    fails: ['serviceAccounts.pod-mount-own'],
    reply: showing(
      'Pod',
      containers((container) => ({
        ...container,
        volumeMounts: each(container.volumeMounts, (mount) => ({
          ...mount,
          name: String(mount.name).replace('own-place', 'token'),
        })),
      })),
    ),
  },
  only('pod-token', 'gives processes a token that it does not know', {
    reply: (returning, { path }) =>
      path.includes('/log') ? { ...returning, body: 'e30.e30.c2lnbmF0dXJl\n' } : returning,
  }),
];
