// The extensions group: a row per resource of `/apis/extensions/v1beta1`.
import { groupVersion } from './groupVersion.js';
import { collection, object, resource, scale, status, watches } from './resource.js';

const extensionsV1beta1 = groupVersion('extensions', 'v1beta1');

const all = ['listAll', ...collection, ...object, ...status, ...watches] as const;
const scaleBody = { apiVersion: 'extensions/v1beta1', kind: 'Scale' };
const scaleBodies = { readScale: scaleBody, replaceScale: scaleBody, patchScale: scaleBody };

/** Every resource of the extensions group, in the order of discovery. */
export const extensions = [
  resource(extensionsV1beta1, {
    plural: 'daemonsets',
    kind: 'DaemonSet',
    categories: ['all'],
    shortNames: ['ds'],
    stated: all,
  }),
  resource(extensionsV1beta1, {
    plural: 'deployments',
    kind: 'Deployment',
    categories: ['all'],
    shortNames: ['deploy'],
    stated: [...all, 'rollback', ...scale],
    bodyKinds: { ...scaleBodies, rollback: { apiVersion: 'extensions/v1beta1', kind: 'DeploymentRollback' } },
  }),
  resource(extensionsV1beta1, {
    plural: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    shortNames: ['hpa'],
    stated: all,
    storageVersion: 'autoscaling/horizontalpodautoscalers',
  }),
  resource(extensionsV1beta1, { plural: 'ingresses', kind: 'Ingress', shortNames: ['ing'], stated: all }),
  resource(extensionsV1beta1, {
    plural: 'jobs',
    kind: 'Job',
    stated: ['listAll', 'list', ...watches],
    unstated: ['create', 'deleteCollection', ...object, ...status],
    storageVersion: 'batch/jobs',
  }),
  resource(extensionsV1beta1, {
    plural: 'networkpolicies',
    singular: 'networkpolicy',
    kind: 'NetworkPolicy',
    shortNames: ['netpol'],
    stated: ['listAll', 'replace', 'delete', 'patch'],
    unstated: [...collection, 'read', ...watches],
  }),
  resource(extensionsV1beta1, {
    plural: 'replicasets',
    kind: 'ReplicaSet',
    categories: ['all'],
    shortNames: ['rs'],
    stated: ['listAll', ...collection, ...object, ...status, ...scale],
    unstated: watches,
    bodyKinds: scaleBodies,
  }),
  resource(extensionsV1beta1, {
    plural: 'replicationcontrollers',
    kind: 'ReplicationControllerDummy',
    stated: scale,
    bodyKinds: scaleBodies,
    storageVersion: 'core/replicationcontrollers',
  }),
  resource(extensionsV1beta1, {
    plural: 'thirdpartyresources',
    kind: 'ThirdPartyResource',
    namespaced: false,
    stated: [...collection, ...object],
    unstated: ['watchList', 'watchOne'],
  }),
];
