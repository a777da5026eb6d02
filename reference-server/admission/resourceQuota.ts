// Refuses writes that exceed a ResourceQuota of the namespace.
import { forbidden } from '../errors.js';
import { type Evaluators, evaluators } from '../quota/evaluators.js';
import type { QuotaLedger } from '../quota/ledger.js';
import type { Plugin } from './plugin.js';

export const resourceQuota = (quotas: Pick<QuotaLedger, 'take'>, of: Pick<Evaluators, 'of'>): Plugin => ({
  concerns: (stored) => of.of(stored) !== undefined,
  updatesOf: evaluators.filter(({ grows }) => grows).map(({ resource }) => resource),
  async reserve({ resource, stored, namespace, object, before, dryRun }) {
    const evaluator = of.of(stored);
    if (evaluator === undefined || namespace === undefined) return undefined;
    if (before !== undefined && !evaluator.grows) return undefined;
    const refuse = (why: string) => forbidden(resource, object.metadata.name ?? '', why);
    return quotas.take({ evaluator, namespace, object, refuse, ...(before !== undefined && { before }) }, dryRun);
  },
});
