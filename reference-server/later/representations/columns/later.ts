// The columns of kinds that came after the interface.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { controllerOf } from '../../../schema/object.js';
import { ageOf } from './age.js';
import { ageColumn, type Column, nameColumn, none, tableOf, unset } from './column.js';
import { shortList } from './text.js';
import { templateColumns } from './workloads.js';

export const cronJobColumns = tableOf<ObjectOf<'batch.v1.CronJob'>>([
  nameColumn,
  { name: 'Schedule', description: 'When jobs start.', cell: ({ spec }) => spec?.schedule ?? '' },
  { name: 'Timezone', description: 'The time zone of the schedule.', cell: ({ spec }) => spec?.timeZone ?? none },
  {
    name: 'Suspend',
    type: 'boolean',
    description: 'Whether no further jobs start.',
    cell: ({ spec }) => spec?.suspend ?? false,
  },
  {
    name: 'Active',
    type: 'integer',
    description: 'How many jobs are running.',
    cell: ({ status }) => status?.active?.length ?? 0,
  },
  {
    name: 'Last Schedule',
    description: 'The time since the last job was due.',
    cell: ({ status }, now) => (status?.lastScheduleTime ? ageOf(status.lastScheduleTime, now) : none),
  },
  ageColumn,
  ...templateColumns.map(
    (column): Column<ObjectOf<'batch.v1.CronJob'>> => ({
      ...column,
      cell: (cronJob, now) => column.cell({ ...cronJob, spec: cronJob.spec?.jobTemplate?.spec ?? {} }, now),
    }),
  ),
  { name: 'Selector', wide: true, description: 'The selector of the pods, which each job makes.', cell: () => none },
]);

export const controllerRevisionColumns = tableOf<ObjectOf<'apps.v1.ControllerRevision'>>([
  nameColumn,
  {
    name: 'Controller',
    description: 'The object whose state the revision has.',
    cell: (revision) => {
      const owner = controllerOf(revision);
      return owner === undefined ? none : `${owner.kind.toLowerCase()}.${owner.apiVersion.split('/')[0]}/${owner.name}`;
    },
  },
  { name: 'Revision', description: 'The number of the revision.', cell: ({ revision }) => String(revision ?? 0) },
  ageColumn,
]);

export const budgetColumns = tableOf<ObjectOf<'policy.v1.PodDisruptionBudget'>>([
  nameColumn,
  {
    name: 'Min Available',
    description: 'The fewest pods that stay.',
    cell: ({ spec }) => String(spec?.minAvailable ?? 'N/A'),
  },
  {
    name: 'Max Unavailable',
    description: 'The most pods that may be away.',
    cell: ({ spec }) => String(spec?.maxUnavailable ?? 'N/A'),
  },
  {
    name: 'Allowed Disruptions',
    type: 'integer',
    description: 'How many pods may be evicted now.',
    cell: ({ status }) => status?.disruptionsAllowed ?? 0,
  },
  ageColumn,
]);

export const webhookColumns = tableOf<ObjectOf<'admissionregistration.v1.MutatingWebhookConfiguration'>>([
  nameColumn,
  {
    name: 'Webhooks',
    type: 'integer',
    description: 'How many webhooks there are.',
    cell: ({ webhooks = [] }) => webhooks.length,
  },
  ageColumn,
]);

const subjectsOf = (name: string, kind: string, description: string): Column<ObjectOf<'rbac.v1.RoleBinding'>> => ({
  name,
  wide: true,
  description,
  cell: ({ subjects = [] }) =>
    subjects
      .filter((subject) => subject.kind === kind)
      .map((subject) => (kind === 'ServiceAccount' ? `${subject.namespace}/${subject.name}` : (subject.name ?? '')))
      .join(', '),
});

export const roleBindingColumns = tableOf<ObjectOf<'rbac.v1.RoleBinding'>>([
  nameColumn,
  {
    name: 'Role',
    description: 'The role that the subjects have.',
    cell: ({ roleRef }) => `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
  },
  ageColumn,
  subjectsOf('Users', 'User', 'The users that have the role.'),
  subjectsOf('Groups', 'Group', 'The groups that have the role.'),
  subjectsOf('ServiceAccounts', 'ServiceAccount', 'The service accounts that have the role.'),
]);

export const leaseColumns = tableOf<ObjectOf<'coordination.v1.Lease'>>([
  nameColumn,
  { name: 'Holder', description: 'Who holds the lease.', cell: ({ spec }) => spec?.holderIdentity ?? '' },
  ageColumn,
]);

export const endpointSliceColumns = tableOf<ObjectOf<'discovery.v1.EndpointSlice'>>([
  nameColumn,
  { name: 'AddressType', description: 'The type of the addresses.', cell: ({ addressType }) => addressType ?? '' },
  {
    name: 'Ports',
    description: 'The ports of all endpoints.',
    cell: ({ ports = [] }) => shortList(ports.map(({ port }) => String(port ?? '*'))) || unset,
  },
  {
    name: 'Endpoints',
    description: 'The addresses.',
    cell: ({ endpoints = [] }) => shortList(endpoints.flatMap(({ addresses = [] }) => addresses)) || unset,
  },
  ageColumn,
]);

export const ingressClassColumns = tableOf<ObjectOf<'networking.v1.IngressClass'>>([
  nameColumn,
  { name: 'Controller', description: 'The controller of the class.', cell: ({ spec }) => spec?.controller ?? '' },
  {
    name: 'Parameters',
    description: 'The object with the settings of the class.',
    cell: ({ spec }) => {
      const { kind, apiGroup, name } = spec?.parameters ?? {};
      return kind === undefined ? none : `${kind}${apiGroup ? `.${apiGroup}` : ''}/${name}`;
    },
  },
  ageColumn,
]);
