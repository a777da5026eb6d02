// The subject sets of the validation chapter: invalid bodies by kind, defaults, and immutable fields.
import type { Verb } from '../api/index.js';
import { forDisposable, type OperationSubject, operationsOf, perOperation, perVariant, withVerbs } from './build.js';
import { type InvalidTheme, invalidBodies } from './invalidBodies.js';

/** Objects without some fields, by resource: the names of the omitted fields. */
export const defaultedBodies = {
  'core/pods': ['a bare container', 'probes', 'ports', 'volumes', 'limits without requests', 'image tags'],
  'core/podtemplates': ['a bare container'],
  'core/replicationcontrollers': ['replicas and selector', 'the template'],
  'core/services': ['a bare port', 'a node port', 'no selector'],
  'core/endpoints': ['a bare port'],
  'core/secrets': ['the type'],
  'core/namespaces': ['everything'],
  'core/persistentvolumes': ['the reclaim policy'],
  'core/persistentvolumeclaims': ['the status'],
  'core/limitranges': ['defaults of a container'],
  'autoscaling/horizontalpodautoscalers': ['the least replicas'],
  'batch/jobs': ['completions and parallelism', 'parallelism'],
  'extensions/daemonsets': ['the selector', 'the template'],
  'extensions/deployments': ['replicas and selector', 'the strategy', 'a half strategy', 'the template'],
  'extensions/replicasets': ['replicas and selector', 'the template'],
  'extensions/horizontalpodautoscalers': ['the least replicas'],
  'extensions/ingresses': ['the status'],
} as const;

/** Values that a field of few values may have, beside those of other objects of the suite, by resource. */
export const allowedBodies = {
  'core/pods': ['restarts on failure', 'always restarts', 'the DNS of the cluster', 'both protocols', 'both schemes'],
  'core/services': ['NodePort', 'ExternalName', 'headless', 'both protocols'],
  'core/secrets': ['dockercfg', 'dockerconfigjson', 'basic-auth', 'ssh-auth', 'tls', 'a type of its own'],
  'core/configmaps': ['keys that languages know', 'no data'],
  'core/endpoints': ['both protocols', 'no addresses'],
  'core/persistentvolumes': [
    ...['deleted', 'recycled', 'written by many'],
    ...['nfs', 'iscsi', 'glusterfs', 'rbd', 'cephfs', 'fc', 'flexVolume', 'flocker', 'azureFile', 'quobyte'],
  ],
  'core/persistentvolumeclaims': ['read by many', 'written by many', 'each operator'],
  'autoscaling/horizontalpodautoscalers': ['one size', 'no target'],
  'batch/jobs': ['restarts on failure', 'pulled if absent', 'never pulled'],
  'extensions/daemonsets': ['each operator'],
  'extensions/deployments': ['recreated', 'each operator', 'parts in percent'],
  'extensions/horizontalpodautoscalers': ['one size', 'no target'],
  'extensions/ingresses': ['any subdomain', 'no host', 'no rules', 'no path'],
  'extensions/replicasets': ['each operator'],
} as const;

/** Changes that a replace or a patch must not make, by resource. */
export const fixedFields = {
  'core/secrets': ['the type'],
  'core/services': ['the cluster IP'],
  'core/persistentvolumeclaims': ['the access modes', 'the size'],
  'core/resourcequotas': ['the scopes'],
  'batch/jobs': ['the completions', 'the template', 'the selector'],
} as const;

const creates = withVerbs('create').filter(({ resource }) => resource?.plural !== 'bindings');
/** All creates except those of third-party resources, whose names define their kinds. */
const named = creates.filter(({ resource }) => resource?.plural !== 'thirdpartyresources');

/** Returns the operation of a resource with the first stated verb; an unstated operation if none is stated. */
function operationOf(id: string, ...verbs: readonly Verb[]) {
  const known = verbs.flatMap((verb) => operationsOf(id, verb));
  const found = known.find(({ stated }) => stated) ?? known[0];
  if (found === undefined) throw new Error(`${id} has none of ${verbs.join(', ')}`);
  return found;
}

/** Returns a subject for each variant of each resource of a table. */
function perEntry(table: Readonly<Record<string, readonly string[]>>, ...verbs: readonly Verb[]): OperationSubject[] {
  return Object.entries(table).flatMap(([id, variants]) => perVariant([operationOf(id, ...verbs)], variants));
}

/** Returns the invalid bodies of all themes or of one. A kind without a stated create is replaced. */
function invalid(theme?: InvalidTheme): OperationSubject[] {
  const chosen = Object.entries(invalidBodies).map(([id, variants]): [string, string[]] => [
    id,
    Object.entries<InvalidTheme>(variants).flatMap(([name, own]) =>
      theme === undefined || own === theme ? [name] : [],
    ),
  ]);
  return perEntry(Object.fromEntries(chosen), 'create', 'replace');
}

