// The service account that every namespace has, and that pods run as which name no other.
import { StatusError } from '../errors.js';
import { keyOf, resourceRow } from './addresses.js';
import type { Registry } from './registry.js';

/** Its name. */
export const defaultAccount = 'default';

/** Whether a namespace has the account. */
export async function hasDefaultAccount(registry: Registry, namespace: string): Promise<boolean> {
  const key = keyOf(resourceRow('core/serviceaccounts'), namespace, defaultAccount);
  return (await registry.storage.get(key)) !== undefined;
}

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
