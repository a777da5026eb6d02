// Gives a new service account its token, and completes a new token Secret.
import type { IsDisabled } from '../features/features.js';
import type { Creation } from '../registry/admission.js';
import { newTokenName, type ServiceAccount } from '../registry/strategies/serviceAccounts.js';
import { type TokenSecrets, tokenType } from '../serviceaccounts/tokenSecrets.js';
import type { Plugin } from './plugin.js';

export function serviceAccountTokens(tokens: TokenSecrets, lacks: IsDisabled): Plugin {
  /** Whether accounts get tokens automatically. */
  const givesTokens = !lacks('token-secrets') && !lacks('service-account-controller');
  return {
    resources: ['core/serviceaccounts', 'core/secrets'],
    async mutate(creation) {
      if (creation.stored === 'core/secrets') {
        if (!lacks('service-account-controller')) await completeSecret(creation, tokens);
      } else if (givesTokens) referToToken(creation);
    },
    async reserve({ stored, object, before, dryRun }) {
      if (!givesTokens || stored !== 'core/serviceaccounts' || before !== undefined || dryRun) return undefined;
      return tokens.begin(object);
    },
  };
}

/** Adds the token reference to a new account, so that the account need not change right after its creation. */
function referToToken({ object }: Creation): void {
  const { secrets = [] } = object as ServiceAccount;
  object.secrets = [...secrets, { name: newTokenName(object.metadata.name ?? '') }];
}

async function completeSecret({ object, namespace = '' }: Creation, tokens: TokenSecrets): Promise<void> {
  if (object.type !== tokenType) return;
  const account = await tokens.accountOf(object, namespace);
  if (account !== undefined) Object.assign(object, await tokens.completed(object, account));
}
