// The subjects whose setups send only GETs. A subject set is listed here if its subjects need no object of their own.
import type { Subject, SubjectSet } from './index.js';

/** Sets that read existing or absent objects with GET, or send a GET that is refused. */
const asking: ReadonlySet<SubjectSet> = new Set([
  // objects that every server has
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
  // collections with any content, and absent objects
  'statedOperations',
  'acceptedTypes',
  'undefinedForms',
  'watchAnswers',
  'boundedWatches',
  'unboundedWatches',
  'absentComponents',
  'absentInProtobuf',
  'absentProxies',
  'statusesOfAbsent',
  'scalesOfAbsent',
  'unknownPaths',
  'malformedSelections',
  'malformedWatches',
  // of kinds that only the target knows: the objects that there are
  'declaredAnswers',
  'declaredAccepts',
  'declaredParameters',
  // authentication
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
  'outlivedCertificates',
  'otherUsageCertificates',
  'namelessCertificates',
  'certificateLess',
  'resumedSessions',
]);

/** Sets that create an object to read, if there is none. */
const makingWhatIsAsked: ReadonlySet<SubjectSet> = new Set([
  'responses',
  'unacceptableTypes',
  'prettyAnswers',
  'prettyReads',
  'unknownParameters',
  'protobufCalls',
]);

/** Reports whether the setup of a set sends only GETs for a subject. */
export function sendsOnlyGets(set: SubjectSet, { operation, mechanism, node }: Subject): boolean {
  // the suite creates pods for the node
  if (node !== undefined || (operation !== undefined && operation.method !== 'GET')) return false;
  // the suite creates a service account for its token
  if (mechanism === 'serviceAccountToken') return false;
  if (asking.has(set)) return true;
  const anyway = operation?.verb === 'discover' || operation?.resource?.kind === 'ComponentStatus';
  return anyway && makingWhatIsAsked.has(set);
}
