// Validates the features that a target file or the command line demands.

import { unknownName } from '../matrix/api/nearest.js';
import { type DemandedFeatures, type FeatureName, featureNames } from '../suites/requirements/index.js';
import { UsageError } from './usageError.js';

/** Returns the fault in a list of feature names, as the end of a sentence, or undefined. */
export function unknownFeature(names: readonly unknown[]): string | undefined {
  const unexpected = names.find((name) => !(featureNames as readonly unknown[]).includes(name));
  return unexpected === undefined ? undefined : unknownName('feature', String(unexpected), featureNames);
}

/** Returns the field of a target file. Throws UsageError unless it is `all` or a list of features. */
export function readDemanded(value: unknown, where: string): DemandedFeatures {
  if (value === 'all') return value;
  if (!Array.isArray(value)) throw new UsageError(`${where}: write all, or a list of features`);
  const unexpected = unknownFeature(value);
  if (unexpected !== undefined) throw new UsageError(`${where}: ${unexpected}`);
  return value as FeatureName[];
}
