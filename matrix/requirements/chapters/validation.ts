// Validation: defaults, refusals, and the fields that a cluster adds to an object.
import type { Chapter } from '../types.js';

const source = ['Other rules/3'] as const;

export const validation = {
  // Stated fields
  'deployment-replicas': {
    level: 'stated',
    source: ['Fields that are stated/Deployment spec.replicas'],
    text: 'A Deployment keeps the integer of its spec.replicas.',
    words: 'Deployment | spec.replicas | integer | desired replica count',
    subjects: 'deploymentReplicas',
  },
  'deployment-replicas-type': {
    level: 'convention',
    source: ['Fields that are stated/Deployment spec.replicas', 'Errors/1'],
    text: 'A Deployment with a spec.replicas that is not an integer is refused with a client error, and nothing is created.',
    subjects: 'deploymentReplicasTypes',
  },
  'deployment-template': {
    level: 'stated',
    source: ['Fields that are stated/Deployment spec.template'],
    text: 'A Deployment keeps the metadata and the spec of its template.',
    words: 'Deployment | spec.template | object | contains metadata and spec',
    subjects: 'deploymentFields',
  },
  'deployment-containers': {
    level: 'stated',
    source: ['Fields that are stated/Deployment pod template spec containers[]'],
    text: "Each container of a Deployment's template keeps its name and its image.",
    words: 'each item has name (string) and image (string)',
    subjects: 'deploymentFields',
  },
  'secret-data': {
    level: 'stated',
    source: ['Fields that are stated/Secret data'],
    text: "The values of a Secret's data are returned as base64 of the bytes that were written.",
    words: 'values are always base64-encoded',
    subjects: 'secretData',
  },
  'secret-not-base64': {
    level: 'stated',
    source: ['Fields that are stated/Secret data'],
    text: 'A Secret with a data value that is not base64 is refused with a client error, and nothing is created.',
    words: 'values are always base64-encoded',
    subjects: 'secretsNotBase64',
  },
  'secret-string-data': {
    level: 'convention',
    source: ['Fields that are stated/Secret data', 'Conventions/6'],
    text: 'The stringData of a Secret is returned in data as base64, and nowhere else.',
    subjects: 'secretStrings',
  },
  // Refusals
  invalid: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'An object that breaks a rule of its kind is refused with 422 and the reason Invalid.',
    subjects: 'invalidBodies',
  },
  'invalid-causes': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'The causes of a 422 name each field that breaks a rule.',
    subjects: 'invalidBodies',
    feature: 'cause-names',
  },
  'invalid-changes-nothing': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A create or replace that breaks a rule of its kind changes nothing.',
    subjects: 'invalidBodies',
  },
  'invalid-update': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A replace or patch that breaks a rule is refused with 422 and names the field, and the object does not change.',
    subjects: 'invalidUpdates',
  },
  'wrong-type': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A create with a field of a wrong JSON type is refused with 400, and nothing is created.',
    subjects: 'wrongTypes',
  },
  'unknown-field': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A field that the kind does not have is dropped, and the object is created.',
    subjects: 'unknownFields',
  },
  names: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'Each kind accepts the names that are valid for it and refuses the others.',
    subjects: 'objectNames',
  },
  labels: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'An object with a malformed label or annotation key or value is refused with 422.',
    subjects: 'invalidLabels',
  },
  required: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'An object without a field that its kind requires is refused with 422, and the field is named among the causes.',
    subjects: 'missingFields',
  },
  immutable: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A write that changes an immutable field is refused with 422, and the field keeps its value.',
    subjects: 'fixedFields',
  },
  'creation-time': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A replace does not change the creationTimestamp, whatever its body says.',
    subjects: 'creationTimes',
  },
  'pod-update': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'An update of a Pod can change the images of its spec and few other fields.',
    subjects: 'podUpdates',
  },
  duplicates: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A list with unique keys refuses a second item with the same key.',
    subjects: 'duplicateKeys',
  },
  'selector-template': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A selector that does not match the labels of its own template is refused with 422.',
    subjects: 'mismatchedSelectors',
  },
  'job-restart-policy': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A Job with the restart policy Always is refused.',
    subjects: 'jobRestartPolicies',
  },
  quantities: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A malformed quantity is refused with a client error, and a valid one keeps its amount.',
    subjects: 'quantityForms',
  },
  hostile: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A quantity that is built to do harm, with many digits or a long exponent, is refused or kept, and the server continues to work.',
    subjects: 'hostileQuantities',
  },
  probes: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A probe without a handler, or with two, is refused with 422.',
    subjects: 'invalidProbes',
  },
  volumes: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A volume without a source, or with two, and a mount of an absent volume are refused with 422.',
    subjects: 'invalidVolumes',
  },
  'ingress-backend': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'An Ingress without a backend and without rules, or with half a backend, is refused with 422.',
    subjects: 'invalidBackends',
  },
  'event-namespace': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'An Event about an object of another namespace is refused with 422.',
    subjects: 'foreignEvents',
  },
  'third-party-name': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A ThirdPartyResource whose name has no kind and domain is refused with 422.',
    subjects: 'thirdPartyNames',
  },
  // Fields that the server adds
  defaults: {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'Omitted fields get the defaults of their kind.',
    subjects: 'defaultedBodies',
  },
  generation: {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The generation starts at 1, increases by one with each change of the spec, and not with changes of status or labels.',
    subjects: 'generations',
  },
  'replace-creates': {
    level: 'convention',
    source: ['Generic operation set/replace', 'Conventions/6'],
    text: 'A replace of an absent Endpoints, Event or LimitRange creates it.',
    subjects: 'creatingReplaces',
  },
  'service-ports': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A Service with a port out of range, or without ports, is refused with 422.',
    subjects: 'invalidPorts',
  },
  'cluster-ip': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A Service without a cluster IP gets one that no other Service has.',
    subjects: 'clusterIps',
  },
  'cluster-ip-taken': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A Service that asks for a cluster IP in use, or out of range, is refused with 422.',
    subjects: 'takenClusterIps',
  },
  'cluster-ip-freed': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'The cluster IP of a deleted Service can be used again.',
    subjects: 'freedClusterIps',
  },
  'node-port': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A Service of type NodePort gets a port that no other Service has.',
    subjects: 'nodePorts',
  },
  'node-port-taken': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A Service that asks for a node port in use, or out of range, is refused with 422.',
    subjects: 'takenNodePorts',
  },
} as const satisfies Chapter;