const one = (id: string, ...verbs: readonly Verb[]) => [operationOf(id, ...verbs)];
const replicated = [
  'core/replicationcontrollers',
  'extensions/daemonsets',
  'extensions/deployments',
  'extensions/ingresses',
  'extensions/networkpolicies',
  'extensions/replicasets',
];

export const validationSets = {
  invalidBodies: invalid(),
  missingFields: invalid('required'),
  duplicateKeys: invalid('duplicate'),
  mismatchedSelectors: invalid('selector'),
  jobRestartPolicies: invalid('restartPolicy'),
  invalidProbes: invalid('probe'),
  invalidVolumes: invalid('volume'),
  invalidBackends: invalid('backend'),
  foreignEvents: invalid('event'),
  thirdPartyNames: invalid('thirdParty'),
  invalidPorts: invalid('port'),
  invalidUpdates: perOperation(withVerbs('replace', 'patch')),
  wrongTypes: perVariant(creates, [
    'a number for a name',
    'labels as a list',
    'a number for a label',
    'a field of the kind',
  ]),
  unknownFields: perOperation(creates),
  // whether the name of a service may begin with a digit depends on the version of the server
  objectNames: perVariant(named, [
    'a dot',
    'a leading digit',
    'upper case',
    'an underscore',
    'a trailing dash',
    '63 characters',
    '64 characters',
    '254 characters',
  ]).filter(({ resource, variant }) => resource !== 'core/services' || variant !== 'a leading digit'),
  invalidLabels: perVariant(creates, [
    'a key with a space',
    'a key with two slashes',
    'a key of 64 characters',
    'a value with a space',
    'a value of 64 characters',
    'an annotation key with a space',
  ]),
  fixedFields: [...perEntry(fixedFields, 'replace'), ...perEntry(fixedFields, 'patch')],
  creationTimes: perOperation(withVerbs('replace', 'patch')),
  podUpdates: perVariant(one('core/pods', 'replace'), [
    'the image',
    'a deadline',
    'a shorter deadline',
    'a longer deadline',
    'no deadline any more',
    'the command',
    'the environment',
    'another container',
    'the restart policy',
    'a volume',
    'the service account',
    'the grace period',
    'the host name',
  ]).concat(perVariant(one('core/pods', 'patch'), ['the image', 'the command', 'the grace period'])),
  hostileQuantities: perVariant(one('core/persistentvolumeclaims', 'create'), [
    '1e-1000',
    '-1e-1000',
    'a thousand digits',
    'a thousand digits of a fraction',
  ]).concat(perVariant(one('core/persistentvolumeclaims', 'create'), ['1e-1000000']).map(forDisposable)),
  exactIntegers: perVariant([...one('core/pods', 'create'), ...one('batch/jobs', 'create')], ['2^53 + 1', '2^63 - 1']),
  timeForms: perVariant(one('core/events', 'create'), [
    '+02:00',
    '-09:45',
    'a fraction',
    'nine digits of a fraction',
    'no offset',
    'no such day',
  ]),
  quantityForms: perVariant(one('core/persistentvolumeclaims', 'create'), [
    '1Gi',
    '1024Mi',
    '0.5Gi',
    '1000M',
    '1e3',
    '12E2',
    '1500m',
    '+5',
    '5',
    'a number',
    'ten',
    '1GiB',
    '1 Gi',
    '1,5',
    '1.2.3',
    '1mi',
    '--1',
    'nothing',
    'a boolean',
  ]),
  defaultedBodies: perEntry(defaultedBodies, 'create'),
  allowedBodies: perEntry(allowedBodies, 'create'),
  generations: perOperation(replicated.map((id) => operationOf(id, 'replace'))),
  creatingReplaces: perOperation(
    ['core/endpoints', 'core/events', 'core/limitranges'].map((id) => operationOf(id, 'replace')),
  ),
  clusterIps: perOperation(one('core/services', 'create')),
  takenClusterIps: perVariant(one('core/services', 'create'), ['in use', 'out of range']),
  freedClusterIps: perOperation(one('core/services', 'delete', 'deletePlain')),
  nodePorts: perOperation(one('core/services', 'create')),
  takenNodePorts: perVariant(one('core/services', 'create'), ['in use', 'out of range']),
  secretData: perOperation(one('core/secrets', 'create')),
  secretsNotBase64: perVariant(one('core/secrets', 'create'), ['other characters', 'no padding', 'a number']),
  secretStrings: perVariant(one('core/secrets', 'create'), ['alone', 'over data']),
  deploymentFields: perOperation(one('extensions/deployments', 'create')),
  deploymentReplicas: perVariant(one('extensions/deployments', 'create'), ['0', '1', '2']),
  deploymentReplicasTypes: perVariant(one('extensions/deployments', 'create'), ['a text', 'a fraction', 'a boolean']),
};
