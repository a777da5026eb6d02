// Tokens of TokenRequest: valid until they expire, while their account and the object exist that they are bound to.
import type { Store } from '../registry/store.js';
import type { BoundToken, BoundTokens, NamedNode } from '../serviceaccounts/boundTokens.js';
import type { Authenticator, User } from './authenticator.js';
import { bearerToken } from './authorization.js';
import { accountUser, living } from './serviceAccounts.js';

/** The stores that decide about a token. */
export interface BoundHolders {
  readonly boundTokens: BoundTokens;
  readonly accounts: Pick<Store, 'find'>;
  readonly pods: Pick<Store, 'find'>;
  readonly secrets: Pick<Store, 'find'>;
  readonly nodes: Pick<Store, 'find'>;
}

/** Authenticates tokens that name this server as their issuer. Ignores other tokens. */
export function boundToken(holders: BoundHolders): Authenticator {
  return (request, audiences) => {
    const token = bearerToken(request);
    return token === undefined || !holders.boundTokens.claims(token) ? undefined : userOf(token, audiences, holders);
  };
}

async function userOf(
  token: string,
  audiences: readonly string[] | undefined,
  { boundTokens, accounts, ...stores }: BoundHolders,
): Promise<User> {
  const said = await boundTokens.verify(token, audiences);
  const { namespace, account, uid, bound } = said;
  await living('serviceaccounts', accounts, { namespace, name: account }, uid);
  if (bound !== undefined) {
    const plural = `${bound.kind.toLowerCase() as 'pod' | 'secret' | 'node'}s` as const;
    const place = bound.kind === 'Node' ? undefined : namespace;
    await living(plural, stores[plural], { namespace: place, name: bound.name }, bound.uid);
  }
  return { ...accountUser(namespace, account, uid), extra: extraOf(said) };
}

function extraOf({ id, bound, node }: BoundToken): Readonly<Record<string, readonly string[]>> {
  const { name, uid }: Partial<NamedNode> = (bound?.kind === 'Node' ? bound : node) ?? {};
  return {
    'authentication.kubernetes.io/credential-id': [`JTI=${id}`],
    ...(bound?.kind === 'Pod' && {
      'authentication.kubernetes.io/pod-name': [bound.name],
      'authentication.kubernetes.io/pod-uid': [bound.uid],
    }),
    ...(name !== undefined && { 'authentication.kubernetes.io/node-name': [name] }),
    ...(uid !== undefined && { 'authentication.kubernetes.io/node-uid': [uid] }),
  };
}
