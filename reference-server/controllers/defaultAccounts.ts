// Namespaces: each has its default service account, also where the server was killed between the two writes.
import { createDefaultAccount, hasDefaultAccount } from '../registry/defaultAccount.js';
import type { Controller } from './controller.js';

export const defaultAccounts: Controller = {
  name: 'default-account-controller',
  feature: 'service-account-controller',
  resource: 'core/namespaces',
  async reconcile({ metadata: { name = '', deletionTimestamp } }, registry) {
    if (deletionTimestamp !== undefined || (await hasDefaultAccount(registry, name))) return undefined;
    await createDefaultAccount(registry, name);
    return undefined;
  },
};
