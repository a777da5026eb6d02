// The columns of persistent volumes and their claims.
import { ageColumn, type Column, nameColumn, tableOf, unset } from './column.js';

type Quantities = Readonly<Record<string, string>>;

interface Shared {
  readonly storageClassName?: string;
  readonly volumeAttributesClassName?: string;
  readonly volumeMode?: string;
}

interface Volume {
  readonly spec?: Shared & {
    readonly capacity?: Quantities;
    readonly accessModes?: readonly string[];
    readonly persistentVolumeReclaimPolicy?: string;
    readonly claimRef?: { readonly namespace?: string; readonly name?: string };
  };
  readonly status?: { readonly phase?: string; readonly reason?: string };
}

interface Claim {
  readonly spec?: Shared & { readonly volumeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly capacity?: Quantities;
    readonly accessModes?: readonly string[];
  };
}

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

const phase: Column<{ readonly status?: { readonly phase?: string } }> = {
  name: 'Status',
  description: 'The phase, or Terminating during the deletion.',
  cell: ({ metadata, status }) => (metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? '')),
};

/** The annotation that named the class before the field did. */
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

const classes: readonly Column<{ readonly spec?: Shared }>[] = [
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

const mode: Column<{ readonly spec?: Shared }> = {
  name: 'VolumeMode',
  wide: true,
  description: 'Whether the volume is a file system or a block device.',
  cell: ({ spec }) => spec?.volumeMode ?? unset,
};

export const volumeColumns = tableOf<Volume>([
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

export const claimColumns = tableOf<Claim>([
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
