// Service accounts: each has a token, whose Secrets go with it; the default one is made again where somebody deleted it.
import { StatusError } from '../errors.js';
import { createDefaultAccount, defaultAccount } from '../registry/defaultAccount.js';
import type { Registry } from '../registry/registry.js';
import type { KubeObject } from '../schema/object.js';
import { belongsTo } from '../serviceaccounts/tokenSecrets.js';
import type { Controller } from './controller.js';

export const serviceAccounts: Controller = {
  name: 'service-account-controller',
  feature: 'service-account-controller',
  resource: 'core/serviceaccounts',
  async reconcile(account, { tokens, lacks }) {
    if (lacks('token-secrets') || account.metadata.deletionTimestamp !== undefined) return undefined;
    return (await tokens.ensure(account)) === undefined ? 'again' : undefined;
  },
  async forget(account, registry) {
    await removeTokens(account, registry);
    const { name, namespace = '' } = account.metadata;
    if (name === defaultAccount) await createDefaultAccount(registry, namespace);
  },
};

async function removeTokens(account: KubeObject, registry: Registry): Promise<void> {
  const { namespace } = account.metadata;
  const secrets = registry.of('core/secrets');
  const { entries } = await secrets.list(namespace);
  for (const { value } of entries) {
    const secret = value as KubeObject;
    if (!belongsTo(secret, account)) continue;
    const { name = '', uid = '' } = secret.metadata;
    await secrets.delete({ namespace, name }, { dryRun: false, uid }).catch(unlessGone);
  }
}

/** Gone, or another one by now. */
function unlessGone(error: unknown): void {
  if (!(error instanceof StatusError && [404, 409].includes(error.code))) throw error;
}
