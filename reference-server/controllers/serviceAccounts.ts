// Service accounts: gives each a token, removes its token Secrets with it, and recreates a deleted default account.
import type { IsDisabled } from '../features/features.js';
import type { Store } from '../registry/store.js';
import type { KubeObject } from '../schema/object.js';
import { createDefaultAccount, defaultAccount } from '../serviceaccounts/defaultAccount.js';
import { belongsTo, type TokenSecrets } from '../serviceaccounts/tokenSecrets.js';
import { unless } from '../statusError.js';
import type { Controller } from './controller.js';

interface Parts {
  readonly accounts: Pick<Store, 'create'>;
  readonly secrets: Pick<Store, 'list' | 'delete'>;
  readonly tokens: Pick<TokenSecrets, 'ensure'>;
  readonly lacks: IsDisabled;
}

export const serviceAccountController = ({ accounts, secrets, tokens, lacks }: Parts): Controller => ({
  name: 'service-account-controller',
  feature: 'service-account-controller',
  resource: 'core/serviceaccounts',
  async reconcile(account) {
    if (lacks('token-secrets') || account.metadata.deletionTimestamp !== undefined) return undefined;
    return (await tokens.ensure(account)) === undefined ? 'again' : undefined;
  },
  async forget(account) {
    await removeTokens(account, secrets);
    const { name, namespace = '' } = account.metadata;
    if (name === defaultAccount) await createDefaultAccount(accounts, namespace);
  },
});

async function removeTokens(account: KubeObject, secrets: Parts['secrets']): Promise<void> {
  const { namespace } = account.metadata;
  const { entries } = await secrets.list(namespace);
  for (const { value } of entries) {
    if (!belongsTo(value, account)) continue;
    const { name = '', uid = '' } = value.metadata;
    await secrets.delete({ namespace, name }, { dryRun: false, uid }).catch(unless(404, 409));
  }
}

/** Gives each namespace its default account, even if the server was killed between the two writes. */
export const defaultAccounts = (accounts: Pick<Store, 'find' | 'create'>): Controller => ({
  name: 'default-account-controller',
  feature: 'service-account-controller',
  resource: 'core/namespaces',
  async reconcile({ metadata: { name = '', deletionTimestamp } }) {
    if (deletionTimestamp !== undefined) return undefined;
    const found = await accounts.find({ namespace: name, name: defaultAccount });
    if (found === undefined) await createDefaultAccount(accounts, name);
    return undefined;
  },
});
