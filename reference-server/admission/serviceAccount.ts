// A pod runs as a service account of its namespace: the one that it names, or the default one.
import { forbidden, StatusError } from '../errors.js';
import { defaultAccount } from '../registry/defaultAccount.js';
import type { PodSpec } from '../registry/strategies/podSpec.js';
import { type KubeObject, part } from '../schema/object.js';
import type { Creation, Plugin } from './plugin.js';

interface ServiceAccount extends KubeObject {
  readonly imagePullSecrets?: NonNullable<PodSpec['imagePullSecrets']>;
}

export const serviceAccount: Plugin = {
  async fill(creation) {
    if (creation.stored !== 'core/pods') return;
    const { draft } = creation;
    const spec = part<PodSpec>(draft, 'spec');
    const name = spec.serviceAccountName || defaultAccount;
    const { imagePullSecrets = [] } = await accountOf(creation, name);
    const pulls = (spec.imagePullSecrets ?? []).length === 0 && imagePullSecrets.length > 0;
    draft.spec = { ...spec, serviceAccountName: name, serviceAccount: name, ...(pulls && { imagePullSecrets }) };
  },
};

async function accountOf({ registry, resource, namespace, draft }: Creation, name: string): Promise<ServiceAccount> {
  try {
    const { value } = await registry.of('core/serviceaccounts').get({ namespace, name });
    return value as ServiceAccount;
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 404) throw error;
    const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
    throw forbidden(resource, draft.metadata.name ?? '', why);
  }
}
