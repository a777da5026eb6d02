// ServiceAccounts: an update without the account's token keeps the token.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { KubeObject } from '../../schema/object.js';
import { generateName, isGeneratedFrom } from '../metadata.js';
import type { Strategy } from '../strategy.js';

export type ServiceAccount = KubeObject & ObjectOf<'ServiceAccount'>;

/** Generates a name for a new token Secret of an account. */
export function newTokenName(account: string): string {
  return generateName(`${account}-token-`);
}

/** Reports whether a name has the form of the names that newTokenName generates for an account. */
export function isTokenName(account: string, name: string): boolean {
  return isGeneratedFrom(`${account}-token-`, name);
}

type References = NonNullable<ServiceAccount['secrets']>;

export const serviceAccounts: Strategy = {
  deleteAnswersObject: true,

  // Without the reference, the account would get a second token, and the Secret of the first would stay.
  prepareUpdate(next: ServiceAccount, current: ServiceAccount) {
    const tokens = tokensOf(current);
    if (tokens.length === 0 || tokensOf(next).length > 0) return next;
    return { ...next, secrets: [...(next.secrets ?? []), ...tokens] };
  },
};

function tokensOf({ metadata: { name: owner = '' }, secrets = [] }: ServiceAccount): References {
  return secrets.filter(({ name = '' }) => isTokenName(owner, name));
}
