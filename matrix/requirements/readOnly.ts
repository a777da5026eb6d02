// Which cases send nothing but GETs. A set is named here where its subjects need no object that is made for them.
import type { Case } from './cases.js';
import type { SubjectSet } from './subjects.js';
import { isChecked } from './types.js';

/** Sets that ask with GET for what is there anyway, for what is absent, or to be refused. */
const asking: ReadonlySet<SubjectSet> = new Set([
  // what every server has
  'discoveries',
  'discoveredResources',
  'completeDiscoveries',
  'queriedComponents',
  'watchedComponents',
  'discoveryRoots',
  'componentStatuses',
  'protobufDiscoveries',
  'selectedComponents',
  'componentConditions',
  'userDiscoveries',
  'clusterScopedKinds',
  // collections, whatever is in them, and objects that are absent
  'statedOperations',
  'acceptForms',
  'acceptedTypes',
  'undefinedForms',
  'watchAnswers',
  'boundedWatches',
  'unboundedWatches',
  'absentComponents',
  'absentInProtobuf',
  'absentLogs',
  'absentProxies',
  'statusesOfAbsent',
  'scalesOfAbsent',
  'unknownPaths',
  'malformedSelections',
  'malformedWatches',
  // who is let in
  'unauthenticated',
  'authenticatedOperations',
  'refusedOperations',
  'refusedPaths',
  'refusals',
  'goodBesideBad',
  'schemeSpellings',
  'otherSchemes',
  'emptyValues',
  'controlCharacters',
  'oversizedCredentials',
  'twoHeaders',
  'cutStaticTokens',
  'similarStaticTokens',
  'wrongStaticPasswords',
  'passwordsCutAtColon',
  'malformedPasswords',
  'openidSignatures',
  'openidAudiences',
  'openidIssuers',
  'openidTimes',
  'openidUnsigned',
  'identityServiceRefusals',
  'serverCertificates',
  'serverNames',
  'foreignCertificates',
  'selfSignedCertificates',
  'untimelyCertificates',
  'otherUsageCertificates',
  'namelessCertificates',
  'certificateLess',
  'resumedSessions',
]);

/** Sets that make an object to ask for, where there is none anyway. */
const makingWhatIsAsked: ReadonlySet<SubjectSet> = new Set([
  'responses',
  'unacceptableTypes',
  'prettyAnswers',
  'prettyReads',
  'unknownParameters',
  'protobufCalls',
]);

/** Whether a case sends nothing but GETs. */
export function readsOnly({ requirement: { row }, subject: { operation, mechanism, node } }: Case): boolean {
  // pods are made for a node to run
  if (!isChecked(row) || node !== undefined || (operation !== undefined && operation.method !== 'GET')) return false;
  // a service account is made for its token
  if (mechanism === 'serviceAccountToken') return false;
  if (asking.has(row.subjects)) return true;
  const anyway = operation?.verb === 'discover' || operation?.resource?.kind === 'ComponentStatus';
  return anyway && makingWhatIsAsked.has(row.subjects);
}
