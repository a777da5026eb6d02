// The ResourceQuotas of a namespace: a write that takes more than is left of one is refused.
import { forbidden } from '../errors.js';
import { evaluatorOf, evaluators } from '../quota/evaluators.js';
import type { Plugin } from './plugin.js';

export const resourceQuota: Plugin = {
  resources: evaluators.map(({ resource }) => resource),
  async judge({ registry, resource, stored, namespace, object, before, dryRun }) {
    const evaluator = evaluatorOf(stored);
    if (evaluator === undefined || namespace === undefined) return undefined;
    if (before !== undefined && !evaluator.grows) return undefined;
    const refuse = (why: string) => forbidden(resource, object.metadata.name ?? '', why);
    return registry.quotas.take(
      { evaluator, namespace, object, refuse, ...(before !== undefined && { before }) },
      dryRun,
    );
  },
  judgesUpdates: evaluators.filter(({ grows }) => grows).map(({ resource }) => resource),
};
