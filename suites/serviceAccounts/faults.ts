// Servers that break service accounts: no Secrets, tokens of wrong accounts, tokens that stay valid, wrong mounts.
import { generateKeyPairSync } from 'node:crypto';
import { authorityOf } from '../../test-certs/issue.js';
import { withOtherSignature, withoutSignature } from '../stand-ins/jsonWebToken.js';
import { acceptUser, authorizationOf, open, overlooksCertificate, self, withClaim } from '../testing/faults/wire/credentials.js';
import { type Broken, fault, faultsOf } from '../testing/faults/wire/fault.js';
import { all, change, copy, drop, type Edit, inEach, isGiven, replacing, set, text, where } from '../testing/faults/wire/objects.js';
import { listed, shown, shownText } from '../testing/faults/wire/replies.js';
import { every, failure, instead, refuse, sent, withHeader } from '../testing/faults/wire/requests.js';

const tokenType = 'kubernetes.io/service-account-token';

/** Edits the token Secrets in the replies, alone and in lists. */
const tokenSecrets = (edit: Edit): Broken => {
  const edited = where('type', tokenType, edit);
  return shown(every, all(edited, inEach('items', edited)));
};
/** Refuses JSON Web Tokens; none of the suite's own credentials is one. */
const refusesTokens = refuse(withHeader('authorization', /^Bearer eyJ/), 401);
const base64 = (value: string): string => Buffer.from(value).toString('base64');
const tokens = (change: (token: string) => string): Broken =>
  tokenSecrets(text('data.token', (token) => base64(change(Buffer.from(token, 'base64').toString('utf8')))));
const ofOtherAuthority = tokenSecrets(
  text('data.ca\\.crt', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return base64(authorityOf(privateKey, 'another').certificate);
  }),
);
const isNotOwn = (volume: unknown): boolean => volume !== 'own-place';

