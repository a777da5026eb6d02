// Token Secrets: completes their contents, deletes those without an account, and removes references to deleted ones.

import type { Store } from '../registry/store.js';
import type { ServiceAccount } from '../registry/strategies/serviceAccounts.js';
import type { KubeObject } from '../schema/object.js';
import { secretNamesOf, type TokenSecrets, tokenType } from '../serviceaccounts/tokenSecrets.js';
import { unless } from '../statusError.js';
import type { Controller } from './controller.js';

interface Parts {
  readonly accounts: Pick<Store<ServiceAccount>, 'updateInternally'>;
  readonly secrets: Pick<Store, 'find' | 'updateInternally' | 'delete'>;
  readonly tokens: Pick<TokenSecrets, 'accountOf' | 'completed'>;
}

/** For a `catch`: the object is gone or has changed. */
const unlessMoved = unless(404, 409);

export const tokenSecrets = ({ accounts, secrets, tokens }: Parts): Controller => ({
  name: 'token-controller',
  feature: 'service-account-controller',
  resource: 'core/secrets',
  async reconcile(secret) {
    const { namespace = '', name = '', uid = '', deletionTimestamp } = secret.metadata;
    if (secret.type !== tokenType || deletionTimestamp !== undefined) return undefined;
    const key = { namespace, name };
    const account = await tokens.accountOf(secret, namespace);
    if (account === undefined) {
      await secrets.delete(key, { dryRun: false, uid }).catch(unlessMoved);
      return undefined;
    }
    const complete = await tokens.completed(secret, account);
    if (complete !== secret) await secrets.updateInternally(key, unlessOther(secret, complete)).catch(unlessMoved);
    return undefined;
  },
  async forget(secret) {
    const { namespace = '', name = '' } = secret.metadata;
    if (secret.type !== tokenType) return;
    const account = await tokens.accountOf(secret, namespace);
    if (account === undefined || !secretNamesOf(account).includes(name)) return;
    if ((await secrets.find({ namespace, name })) !== undefined) return;
    const without = (current: ServiceAccount): ServiceAccount => ({
      ...current,
      secrets: (current.secrets ?? []).filter((each) => each.name !== name),
    });
    const key = { namespace, name: account.metadata.name ?? '' };
    await accounts.updateInternally(key, without).catch(unlessMoved);
  },
});

/**
 * Returns a change to the completed Secret, which does nothing if the Secret has changed: the later state is handled
 * separately.
 */
function unlessOther(seen: KubeObject, complete: KubeObject): (current: KubeObject) => KubeObject {
  const { resourceVersion } = seen.metadata;
  return (current) => (current.metadata.resourceVersion === resourceVersion ? complete : current);
}
