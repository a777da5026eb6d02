// The columns of persistent volumes and their claims.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { ageColumn, type Column, nameColumn, tableOf, unset } from './column.js';

/** The short forms of access modes, in the order in which they are shown. */
const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function modesText(modes: readonly string[] = []): string {
  return Object.entries(shortModes)
    .flatMap(([mode, short]) => (modes.includes(mode) ? [short] : []))
    .join(',');
}

const phase: Column<ObjectOf<'PersistentVolume'> | ObjectOf<'PersistentVolumeClaim'>> = {
  name: 'Status',
  description: 'The phase, or Terminating during the deletion.',
  cell: ({ metadata, status }) => (metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? '')),
};

/** The annotation that named the class before the field did. */
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

const classes: readonly Column<ObjectOf<'PersistentVolume'> | ObjectOf<'PersistentVolumeClaim'>>[] = [
  {
    name: 'StorageClass',
    description: 'The storage class.',
    cell: ({ metadata, spec }) => metadata.annotations?.[classAnnotation] ?? spec?.storageClassName ?? '',
  },
  {
    name: 'VolumeAttributesClass',
    description: 'The class of the attributes of the volume.',
    cell: ({ spec }) => spec?.volumeAttributesClassName ?? unset,
  },
];

const mode: Column<ObjectOf<'PersistentVolume'> | ObjectOf<'PersistentVolumeClaim'>> = {
  name: 'VolumeMode',
  wide: true,
  description: 'Whether the volume is a file system or a block device.',
  cell: ({ spec }) => spec?.volumeMode ?? unset,
};

export const volumeColumns = tableOf<ObjectOf<'PersistentVolume'>>([
  nameColumn,
  { name: 'Capacity', description: 'The size of the volume.', cell: ({ spec }) => spec?.capacity?.storage ?? '0' },
  {
    name: 'Access Modes',
    description: 'The ways in which nodes can mount the volume.',
    cell: ({ spec }) => modesText(spec?.accessModes),
  },
  {
    name: 'Reclaim Policy',
    description: 'What happens to the volume after its claim is gone.',
    cell: ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? '',
  },
  phase,
  {
    name: 'Claim',
    description: 'The claim that the volume is bound to.',
    cell: ({ spec }) => {
      const { namespace = '', name = '' } = spec?.claimRef ?? {};
      return spec?.claimRef === undefined ? '' : `${namespace}/${name}`;
    },
  },
  ...classes,
  { name: 'Reason', description: 'Why the volume failed.', cell: ({ status }) => status?.reason ?? '' },
  ageColumn,
  mode,
]);

export const claimColumns = tableOf<ObjectOf<'PersistentVolumeClaim'>>([
  nameColumn,
  phase,
  { name: 'Volume', description: 'The volume that the claim is bound to.', cell: ({ spec }) => spec?.volumeName ?? '' },
  {
    name: 'Capacity',
    description: 'The size of the volume.',
    cell: ({ spec, status }) => (spec?.volumeName ? (status?.capacity?.storage ?? '0') : ''),
  },
  {
    name: 'Access Modes',
    description: 'The ways in which nodes can mount the volume.',
    cell: ({ spec, status }) => (spec?.volumeName ? modesText(status?.accessModes) : ''),
  },
  ...classes,
  ageColumn,
  mode,
]);
