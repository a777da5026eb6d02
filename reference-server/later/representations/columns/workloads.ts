// The columns of workloads: deployments, replica sets, stateful sets, daemon sets, replication controllers, pod
// templates, and scales.
import { ageColumn, type Column, nameColumn, tableOf } from './column.js';
import { containersText, imagesText, labelsText, type ShownSelector, selectorText, type Template } from './text.js';

interface Workload<Selector = ShownSelector> {
  readonly spec?: { readonly replicas?: number; readonly selector?: Selector; readonly template?: Template };
  readonly status?: {
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly currentNumberScheduled?: number;
    readonly numberReady?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
  };
}

/** The wide columns of everything with a template of pods. */
export const templateColumns: readonly Column<{ readonly spec?: { readonly template?: Template } }>[] = [
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
export const selectorColumn: Column<{ readonly spec?: { readonly selector?: ShownSelector } }> = {
  name: 'Selector',
  wide: true,
  description: 'The selector of the pods.',
  cell: ({ spec }) => selectorText(spec?.selector),
};

const replicas: readonly Column<Workload<unknown>>[] = [
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

export const deploymentColumns = tableOf<Workload>([
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

export const replicaSetColumns = tableOf<Workload>([
  nameColumn,
  ...replicas,
  ageColumn,
  ...templateColumns,
  selectorColumn,
]);

export const statefulSetColumns = tableOf<Workload>([
  nameColumn,
  {
    name: 'Ready',
    description: 'How many pods are ready, of those that there should be.',
    cell: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  },
  ageColumn,
  ...templateColumns,
]);

export const daemonSetColumns = tableOf<Workload>([
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

export const replicationControllerColumns = tableOf<Workload<Readonly<Record<string, string>>>>([
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

export const podTemplateColumns = tableOf<{ readonly template?: Template }>([
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
export const scaleColumns = tableOf<Workload>([
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
