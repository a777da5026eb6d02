// A new service account comes with its token, and a new token Secret with what it has to hold.
import type { Registry } from '../registry/registry.js';
import type { KubeObject } from '../schema/object.js';
import { newTokenName, type ServiceAccount, tokenType } from '../serviceaccounts/tokenSecrets.js';
import type { Creation, Plugin } from './plugin.js';

export const serviceAccountTokens: Plugin = {
  resources: ['core/serviceaccounts', 'core/secrets'],
  async fill(creation) {
    await fills[creation.stored]?.(creation);
  },
  async judge({ registry, stored, object, before, dryRun }) {
    if (!givesTokens(registry)) return undefined;
    if (stored !== 'core/serviceaccounts' || before !== undefined || dryRun) return undefined;
    return registry.tokens.begin(object);
  },
};

/** Whether accounts get tokens without being asked for them. */
function givesTokens({ lacks }: Registry): boolean {
  return !lacks('token-secrets') && !lacks('service-account-controller');
}

const fills: Readonly<Record<string, (creation: Creation) => Promise<void>>> = {
  // It refers to its token from the start, so that it need not change right after it was created.
  async 'core/serviceaccounts'({ draft, registry }) {
    if (!givesTokens(registry)) return;
    const { secrets = [] } = draft as unknown as ServiceAccount;
    draft.secrets = [...secrets, { name: newTokenName(draft.metadata.name ?? '') }];
  },
  async 'core/secrets'({ draft, namespace = '', registry: { tokens, lacks } }) {
    if (draft.type !== tokenType || lacks('service-account-controller')) return;
    const account = await tokens.accountOf(draft as unknown as KubeObject, namespace);
    if (account !== undefined) Object.assign(draft, await tokens.completed(draft, account));
  },
};
