// Assigns each pod a service account of its namespace, the named one or the default, and mounts its token if wanted.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { forbidden, noTokenYet } from '../errors.js';
import type { IsDisabled } from '../features/features.js';
import type { Creation } from '../registry/admission.js';
import { isGeneratedFrom } from '../registry/metadata.js';
import type { Store } from '../registry/store.js';
import { newTokenName, type ServiceAccount } from '../registry/strategies/serviceAccounts.js';
import { part } from '../schema/object.js';
import { defaultAccount } from '../serviceaccounts/defaultAccount.js';
import type { TokenSecrets } from '../serviceaccounts/tokenSecrets.js';
import type { StatusError } from '../statusError.js';
import type { Plugin } from './plugin.js';
import { withProjectedToken, withTokenMount } from './tokenMount.js';

/** The annotation of a mirror pod, which represents a pod that its node runs without the server. */
const mirror = 'kubernetes.io/config.mirror';

type Accounts = Pick<Store<ServiceAccount>, 'find'>;

/** The minor version since which pods have a token of their own, though accounts still have Secrets. */
const projectedSince = 22;

export const serviceAccount = (accounts: Accounts, tokens: TokenSecrets, lacks: IsDisabled, minor: number): Plugin => {
  async function withToken(
    { dryRun }: Creation,
    spec: ObjectOf<'PodSpec'>,
    account: ServiceAccount,
  ): Promise<ObjectOf<'PodSpec'>> {
    if (!(spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true)) return spec;
    if (minor >= projectedSince || lacks('token-secrets')) return withProjectedToken(spec);
    const makes = !lacks('service-account-controller');
    return withTokenMount(spec, await tokenOf(account, tokens, { makes, dryRun }));
  }
  return {
    feature: 'service-account-admission',
    resources: ['core/pods'],
    async mutate(creation) {
      const { object } = creation;
      const spec = part<ObjectOf<'PodSpec'>>(object, 'spec');
      if (object.metadata.annotations?.[mirror] !== undefined) return requireIndependent(creation, spec);
      const name = spec.serviceAccountName || defaultAccount;
      const account = await accountOf(creation, name, accounts);
      const { imagePullSecrets = [] } = account;
      const pulls = (spec.imagePullSecrets ?? []).length === 0 && imagePullSecrets.length > 0;
      object.spec = {
        ...(await withToken(creation, spec, account)),
        serviceAccountName: name,
        serviceAccount: name,
        ...(pulls && { imagePullSecrets }),
      };
    },
  };
};

async function accountOf(creation: Creation, name: string, accounts: Accounts): Promise<ServiceAccount> {
  const { namespace } = creation;
  const found = await accounts.find({ namespace, name });
  if (found !== undefined) return found.value;
  const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
  throw refusal(creation, why);
}

/**
 * Returns the name of a token Secret of the account. If there is none, and this server makes tokens, a new one is
 * created; a dry run only chooses the name. Throws if there is no token yet.
 */
async function tokenOf(
  account: ServiceAccount,
  tokens: TokenSecrets,
  { makes, dryRun }: { readonly makes: boolean; readonly dryRun: boolean },
): Promise<string> {
  const { name = '' } = account.metadata;
  const made = () => (dryRun ? newTokenName(name) : tokens.ensure(account));
  const found = (await tokens.find(account)) ?? (makes ? await made() : undefined);
  if (found === undefined) throw noTokenYet(name);
  return found;
}

/** Refuses a mirror pod that references a service account or a Secret: the pod already runs without them. */
function requireIndependent(creation: Creation, { serviceAccountName, volumes = [] }: ObjectOf<'PodSpec'>): void {
  if (serviceAccountName) throw refusal(creation, 'a mirror pod may not reference service accounts');
  if (volumes.some(({ secret }) => secret !== undefined)) {
    throw refusal(creation, 'a mirror pod may not reference secrets');
  }
}

/** A refusal names the object as the client did: real servers generate the name of an object after these checks. */
function refusal({ resource, object }: Creation, why: string): StatusError {
  const { name = '', generateName: base = '' } = object.metadata;
  return forbidden(resource, base !== '' && isGeneratedFrom(base, name) ? base : name, why);
}
