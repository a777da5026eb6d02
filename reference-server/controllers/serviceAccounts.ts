// Makes the default service account again where somebody deleted it.
import { createDefaultAccount, defaultAccount } from '../registry/defaultAccount.js';
import type { Controller } from './controller.js';

export const serviceAccounts: Controller = {
  resource: 'core/serviceaccounts',
  // Its namespace has made it.
  reconcile: async () => undefined,
  async forget({ metadata: { name, namespace = '' } }, registry) {
    if (name === defaultAccount) await createDefaultAccount(registry, namespace);
  },
};
