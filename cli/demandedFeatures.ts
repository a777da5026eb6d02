// The features that a target file or the command line demands, checked against the table.
import { type DemandedFeatures, type FeatureName, featureNames } from '../matrix/requirements/index.js';
import { unknownName } from './nearest.js';
import { UsageError } from './usageError.js';

/** What is wrong with a list of names of features, as the end of a sentence; undefined where nothing is. */
export function strangeFeature(names: readonly unknown[]): string | undefined {
  const strange = names.find((name) => !(featureNames as readonly unknown[]).includes(name));
  return strange === undefined ? undefined : unknownName('feature', String(strange), featureNames);
}

/** The field of a target file. Throws UsageError where it is neither `all` nor a list of features. */
export function readDemanded(value: unknown, where: string): DemandedFeatures {
  if (value === 'all') return value;
  if (!Array.isArray(value)) throw new UsageError(`${where}: write all, or a list of features`);
  const strange = strangeFeature(value);
  if (strange !== undefined) throw new UsageError(`${where}: ${strange}`);
  return value as FeatureName[];
}
