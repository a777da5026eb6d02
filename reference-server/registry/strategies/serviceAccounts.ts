// ServiceAccounts: an update that forgets the token of an account leaves it where it is.
import { isTokenName, type ServiceAccount } from '../../serviceaccounts/tokenSecrets.js';
import type { Strategy } from '../strategy.js';

type References = NonNullable<ServiceAccount['secrets']>;

export const serviceAccounts: Strategy = {
  deleteAnswersObject: true,

  // Without it the account would get another token, and keep the Secret of this one.
  prepareUpdate(next: ServiceAccount, current: ServiceAccount) {
    const tokens = tokensOf(current);
    if (tokens.length === 0 || tokensOf(next).length > 0) return next;
    return { ...next, secrets: [...(next.secrets ?? []), ...tokens] };
  },
};

function tokensOf({ metadata: { name: owner = '' }, secrets = [] }: ServiceAccount): References {
  return secrets.filter(({ name = '' }) => isTokenName(owner, name));
}
