// Finds objects that a server should have removed or added when it is idle.
import { claimsPrefix } from '../../registry/strategies/allocation.js';
import type { ServiceAccount } from '../../registry/strategies/serviceAccounts.js';
import { claimsOfService } from '../../registry/strategies/services.js';
import { secretNamesOf, tokenType } from '../../serviceaccounts/tokenSecrets.js';
import type { Storage } from '../../storage/storage.js';

/** Returns a line for each fault: orphans, claims without services, accounts without tokens. */
export async function leftOver(storage: Storage): Promise<string[]> {
  const { entries } = await storage.list('');
  const objects = new Map(entries.map(({ key, value }) => [key, value]));
  const under = (prefix: string) => [...objects].filter(([key]) => key.startsWith(prefix));
  const spaces = under('core/namespaces/').map(([, space]) => space);
  const names = new Set(spaces.map(({ metadata }) => metadata.name));
  const going = spaces.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const orphans = [...objects].filter(([, { metadata }]) => metadata.namespace && !names.has(metadata.namespace));
  const claims = new Set(under(claimsPrefix).map(([key]) => key));
  const wanted = new Set(under('core/services/').flatMap(([, service]) => claimsOfService(service)));
  const accounts = new Map(under('core/serviceaccounts/').map(([key, account]) => [key, account as ServiceAccount]));
  const withoutAccount = [...names].filter((name) => !accounts.has(`core/serviceaccounts/${name}/default`));
  const withoutToken = [...accounts.values()].filter(
    (account) =>
      !secretNamesOf(account).some((name) => objects.has(`core/secrets/${account.metadata.namespace}/${name}`)),
  );
  const uids = new Set([...accounts.values()].map(({ metadata }) => metadata.uid));
  const orphanedTokens = under('core/secrets/').filter(
    ([, secret]) =>
      secret.type === tokenType && !uids.has(secret.metadata.annotations?.['kubernetes.io/service-account.uid'] ?? ''),
  );
  return [
    ...going.map(({ metadata }) => `still going: ${metadata.name}`),
    ...orphans.map(([key]) => `orphan: ${key}`),
    ...[...claims].filter((key) => !wanted.has(key)).map((key) => `claimed for nobody: ${key}`),
    ...[...wanted].filter((key) => !claims.has(key)).map((key) => `not claimed: ${key}`),
    ...withoutAccount.map((name) => `without a default account: ${name}`),
    ...withoutToken.map(({ metadata }) => `without a token: ${metadata.namespace}/${metadata.name}`),
    ...orphanedTokens.map(([key]) => `a token of no account: ${key}`),
  ];
}
