// The needs of a case: the features and other capabilities that its requirement and its subject need.
import { type Operation, resourceId, type VerbRow, verbs } from '../../matrix/api/index.js';
import type { Subject } from '../../matrix/subjects/build.js';
import type { Capability, FeatureName, Needs } from '../../matrix/subjects/features.js';
import { matchesWhole } from './pattern.js';
import type { NotSupported } from './target.js';

/** The features of the table that are authentication mechanisms. */
const ofMechanism: Readonly<Record<string, FeatureName>> = {
  staticPassword: 'static-password',
  identityServicePassword: 'identity-service',
};

/** Returns the features that a subject needs and, with a requirement's row, those that the requirement needs. */
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

/** The fields of a subject and of a requirement's row that state needs. */
type Needing = Pick<Subject, 'operation' | 'beside' | 'mediaType' | 'mechanism' | 'node' | 'within' | 'feature'>;

/** Returns the capabilities that a subject needs and, with a requirement's row, those that the requirement needs. */
function capabilitiesOf(subject: Needing, row?: { readonly feature?: Needs }): readonly Capability[] {
  const { operation, beside, mediaType, mechanism, node, within } = subject;
  return [
    ...featuresOf(subject, row).map((name): Capability => `feature:${name}`),
    // What is about the server as a whole is asked of objects and paths of the core group.
    ...(within === undefined ? (operation === undefined ? (['group:core'] as const) : []) : [within]),
    ...(operation === undefined ? [] : operationCapabilities(operation)),
    ...(beside === undefined ? [] : operationCapabilities(beside)),
    ...(mediaType === undefined ? [] : [`mediaType:${mediaType}` as const]),
    ...(mechanism === undefined ? [] : [`mechanism:${mechanism}` as const]),
    // an observed node also has to run pods
    ...(node === undefined ? [] : [`nodes:${node}` as const, 'nodes:running' as const]),
  ];
}

const operationCapabilities = ({ id, groupVersion, resource }: Operation): readonly Capability[] => [
  `group:${groupVersion.group || 'core'}`,
  `operation:${id}`,
  ...(resource === undefined ? [] : [`resource:${resourceId(resource)}` as const]),
];

/** Returns the absence of a capability that a case needs; undefined if there is none. Absences are patterns. */
export function absenceFor(
  notSupported: readonly NotSupported[],
  subject: Needing,
  row?: { readonly feature?: Needs },
): NotSupported | undefined {
  const needs = capabilitiesOf(subject, row);
  return notSupported.find(({ capability }) => needs.some((need) => matchesWhole(capability, need)));
}

const isLegacy = ({ verb }: Operation): boolean => verb !== 'discover' && (verbs[verb] as VerbRow).form === 'legacy';
