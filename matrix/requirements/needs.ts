// Which features a case needs: those of its requirement, of its subject, of its mechanism and of its operation.
import { type Operation, type VerbRow, verbs } from '../api/index.js';
import type { FeatureName, Needs } from './features.js';
import type { Subject } from './subjects/build.js';

/** What stands in the table for a mechanism. */
const ofMechanism: Readonly<Record<string, FeatureName>> = {
  staticPassword: 'static-password',
  identityServicePassword: 'identity-service',
};

/** The features that a subject needs and, where a requirement's row is given, that the requirement needs of it. */
export function featuresOf(
  { operation, mechanism, feature }: Pick<Subject, 'operation' | 'mechanism' | 'feature'>,
  row: { readonly feature?: Needs } = {},
): readonly FeatureName[] {
  const own = mechanism === undefined ? undefined : ofMechanism[mechanism];
  const legacy = operation !== undefined && isLegacy(operation) ? (['legacy-proxy'] as const) : [];
  return [...listOf(row.feature), ...listOf(feature), ...(own === undefined ? [] : [own]), ...legacy];
}

const listOf = (needs: Needs | undefined): readonly FeatureName[] =>
  needs === undefined ? [] : typeof needs === 'string' ? [needs] : needs;

const isLegacy = ({ verb }: Operation): boolean => verb !== 'discover' && (verbs[verb] as VerbRow).form === 'legacy';
