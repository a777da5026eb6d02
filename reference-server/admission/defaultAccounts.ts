// Creates the default service account of a new namespace before the response is sent.
import type { Store } from '../registry/store.js';
import { createDefaultAccount } from '../serviceaccounts/defaultAccount.js';
import type { Plugin } from './plugin.js';

export const defaultAccounts = (accounts: Pick<Store, 'create'>): Plugin => ({
  feature: 'service-account-controller',
  resources: ['core/namespaces'],
  async reserve({ object, dryRun }) {
    const { name = '' } = object.metadata;
    return async (written) => {
      if (written && !dryRun) await createDefaultAccount(accounts, name);
    };
  },
});
