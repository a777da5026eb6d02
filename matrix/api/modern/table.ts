// The field table of present servers: the types of the interface with the fields that were added since, and the types
// of the groups that came later. The rows of the interface stay as they are; data/ has the others.
import { field, type Row } from '../types/field.js';
import type { KindOf, Rows } from '../types/graph.js';
import { kinds as kindsOfInterface } from '../types/kinds.js';
import { table as tableOfInterface } from '../types/table.js';
import { definitionKinds, definitionTypes } from './customResourceDefinition.js';
import { kinds as kindTexts, types } from './data/index.js';
import { rowsOf } from './rows.js';

type Table = Readonly<Record<string, Readonly<Record<string, Row<string>>>>>;

const before: Table = tableOfInterface;

/** Group versions whose types have no prefix in the table of the interface. */
const unprefixed = /^(?:authentication\.v1|autoscaling\.v1|batch\.v1|extensions\.v1beta1|policy\.v1)\.(\w+)$/;

/** Returns the name of a type of data/ in this table: types that the interface has keep their names there. */
export const tableNameOf = (name: string): string => {
  const bare = unprefixed.exec(name)?.[1];
  return bare !== undefined && Object.hasOwn(before, bare) ? bare : name;
};

/**
 * Fields whose type was split after the interface: the volumes of pods and persistent volumes had the same types, and
 * probes and lifecycle hooks too. The later type has all fields of the earlier one.
 */
const split: Readonly<Record<string, string>> = {
  'Lifecycle.postStart': 'LifecycleHandler',
  'Lifecycle.preStop': 'LifecycleHandler',
  'Probe.handler': 'ProbeHandler',
  'PersistentVolumeSource.azureFile': 'AzureFilePersistentVolumeSource',
  'PersistentVolumeSource.cephfs': 'CephFSPersistentVolumeSource',
  'PersistentVolumeSource.cinder': 'CinderPersistentVolumeSource',
  'PersistentVolumeSource.flexVolume': 'FlexPersistentVolumeSource',
  'PersistentVolumeSource.glusterfs': 'GlusterfsPersistentVolumeSource',
  'PersistentVolumeSource.iscsi': 'ISCSIPersistentVolumeSource',
  'PersistentVolumeSource.rbd': 'RBDPersistentVolumeSource',
};

const grown = Object.fromEntries(
  Object.entries({ ...types, ...definitionTypes }).map(([id, text]): [string, Table[string]] => {
    const name = tableNameOf(id);
    const rows = rowsOf(text, tableNameOf);
    const own = before[name] ?? {};
    const kept = Object.entries(own).map(([field, row]): [string, Row<string>] => {
      const type = split[`${name}.${field}`];
      return [field, type === undefined ? row : { ...row, type }];
    });
    return [name, { ...rows, ...Object.fromEntries(kept) }];
  }),
);

/** The representation of an object by its metadata, which every resource has, and its versions. */
const partial = { PartialObjectMetadata: { metadata: field('ObjectMeta', 1) } };
const partialVersions = ['meta.k8s.io/v1', 'meta.k8s.io/v1beta1'];

/** Group versions of earlier servers, as texts of data/: their kinds have the fields of the stable version. */
const earlier = {
  'batch/v1beta1': 'batch.v1.CronJob[]',
  'policy/v1beta1': 'policy.v1.PodDisruptionBudget[]',
};

/** Every type, by name. Types of the interface have their names there; later ones a prefix: `apps.v1.Deployment`. */
export const table = { ...before, ...partial, ...grown } as Rows<string>;

/** Every kind: those of the interface, and those of the other group versions. */
export const kinds: readonly KindOf<string>[] = [
  ...kindsOfInterface,
  ...partialVersions.map((apiVersion) => ({
    apiVersion,
    kind: 'PartialObjectMetadata',
    type: 'PartialObjectMetadata',
    listed: true,
  })),
  ...Object.entries({ ...kindTexts, ...definitionKinds, ...earlier }).flatMap(kindsOf),
];

function kindsOf([apiVersion, text]: [string, string]): KindOf<string>[] {
  return text.split(' ').flatMap((entry) => {
    const id = entry.replace('[]', '');
    const kind = id.slice(id.lastIndexOf('.') + 1);
    if (kindsOfInterface.some((one) => one.apiVersion === apiVersion && one.kind === kind)) return [];
    return [{ apiVersion, kind, type: tableNameOf(id), listed: entry.endsWith('[]') }];
  });
}
