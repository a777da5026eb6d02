// The columns of workloads: deployments, replica sets, stateful sets, daemon sets, replication controllers, pod
// templates, and scales.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { ageColumn, type Column, nameColumn, tableOf } from './column.js';
import { containersText, imagesText, labelsText, selectorText } from './text.js';

/** The wide columns of everything with a template of pods. */
export const templateColumns: readonly Column<{
  readonly spec?: { readonly template?: ObjectOf<'PodTemplateSpec'> };
}>[] = [
  {
    name: 'Containers',
    wide: true,
    description: 'The names of the containers in the template.',
    cell: ({ spec }) => containersText(spec?.template),
  },
  {
    name: 'Images',
    wide: true,
    description: 'The images of the containers in the template.',
    cell: ({ spec }) => imagesText(spec?.template),
  },
];

/** The wide column with a selector that may have requirements. */
export const selectorColumn: Column<{ readonly spec?: { readonly selector?: ObjectOf<'LabelSelector'> } }> = {
  name: 'Selector',
  wide: true,
  description: 'The selector of the pods.',
  cell: ({ spec }) => selectorText(spec?.selector),
};

const replicas: readonly Column<ObjectOf<'apps.v1.ReplicaSet'> | ObjectOf<'ReplicationController'>>[] = [
  {
    name: 'Desired',
    type: 'integer',
    description: 'How many pods there should be.',
    cell: ({ spec }) => spec?.replicas ?? 0,
  },
  {
    name: 'Current',
    type: 'integer',
    description: 'How many pods there are.',
    cell: ({ status }) => status?.replicas ?? 0,
  },
  {
    name: 'Ready',
    type: 'integer',
    description: 'How many pods are ready.',
    cell: ({ status }) => status?.readyReplicas ?? 0,
  },
];

export const deploymentColumns = tableOf<ObjectOf<'apps.v1.Deployment'>>([
  nameColumn,
  {
    name: 'Ready',
    description: 'How many pods are ready, of those that there should be.',
    cell: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  },
  {
    name: 'Up-to-date',
    description: 'How many pods are of the current template.',
    cell: ({ status }) => status?.updatedReplicas ?? 0,
  },
  {
    name: 'Available',
    description: 'How many pods have been ready for long enough.',
    cell: ({ status }) => status?.availableReplicas ?? 0,
  },
  ageColumn,
  ...templateColumns,
  selectorColumn,
]);

export const replicaSetColumns = tableOf<ObjectOf<'apps.v1.ReplicaSet'>>([
  nameColumn,
  ...replicas,
  ageColumn,
  ...templateColumns,
  selectorColumn,
]);

export const statefulSetColumns = tableOf<ObjectOf<'apps.v1.StatefulSet'>>([
  nameColumn,
  {
    name: 'Ready',
    description: 'How many pods are ready, of those that there should be.',
    cell: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  },
  ageColumn,
  ...templateColumns,
]);

export const daemonSetColumns = tableOf<ObjectOf<'apps.v1.DaemonSet'>>([
  nameColumn,
  {
    name: 'Desired',
    type: 'integer',
    description: 'How many nodes should run the pod.',
    cell: ({ status }) => status?.desiredNumberScheduled ?? 0,
  },
  {
    name: 'Current',
    type: 'integer',
    description: 'How many nodes have the pod and should have it.',
    cell: ({ status }) => status?.currentNumberScheduled ?? 0,
  },
  {
    name: 'Ready',
    type: 'integer',
    description: 'How many nodes have a ready pod.',
    cell: ({ status }) => status?.numberReady ?? 0,
  },
  {
    name: 'Up-to-date',
    type: 'integer',
    description: 'How many nodes have a pod of the current template.',
    cell: ({ status }) => status?.updatedNumberScheduled ?? 0,
  },
  {
    name: 'Available',
    type: 'integer',
    description: 'How many nodes have a pod that has been ready for long enough.',
    cell: ({ status }) => status?.numberAvailable ?? 0,
  },
  {
    name: 'Node Selector',
    description: 'The labels of the nodes that should run the pod.',
    cell: ({ spec }) => labelsText(spec?.template?.spec?.nodeSelector),
  },
  ageColumn,
  ...templateColumns,
  selectorColumn,
]);

export const replicationControllerColumns = tableOf<ObjectOf<'ReplicationController'>>([
  nameColumn,
  ...replicas,
  ageColumn,
  ...templateColumns,
  {
    name: 'Selector',
    wide: true,
    description: 'The labels of the pods.',
    cell: ({ spec }) => labelsText(spec?.selector),
  },
]);

export const podTemplateColumns = tableOf<ObjectOf<'PodTemplate'>>([
  nameColumn,
  {
    name: 'Containers',
    description: 'The names of the containers in the template.',
    cell: ({ template }) => containersText(template),
  },
  {
    name: 'Images',
    description: 'The images of the containers in the template.',
    cell: ({ template }) => imagesText(template),
  },
  {
    name: 'Pod Labels',
    description: 'The labels of the pods.',
    cell: ({ template }) => labelsText(template?.metadata?.labels),
  },
]);

/** The columns of the subresource scale, whatever has it. */
export const scaleColumns = tableOf<ObjectOf<'autoscaling.v1.Scale'>>([
  nameColumn,
  {
    name: 'Desired',
    type: 'integer',
    description: 'How many pods there should be.',
    cell: ({ spec }) => spec?.replicas ?? 0,
  },
  {
    name: 'Available',
    type: 'integer',
    description: 'How many pods there are.',
    cell: ({ status }) => status?.replicas ?? 0,
  },
  ageColumn,
]);
