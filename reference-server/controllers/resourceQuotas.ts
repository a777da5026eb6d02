// Recounts quotas after every change of a measured object, so that deleted objects and ended pods free their quota.
import { evaluators } from '../quota/evaluators.js';
import type { QuotaLedger } from '../quota/ledger.js';
import type { KubeObject } from '../schema/object.js';
import type { Controller } from './controller.js';

/** Returns one controller for each measured resource. */
export function resourceQuotas(quotas: Pick<QuotaLedger, 'refresh'>): readonly Controller[] {
  const recount = async ({ metadata: { namespace = '' } }: KubeObject): Promise<undefined> => {
    quotas.refresh(namespace);
  };
  return evaluators.map(({ resource }) => ({
    name: `quota-controller of ${resource}`,
    feature: 'quota-controller',
    resource,
    reconcile: recount,
    forget: recount,
  }));
}