export const faults = faultsOf('serviceAccounts', [
  fault('makes no service account', 'automatic', [shown('ServiceAccountList', set('items', []))]),
  fault('gives accounts tokens that no request can carry', 'token token-groups token-of-another token-outside token-user in .token', [
    shown(every, where('type', tokenType, set('data.token', base64('a\nb')))),
  ]),
  fault('forgets which account a pod runs as', 'pod-account pod-account-alias pod-account-named in .pod-account', [
    shown('GET Pod', drop('spec.serviceAccountName')),
  ]),
  fault('runs the pods of absent accounts as the default one', 'pod-account-unknown in .pod-account', [
    sent('POST', where('spec.serviceAccountName', 'absent', set('spec.serviceAccountName', 'default'))),
  ]),
  fault('does not know the old name of the account', 'pod-account-alias in .pod-account', [shown('GET Pod', drop('spec.serviceAccount'))]),
  fault('forgets the accounts that were made by a call', 'manual', [refuse(/^GET .*\/serviceaccounts\//, 404)]),
  fault('calls the account of a namespace otherwise', 'automatic-name', [listed(set('items.*.metadata.name', 'usual'))]),
  fault('makes Secrets without an authority', 'secret', [tokenSecrets(drop('data.ca\\.crt'))]),
  fault('does not name the Secrets of an account', 'secret-listed', [shown('ServiceAccount', drop('secrets'))]),
  fault('gives the Secrets of accounts no type of their own', 'secret-type', [tokenSecrets(set('type', 'Opaque'))]),
  fault('puts an authority of nobody into the Secrets of accounts', 'secret-ca', [{ tls: true }, ofOtherAuthority]),
  fault('is behind a gateway that ends TLS', ' in .secret-ca', [{ tls: true }, ofOtherAuthority, overlooksCertificate(every)]),
  fault('puts no certificate into the Secrets of accounts, behind a gateway', 'secret-ca', [
    { tls: true },
    tokenSecrets(copy('data.ca\\.crt', 'data.namespace')),
    overlooksCertificate(every),
  ]),
  fault('signs no tokens', 'secret-token', [tokens(withoutSignature)]),
  fault('signs tokens with another key than the given one', 'secret-token', [tokens(withOtherSignature)]),
  fault('makes Secrets without a namespace', 'secret-namespace', [tokenSecrets(drop('data.namespace'))]),
  fault('fills no Secret that others made', 'secret-by-hand', [shown('Secret', drop('data'))]),
  fault('accepts a token a moment after a Secret of a client shows it', ' in .secret-by-hand', [acceptsLater()]),
  fault('takes Secrets of no account', 'secret-unknown-account', [
    sent('POST', where('type', tokenType, where('metadata.annotations', undefined, set('type', 'Opaque')))),
  ]),
  fault('lets nobody in by the token of an account', 'token', [refusesTokens]),
  fault('lets nobody in from outside', 'token-outside', [refusesTokens]),
  fault('calls accounts by their names alone', 'token-user', [self(text('status.userInfo.username', replacing(/.*:/, '')))]),
  fault('has no groups of accounts', 'token-groups', [self(drop('status.userInfo.groups'))]),
  fault('gives accounts the group of another namespace', 'token-groups', [
    self(change('status.userInfo.groups', (all) => [...(all as []), 'system:serviceaccounts:kube-system'])),
  ]),
  fault('shows Secrets to nobody', 'token-of-another', [refuse(/^GET .*\/secrets\//, 403)]),
  fault('reads tokens without verifying them', 'token-forged', [open]),
  fault('verifies tokens with the keys that they bring along', 'token-forged › server, a key in its header', [
    acceptUser(withClaim(0, /"jwk"/)),
  ]),
  fault('takes any algorithm', 'token-unsigned', [open]),
  fault('knows the algorithm none in lower case alone', 'token-unsigned › server, NONE', [acceptUser(withClaim(0, /"NONE"/))]),
  fault(
    'knows tokens for good that it knew once',
    'token-secret-gone token-account-gone token-namespace-gone token-not-revived in server, what a token stands on',
    [open],
  ),
  fault('mounts no tokens', 'pod-mount', [shown('Pod', set('spec.volumes', []))]),
  fault('mounts tokens elsewhere', 'pod-mount-path in .pod-mount', [
    shown('Pod', inEach('spec.containers.*.volumeMounts', where('name', isNotOwn, set('mountPath', '/elsewhere')))),
  ]),
  fault('mounts no tokens in init containers', 'pod-mount-path in .pod-mount', [
    shown('Pod', inEach('spec.initContainers', drop('volumeMounts'))),
  ]),
  fault('mounts tokens in pods that want none', 'pod-mount-none in .pod-mount', [
    sent('POST Pod', drop('spec.automountServiceAccountToken')),
    shown('Pod', where('spec.volumes.1', undefined, set('spec.automountServiceAccountToken', false))),
  ]),
  fault('gives pods none of the pull secrets of their account', 'pod-pull-secrets in .pod-', [
    sent('POST ServiceAccount', drop('imagePullSecrets')),
  ]),
  fault('adds a pull secret to each account', ' in .pod-', [
    sent(
      'POST ServiceAccount',
      change('imagePullSecrets', (all) => [...(Array.isArray(all) ? all : []), { name: 'added' }]),
    ),
  ]),
  fault('adds a pull secret to the pods that an account gives some', 'pod-pull-secrets in .pod-', [
    shown(
      'Pod',
      where(
        'spec.imagePullSecrets.0.name',
        (name) => name === 'of-the-account',
        change('spec.imagePullSecrets', (all) => [...(all as []), { name: 'added' }]),
      ),
    ),
  ]),
  fault('gives pods the pull secrets of their account in place of their own', 'pod-pull-secrets in .pod-', [
    shown('Pod', where('spec.imagePullSecrets', isGiven, set('spec.imagePullSecrets', [{ name: 'of-the-account' }]))),
  ]),
  fault('mounts tokens over what is mounted there', 'pod-mount-own in .pod-mount', [
    shown('Pod', text('spec.containers.*.volumeMounts.*.name', replacing('own-place', 'token'))),
  ]),
  fault('gives processes a token that it does not know', 'pod-token', [shownText(/\/log/, () => 'e30.e30.c2lnbmF0dXJl\n')]),
]);

/** Refuses each JSON Web Token the first two times, like a server that reads Secrets from a cache. */
function acceptsLater(): Broken {
  const uses = new Map<string, number>();
  return instead(withHeader('authorization', /^Bearer eyJ/), (request) => {
    const before = uses.get(authorizationOf(request)) ?? 0;
    uses.set(authorizationOf(request), before + 1);
    return before < 2 ? failure(401) : {};
  });
}
