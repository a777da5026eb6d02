// The default service account of each namespace. Pods run as this account unless they name another one.

import type { Store } from '../registry/store.js';
import { unless } from '../statusError.js';

export const defaultAccount = 'default';

/** Creates the account, unless it exists or its namespace is gone or terminating. */
export async function createDefaultAccount(accounts: Pick<Store, 'create'>, namespace: string): Promise<void> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: defaultAccount } };
  await accounts.create(namespace, account).catch(unless(403, 404, 409));
}
