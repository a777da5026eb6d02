// Tokens of service accounts, which the target itself makes: shown as a bearer token.
import { eventually } from '../eventually.js';
import { Prerequisite } from '../expect.js';
import { at, itemsOf } from '../json.js';
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
const patience = 3_000;

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
  const credential = {
    token: (await tokenOfSecret(scope, namespace, name)) ?? (await tokenOfRequest(scope, namespace, name)),
  };
  scope.client.redactor.add(credential.token);
  const uid = at(object, 'metadata', 'uid');
  return {
    credential,
    user: {
      name: `system:serviceaccount:${namespace}:${name}`,
      ...(typeof uid === 'string' ? { uid } : {}),
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    },
  };
}

/** The token that the document states: from the Secret that was made for the account. */
async function tokenOfSecret(scope: Scope, namespace: string, account: string): Promise<string | undefined> {
  const look = async (): Promise<string | undefined> => {
    const { client } = scope;
    const list = await client.send({ method: 'GET', path: `/api/v1/namespaces/${namespace}/secrets` });
    const secret = itemsOf(list.tryValue()).find(
      ({ metadata }) => at(metadata, 'annotations', 'kubernetes.io/service-account.name') === account,
    );
    const token = at(secret, 'data', 'token');
    return typeof token === 'string' ? Buffer.from(token, 'base64').toString('utf8') : undefined;
  };
  return await eventually(look, (token) => token !== undefined, patience);
}

/** Later servers make no Secret, or their controller does that is not running: they are asked for a token. */
async function tokenOfRequest(scope: Scope, namespace: string, account: string): Promise<string> {
  const reply = await scope.client.send({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
  });
  const token = at(reply.tryValue(), 'status', 'token');
  if (typeof token === 'string') return token;
  throw new Prerequisite(`no Secret of service account ${namespace}/${account} after ${patience} ms`);
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
