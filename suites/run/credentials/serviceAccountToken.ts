// Tokens of service accounts, which the target itself issues, sent as bearer tokens.

import { at } from '../../client/json.js';
import { decodedData, madeSecret, requestedToken } from '../../objects/accountTokens.js';
import { byId } from '../../objects/related.js';
import type { Sandbox } from '../../objects/sandbox.js';
import {
  signedByUs,
  signedWithSecret,
  unsigned,
  withClaims,
  withOtherSignature,
  withoutSignature,
} from '../../stand-ins/jsonWebToken.js';
import type { GoodCredential, Setting, Source } from './source.js';

/** Milliseconds that the target may take to create the Secret of a new account. */
const timeout = 5_000;

const made = new WeakMap<Sandbox, Promise<GoodCredential>>();

/** Returns a service account of the worker and its token, created at the first use. */
function account({ sandbox }: Pick<Setting, 'sandbox'>): Promise<GoodCredential> {
  const known = made.get(sandbox) ?? make(sandbox);
  made.set(sandbox, known);
  return known;
}

async function make(sandbox: Sandbox): Promise<GoodCredential> {
  const namespace = await sandbox.namespace('account-credentials');
  const { name, object } = await sandbox.make(byId('core/serviceaccounts'), { namespace });
  const place = { namespace, name };
  const token =
    decodedData(await madeSecret(sandbox, place, timeout), 'token') ?? (await requestedToken(sandbox, place));
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
