// Token Secrets: each holds what it has to, none outlives its account, and no account refers to one that is gone.
import { StatusError } from '../errors.js';
import type { Registry } from '../registry/registry.js';
import type { KubeObject } from '../schema/object.js';
import { namesIn, type ServiceAccount, tokenType } from '../serviceaccounts/tokenSecrets.js';
import type { Controller } from './controller.js';

export const tokenSecrets: Controller = {
  name: 'token-controller',
  feature: 'service-account-controller',
  resource: 'core/secrets',
  async reconcile(secret, registry) {
    const { namespace = '', name = '', uid = '', deletionTimestamp } = secret.metadata;
    if (secret.type !== tokenType || deletionTimestamp !== undefined) return undefined;
    const secrets = registry.of('core/secrets');
    const place = { namespace, name };
    const account = await registry.tokens.accountOf(secret, namespace);
    if (account === undefined) {
      await secrets.delete(place, { dryRun: false, uid }).catch(unlessMoved);
      return undefined;
    }
    const complete = await registry.tokens.completed(secret, account);
    if (complete !== secret) await secrets.amend(place, unlessOther(secret, complete)).catch(unlessMoved);
    return undefined;
  },
  async forget(secret, registry) {
    const { namespace = '', name = '' } = secret.metadata;
    if (secret.type !== tokenType) return;
    const account = await registry.tokens.accountOf(secret, namespace);
    if (account === undefined || !namesIn(account).includes(name) || (await isThere(registry, namespace, name))) return;
    const place = { namespace, name: account.metadata.name ?? '' };
    const without = (current: ServiceAccount): ServiceAccount => ({
      ...current,
      secrets: (current.secrets ?? []).filter((each) => each.name !== name),
    });
    await registry.of('core/serviceaccounts').amend(place, without).catch(unlessMoved);
  },
};

/** A change of a Secret that was completed; a later state of it is looked at by itself. */
function unlessOther(seen: KubeObject, complete: KubeObject): (current: KubeObject) => KubeObject {
  const { resourceVersion } = seen.metadata;
  return (current) => (current.metadata.resourceVersion === resourceVersion ? complete : current);
}

async function isThere(registry: Registry, namespace: string, name: string): Promise<boolean> {
  const secret = await registry.of('core/secrets').get({ namespace, name }).catch(unlessMoved);
  return secret !== undefined;
}

/** Gone, or another one by now. */
function unlessMoved(error: unknown): undefined {
  if (!(error instanceof StatusError && [404, 409].includes(error.code))) throw error;
}
