// The columns of nodes, namespaces, quotas, component statuses and events.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { ageOf } from './age.js';
import { ageColumn, nameColumn, none, tableOf } from './column.js';

function nodeStatus({ spec, status }: ObjectOf<'Node'>): string {
  const ready = (status?.conditions ?? []).find(({ type }) => type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable ? `${state},SchedulingDisabled` : state;
}

const rolePrefix = 'node-role.kubernetes.io/';

/** Returns the roles of a node, which labels name: in the name of the label, or in the value of `kubernetes.io/role`. */
function rolesText(labels: Readonly<Record<string, string>> = {}): string {
  const roles = Object.entries(labels).flatMap(([name, value]) => {
    if (name.startsWith(rolePrefix)) return [name.slice(rolePrefix.length)];
    return name === 'kubernetes.io/role' ? [value] : [];
  });
  return [...new Set(roles.filter((role) => role !== ''))].sort().join(',') || none;
}

const address = ({ status }: ObjectOf<'Node'>, wanted: string): string =>
  (status?.addresses ?? []).find(({ type }) => type === wanted)?.address ?? none;

export const nodeColumns = tableOf<ObjectOf<'Node'>>([
  nameColumn,
  { name: 'Status', description: 'Whether the node is ready and takes new pods.', cell: nodeStatus },
  {
    name: 'Roles',
    description: 'The roles of the node, from its labels.',
    cell: ({ metadata }) => rolesText(metadata.labels),
  },
  ageColumn,
  {
    name: 'Version',
    description: 'The version of the kubelet.',
    cell: ({ status }) => status?.nodeInfo?.kubeletVersion ?? '',
  },
  {
    name: 'Internal-IP',
    wide: true,
    description: 'The address of the node within the cluster.',
    cell: (node) => address(node, 'InternalIP'),
  },
  {
    name: 'External-IP',
    wide: true,
    description: 'The address of the node outside the cluster.',
    cell: (node) => address(node, 'ExternalIP'),
  },
  {
    name: 'OS-Image',
    wide: true,
    description: 'The operating system.',
    cell: ({ status }) => status?.nodeInfo?.osImage || '<unknown>',
  },
  {
    name: 'Kernel-Version',
    wide: true,
    description: 'The version of the kernel.',
    cell: ({ status }) => status?.nodeInfo?.kernelVersion || '<unknown>',
  },
  {
    name: 'Container-Runtime',
    wide: true,
    description: 'The container runtime and its version.',
    cell: ({ status }) => status?.nodeInfo?.containerRuntimeVersion || '<unknown>',
  },
]);

export const namespaceColumns = tableOf<ObjectOf<'Namespace'>>([
  nameColumn,
  { name: 'Status', description: 'The phase of the namespace.', cell: ({ status }) => status?.phase ?? '' },
  ageColumn,
]);

/** Returns the used and the allowed amount of each resource: of limits, or of everything else. */
function amounts({ status }: ObjectOf<'ResourceQuota'>, ofLimits: boolean): string {
  const { hard = {}, used = {} } = status ?? {};
  return Object.keys(hard)
    .filter((resource) => resource.startsWith('limits.') === ofLimits)
    .sort()
    .map((resource) => `${resource}: ${used[resource] ?? 0}/${hard[resource]}`)
    .join(', ');
}

export const quotaColumns = tableOf<ObjectOf<'ResourceQuota'>>([
  nameColumn,
  {
    name: 'Request',
    description: 'The used and the allowed amount of each resource.',
    cell: (quota) => amounts(quota, false),
  },
  {
    name: 'Limit',
    description: 'The used and the allowed amount of each limit.',
    cell: (quota) => amounts(quota, true),
  },
  ageColumn,
]);

const health = ({ conditions = [] }: ObjectOf<'ComponentStatus'>): ObjectOf<'ComponentCondition'> | undefined =>
  conditions.find(({ type }) => type === 'Healthy');
const healthWords: Readonly<Record<string, string>> = { True: 'Healthy', False: 'Unhealthy' };

export const componentColumns = tableOf<ObjectOf<'ComponentStatus'>>([
  nameColumn,
  {
    name: 'Status',
    description: 'Whether the component is healthy.',
    cell: (component) => healthWords[health(component)?.status ?? ''] ?? 'Unknown',
  },
  {
    name: 'Message',
    description: 'What the component answered.',
    cell: (component) => health(component)?.message ?? '',
  },
  {
    name: 'Error',
    description: 'Why the component could not be asked.',
    cell: (component) => health(component)?.error ?? '',
  },
]);

const firstSeen = ({ firstTimestamp, eventTime }: ObjectOf<'Event'>) => firstTimestamp || eventTime;

function sourceText({ source, reportingComponent, reportingInstance }: ObjectOf<'Event'>): string {
  const component = source?.component || reportingComponent || '';
  const host = source?.host || reportingInstance || '';
  return host === '' ? component : `${component}, ${host}`;
}

export const eventColumns = tableOf<ObjectOf<'Event'>>([
  {
    name: 'Last Seen',
    description: 'The time since the event was last seen.',
    cell: (event, now) => ageOf(event.series?.lastObservedTime || event.lastTimestamp || firstSeen(event), now),
  },
  { name: 'Type', description: 'The type of the event: Normal or Warning.', cell: ({ type = '' }) => type },
  { name: 'Reason', description: 'Why the event happened, in one word.', cell: ({ reason = '' }) => reason },
  {
    name: 'Object',
    description: 'The object that the event is about.',
    cell: ({ involvedObject: { kind = '', name = '' } = {} }) =>
      `${kind.toLowerCase()}${name === '' ? '' : `/${name}`}`,
  },
  {
    name: 'Subobject',
    wide: true,
    description: 'The part of the object that the event is about.',
    cell: ({ involvedObject: { fieldPath = '' } = {} }) => fieldPath,
  },
  { name: 'Source', wide: true, description: 'The component that reported the event.', cell: sourceText },
  { name: 'Message', description: 'What happened.', cell: ({ message = '' }) => message.trim() },
  {
    name: 'First Seen',
    wide: true,
    description: 'The time since the event was first seen.',
    cell: (event, now) => ageOf(firstSeen(event), now),
  },
  {
    name: 'Count',
    wide: true,
    description: 'How often the event was seen.',
    cell: ({ series, count = 0 }) => (series === undefined ? count || 1 : 1 + (series.count ?? 0)),
  },
  { ...nameColumn, wide: true },
]);
