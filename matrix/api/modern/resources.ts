// The resources that came after the interface: a row each. Views of resources of the interface name these as their
// storage version; the others are stored as they are.
import { authentication } from '../resources/authentication.js';
import { batch } from '../resources/batch.js';
import { type GroupVersion, type Resource, scale, status } from '../resources/resource.js';
import type { Verb } from '../verbs.js';
import { administered } from './administered.js';
import { clusterScoped, type LaterRow, later, namespaced, row } from './row.js';

/** Custom resources have no messages in protobuf. */
const withoutMessages = { responseTypes: ['json', 'yaml'], watchTypes: ['json', 'jsonWatch'] } as const;

const apiextensions = later('apiextensions.k8s.io', 'v1');
const apps = later('apps', 'v1');
const authorization = later('authorization.k8s.io', 'v1');
const autoscalingV2 = later('autoscaling', 'v2');
const coordination = later('coordination.k8s.io', 'v1');
const discovery = later('discovery.k8s.io', 'v1');
const events = later('events.k8s.io', 'v1');
const networking = later('networking.k8s.io', 'v1');
const policy = later('policy', 'v1');
const rbac = later('rbac.authorization.k8s.io', 'v1');
const policyV1beta1 = later('policy', 'v1beta1');
const batchV1 = versionOf(batch);
const batchV1beta1 = later('batch', 'v1beta1');
const authenticationV1 = versionOf(authentication);

const scaleBody = { apiVersion: 'autoscaling/v1', kind: 'Scale' };
const scaleBodies = { readScale: scaleBody, replaceScale: scaleBody, patchScale: scaleBody };

const cronJobs = row(batchV1, [...namespaced, ...status], {
  plural: 'cronjobs',
  kind: 'CronJob',
  categories: ['all'],
  shortNames: ['cj'],
});

const disruptionBudgets = row(policy, [...namespaced, ...status], {
  plural: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  shortNames: ['pdb'],
});

/** The resources, for a table that has those of the interface too. */
export const laterResources: readonly Resource[] = [
  row(apiextensions, [...clusterScoped, ...status], {
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    namespaced: false,
    categories: ['api-extensions'],
    shortNames: ['crd', 'crds'],
  }),
  row(apps, namespaced, { plural: 'controllerrevisions', kind: 'ControllerRevision' }),
  row(apps, [...namespaced, ...status], {
    plural: 'daemonsets',
    kind: 'DaemonSet',
    categories: ['all'],
    shortNames: ['ds'],
    storageVersion: 'extensions/daemonsets',
  }),
  row(apps, [...namespaced, ...status, ...scale], {
    plural: 'deployments',
    kind: 'Deployment',
    categories: ['all'],
    shortNames: ['deploy'],
    bodyKinds: scaleBodies,
    storageVersion: 'extensions/deployments',
  }),
  row(apps, [...namespaced, ...status, ...scale], {
    plural: 'replicasets',
    kind: 'ReplicaSet',
    categories: ['all'],
    shortNames: ['rs'],
    bodyKinds: scaleBodies,
    storageVersion: 'extensions/replicasets',
  }),
  row(apps, [...namespaced, ...status, ...scale], {
    plural: 'statefulsets',
    kind: 'StatefulSet',
    categories: ['all'],
    shortNames: ['sts'],
    bodyKinds: scaleBodies,
  }),
  row(authenticationV1, ['create'], {
    plural: 'tokenreviews',
    kind: 'TokenReview',
    namespaced: false,
    id: 'authentication.k8s.io.v1/tokenreviews',
  }),
  row(authorization, ['create'], { plural: 'localsubjectaccessreviews', kind: 'LocalSubjectAccessReview' }),
  row(authorization, ['create'], {
    plural: 'selfsubjectaccessreviews',
    kind: 'SelfSubjectAccessReview',
    namespaced: false,
  }),
  row(authorization, ['create'], {
    plural: 'selfsubjectrulesreviews',
    kind: 'SelfSubjectRulesReview',
    namespaced: false,
  }),
  row(authorization, ['create'], { plural: 'subjectaccessreviews', kind: 'SubjectAccessReview', namespaced: false }),
  row(autoscalingV2, [...namespaced, ...status], {
    plural: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    categories: ['all'],
    shortNames: ['hpa'],
    storageVersion: 'autoscaling/horizontalpodautoscalers',
    id: 'autoscaling.v2/horizontalpodautoscalers',
  }),
  cronJobs,
  // kubectl 1.20 and its age know these two groups in v1beta1 only.
  row(batchV1beta1, [...namespaced, ...status], {
    plural: 'cronjobs',
    kind: 'CronJob',
    categories: ['all'],
    shortNames: ['cj'],
    storageVersion: 'batch/cronjobs',
    storedAs: cronJobs,
    id: 'batch.v1beta1/cronjobs',
  }),
  row(coordination, namespaced, { plural: 'leases', kind: 'Lease' }),
  row(discovery, namespaced, { plural: 'endpointslices', kind: 'EndpointSlice' }),
  row(events, namespaced, { plural: 'events', kind: 'Event', shortNames: ['ev'], storageVersion: 'core/events' }),
  row(networking, clusterScoped, {
    plural: 'ingressclasses',
    singular: 'ingressclass',
    kind: 'IngressClass',
    namespaced: false,
  }),
  row(networking, [...namespaced, ...status], {
    plural: 'ingresses',
    singular: 'ingress',
    kind: 'Ingress',
    shortNames: ['ing'],
    storageVersion: 'extensions/ingresses',
  }),
  row(networking, clusterScoped, {
    plural: 'ipaddresses',
    singular: 'ipaddress',
    kind: 'IPAddress',
    namespaced: false,
    shortNames: ['ip'],
    since: 33,
  }),
  row(networking, namespaced, {
    plural: 'networkpolicies',
    singular: 'networkpolicy',
    kind: 'NetworkPolicy',
    shortNames: ['netpol'],
    storageVersion: 'extensions/networkpolicies',
  }),
  row(networking, [...clusterScoped, ...status], {
    plural: 'servicecidrs',
    kind: 'ServiceCIDR',
    namespaced: false,
    since: 33,
  }),
  disruptionBudgets,
  row(policyV1beta1, [...namespaced, ...status], {
    plural: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    shortNames: ['pdb'],
    storageVersion: 'policy/poddisruptionbudgets',
    storedAs: disruptionBudgets,
    id: 'policy.v1beta1/poddisruptionbudgets',
  }),
  row(rbac, clusterScoped, { plural: 'clusterrolebindings', kind: 'ClusterRoleBinding', namespaced: false }),
  row(rbac, clusterScoped, { plural: 'clusterroles', kind: 'ClusterRole', namespaced: false }),
  row(rbac, namespaced, { plural: 'rolebindings', kind: 'RoleBinding' }),
  row(rbac, namespaced, { plural: 'roles', kind: 'Role' }),
  ...administered,
];

export const customGroupVersion = (group: string, version: string): GroupVersion => ({
  ...later(group, version),
  ...withoutMessages,
});

/** Returns the row of a custom resource. `verbs` are those in addition to the verbs of every resource. */
export const customResource = (
  of: GroupVersion,
  isNamespaced: boolean,
  verbs: readonly Verb[],
  more: LaterRow,
): Resource =>
  row(of, [...(isNamespaced ? namespaced : clusterScoped), ...verbs], { ...more, namespaced: isNamespaced });

export const customScale = scaleBodies;

/** The group version of a table's first row. */
function versionOf([first]: readonly Resource[]): GroupVersion {
  if (first === undefined) throw new Error('a group without resources');
  return first.groupVersion;
}
