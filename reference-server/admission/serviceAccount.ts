// A pod runs as a service account of its namespace: the one that it names, or the default one. It gets its token.
import { forbidden, noTokenYet, StatusError } from '../errors.js';
import { defaultAccount } from '../registry/defaultAccount.js';
import type { PodSpec } from '../registry/strategies/podSpec.js';
import { part } from '../schema/object.js';
import { newTokenName, type ServiceAccount as TokenHolder } from '../serviceaccounts/tokenSecrets.js';
import type { Creation, Plugin } from './plugin.js';
import { withProjectedToken, withTokenMount } from './tokenMount.js';

interface ServiceAccount extends TokenHolder {
  readonly imagePullSecrets?: NonNullable<PodSpec['imagePullSecrets']>;
}

/** Marks what stands for a pod that its node has by itself, without asking the server. */
const mirror = 'kubernetes.io/config.mirror';

export const serviceAccount: Plugin = {
  feature: 'service-account-admission',
  resources: ['core/pods'],
  async fill(creation) {
    const { draft } = creation;
    const spec = part<PodSpec>(draft, 'spec');
    if (draft.metadata.annotations?.[mirror] !== undefined) return requireIndependent(creation, spec);
    const name = spec.serviceAccountName || defaultAccount;
    const account = await accountOf(creation, name);
    const { imagePullSecrets = [] } = account;
    const pulls = (spec.imagePullSecrets ?? []).length === 0 && imagePullSecrets.length > 0;
    const lacksSecrets = creation.registry.lacks('token-secrets');
    const mounted = lacksSecrets ? withProjectedToken(spec) : withTokenMount(spec, await tokenOf(account, creation));
    draft.spec = {
      ...(await mounted),
      serviceAccountName: name,
      serviceAccount: name,
      ...(pulls && { imagePullSecrets }),
    };
  },
};

async function accountOf(creation: Creation, name: string): Promise<ServiceAccount> {
  const { registry, namespace } = creation;
  try {
    const { value } = await registry.of('core/serviceaccounts').get({ namespace, name });
    return value as ServiceAccount;
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 404) throw error;
    throw refusal(
      creation,
      `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`,
    );
  }
}

/** The name of the Secret that holds a token of the account. One is made, or named, where it was just deleted. */
async function tokenOf(account: ServiceAccount, { registry: { tokens }, dryRun }: Creation): Promise<string> {
  const { name = '' } = account.metadata;
  const found = (await tokens.find(account)) ?? (dryRun ? newTokenName(name) : await tokens.ensure(account));
  if (found === undefined) throw noTokenYet(name);
  return found;
}

/** A mirror pod is there already: nothing of this server can be given to it. */
function requireIndependent(creation: Creation, { serviceAccountName, volumes = [] }: PodSpec): void {
  if (serviceAccountName) throw refusal(creation, 'a mirror pod may not reference service accounts');
  if (volumes.some(({ secret }) => secret !== undefined)) {
    throw refusal(creation, 'a mirror pod may not reference secrets');
  }
}

function refusal({ resource, draft }: Creation, why: string): StatusError {
  return forbidden(resource, draft.metadata.name ?? '', why);
}
