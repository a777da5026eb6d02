// Gives each namespace its default service account, even if the server was killed between the two writes.
import type { Store } from '../registry/store.js';
import { createDefaultAccount, defaultAccount } from '../serviceaccounts/defaultAccount.js';
import type { Controller } from './controller.js';

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
