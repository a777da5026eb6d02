// The core group: a row per resource of `/api/v1`.
import { collection, type GroupVersion, object, resource, scale, watches } from './resource.js';

const coreV1: GroupVersion = {
  group: '',
  version: 'v1',
  prefix: '/api/v1',
  responseTypes: ['json', 'yaml'],
  watchTypes: ['json'],
  stated: true,
};

const full = ['listAll', ...collection, ...object] as const;
const readPatchStatus = ['readStatus', 'patchStatus'] as const;
const watchInNamespace = ['watchList', 'watchOne'] as const;
const proxies = ['proxy', 'proxyPath', 'legacyProxy', 'legacyProxyPath'] as const;
const scaleV1 = { apiVersion: 'autoscaling/v1', kind: 'Scale' };
const binding = { apiVersion: 'v1', kind: 'Binding' };

/** Every resource of the core group, in the order of discovery. */
export const core = [
  resource(coreV1, { plural: 'bindings', kind: 'Binding', stated: ['create'] }),
  resource(coreV1, {
    plural: 'componentstatuses',
    singular: 'componentstatus',
    kind: 'ComponentStatus',
    shortNames: ['cs'],
    namespaced: false,
    stated: ['list', 'readPlain'],
  }),
  resource(coreV1, {
    plural: 'configmaps',
    kind: 'ConfigMap',
    shortNames: ['cm'],
    stated: full,
    unstated: watches,
  }),
  resource(coreV1, { plural: 'endpoints', kind: 'Endpoints', shortNames: ['ep'], stated: full, unstated: watches }),
  resource(coreV1, { plural: 'events', kind: 'Event', shortNames: ['ev'], stated: full, unstated: watches }),
  resource(coreV1, {
    plural: 'limitranges',
    kind: 'LimitRange',
    shortNames: ['limits'],
    stated: [...full, ...watchInNamespace],
    unstated: ['watchAll'],
  }),
  resource(coreV1, {
    plural: 'namespaces',
    kind: 'Namespace',
    shortNames: ['ns'],
    namespaced: false,
    stated: [...collection, ...object, 'finalize', 'replaceStatus', 'watchOne'],
    unstated: ['readStatus', 'patchStatus', 'watchList'],
  }),
  resource(coreV1, {
    plural: 'nodes',
    kind: 'Node',
    shortNames: ['no'],
    namespaced: false,
    stated: [...collection, ...object, 'replaceStatus', 'watchList', 'watchOne', ...proxies],
    unstated: readPatchStatus,
  }),
  resource(coreV1, {
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    shortNames: ['pvc'],
    stated: [...full, 'replaceStatus', ...watches],
    unstated: readPatchStatus,
  }),
  resource(coreV1, {
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    shortNames: ['pv'],
    namespaced: false,
    stated: [...collection, ...object, 'replaceStatus', 'watchList', 'watchOne'],
    unstated: readPatchStatus,
  }),
  resource(coreV1, {
    plural: 'pods',
    kind: 'Pod',
    categories: ['all'],
    shortNames: ['po'],
    stated: [...full, 'replaceStatus', 'bind', ...watches, 'log', 'attach', 'exec', 'portforward', ...proxies],
    unstated: [...readPatchStatus, 'evict'],
    later: ['readEphemeral', 'replaceEphemeral', 'patchEphemeral', 'readResize', 'replaceResize', 'patchResize'],
    bodyKinds: { bind: binding, evict: { apiVersion: 'policy/v1beta1', kind: 'Eviction', later: 'policy/v1' } },
  }),
  resource(coreV1, {
    plural: 'podtemplates',
    kind: 'PodTemplate',
    stated: ['listAll', ...watches],
    unstated: [...collection, ...object],
  }),
  resource(coreV1, {
    plural: 'replicationcontrollers',
    kind: 'ReplicationController',
    categories: ['all'],
    shortNames: ['rc'],
    stated: watches,
    unstated: [...full, 'readStatus', 'replaceStatus', 'patchStatus', ...scale],
    bodyKinds: { readScale: scaleV1, replaceScale: scaleV1, patchScale: scaleV1 },
  }),
  resource(coreV1, {
    plural: 'resourcequotas',
    kind: 'ResourceQuota',
    shortNames: ['quota'],
    stated: ['replace', 'delete', 'patch', 'replaceStatus', ...watches],
    unstated: ['listAll', ...collection, 'read', ...readPatchStatus],
  }),
  resource(coreV1, {
    plural: 'secrets',
    kind: 'Secret',
    stated: [...collection, ...object, ...watches],
    unstated: ['listAll'],
  }),
  resource(coreV1, {
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    shortNames: ['sa'],
    stated: [...collection, ...object, ...watches],
    unstated: ['listAll'],
    later: ['requestToken'],
    bodyKinds: { requestToken: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' } },
  }),
  resource(coreV1, {
    plural: 'services',
    kind: 'Service',
    categories: ['all'],
    shortNames: ['svc'],
    stated: ['list', 'create', 'read', 'replace', 'deletePlain', 'patch', 'replaceStatus', ...watches, ...proxies],
    unstated: ['listAll', ...readPatchStatus],
    later: ['deleteCollection'],
  }),
];
