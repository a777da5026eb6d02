// Tokens of service accounts, which the target itself makes: shown as a bearer token.
import { decoded, madeSecret, requestedToken } from '../accountTokens.js';
import { at } from '../json.js';
import {
  signedByUs,
  signedWithSecret,
  unsigned,
  withClaims,
  withOtherSignature,
  withoutSignature,
} from '../jsonWebToken.js';
import { byId } from '../related.js';
import type { Scope } from '../scope.js';
import type { GoodCredential, Setting, Source } from './source.js';

/** Milliseconds that the target is given to make the Secret of a new account. */
const patience = 5_000;

const made = new WeakMap<Scope, Promise<GoodCredential>>();

/** An account of the worker and its token, made at the first use. */
function account({ scope }: Pick<Setting, 'scope'>): Promise<GoodCredential> {
  const known = made.get(scope) ?? make(scope);
  made.set(scope, known);
  return known;
}

async function make(scope: Scope): Promise<GoodCredential> {
  const namespace = await scope.namespace('account-credentials');
  const { name, object } = await scope.make(byId('core/serviceaccounts'), { namespace });
  const place = { namespace, name };
  const token = decoded(await madeSecret(scope, place, patience), 'token') ?? (await requestedToken(scope, place));
  const uid = at(object, 'metadata', 'uid');
  return {
    credential: { token },
    user: {
      name: `system:serviceaccount:${namespace}:${name}`,
      ...(typeof uid === 'string' ? { uid } : {}),
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    },
  };
}

const spoiled =
  (spoil: (token: string, setting: Setting) => string | Promise<string>) =>
  async (setting: Setting): Promise<{ token: string }> => {
    const { credential } = await account(setting);
    return { token: await spoil(credential.token ?? '', setting) };
  };

export const serviceAccountToken = {
  good: { account },
  bad: {
    truncated: spoiled((token) => token.slice(0, -8)),
    withoutSignature: spoiled(withoutSignature),
    otherSignature: spoiled(withOtherSignature),
    otherSubject: spoiled((token) => withClaims(token, { sub: 'system:serviceaccount:kube-system:default' })),
    none: spoiled(unsigned),
    foreignKey: spoiled((token) => signedByUs(token)),
    publicKeyAsSecret: spoiled((token, { fixtures }) => signedWithSecret(token, fixtures.serviceAccountPublicKey)),
  },
} satisfies Source;
