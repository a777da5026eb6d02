// The service account that every namespace has, and that pods run as which name no other.
import { StatusError } from '../errors.js';
import type { Registry } from './registry.js';

/** Its name. */
export const defaultAccount = 'default';

/** Makes the account, unless it is there or the namespace has no use for it any longer. */
export async function createDefaultAccount(registry: Registry, namespace: string): Promise<void> {
  if (registry.lacks('service-account-controller')) return;
  const draft = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: defaultAccount } };
  await registry
    .of('core/serviceaccounts')
    .create(namespace, draft)
    .catch((error: unknown) => {
      if (!(error instanceof StatusError && [403, 404, 409].includes(error.code))) throw error;
    });
}
