// Volumes of a pod: unique names, one source each, and the required fields of each source.
import { fieldsOf, typeOf } from '../../../matrix/api/modern/index.js';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { dns1123Label } from '../../schema/formats.js';

/** Checks volumes. Returns the names of those that are valid. */
export function validateVolumes(
  field: string,
  volumes: readonly ObjectOf<'Volume'>[],
  causes: Causes,
): ReadonlySet<string> {
  const names = new Set<string>();
  volumes.forEach((volume, index) => {
    const at = `${field}[${index}]`;
    const { name, ...sources } = volume;
    const { length } = causes.list;
    causes.named(`${at}.name`, name, dns1123Label);
    if (name && names.has(name)) causes.duplicate(`${at}.name`, name);
    validateSource(at, sources, podSources, causes);
    if (name && causes.list.length === length) names.add(name);
  });
  return names;
}

/** Checks that there is exactly one source with its required fields. `known` are the sources that the place has. */
export function validateSource(
  field: string,
  sources: Readonly<Record<string, unknown>>,
  known: VolumeSources,
  causes: Causes,
): void {
  const [first, ...others] = Object.keys(sources);
  if (first === undefined) {
    causes.required(field, 'must specify a volume type');
    return;
  }
  for (const other of others) causes.forbidden(`${field}.${other}`, 'may not specify more than 1 volume type');
  const source = sources[first] as Readonly<Record<string, unknown>>;
  for (const name of requiredFields(known.get(first))) {
    const value = source[name];
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) {
      causes.required(`${field}.${first}.${name}`);
    }
  }
  if (first === 'secret' && !source.secretName) causes.required(`${field}.secret.secretName`);
  if (first === 'configMap' && !source.name) causes.required(`${field}.configMap.name`);
}

type VolumeSources = ReadonlyMap<string, ReturnType<typeof fieldsOf>[number]>;

const sourcesOf = (type: 'VolumeSource' | 'PersistentVolumeSource'): VolumeSources =>
  new Map(fieldsOf(typeOf(type)).map((row) => [row.name, row]));

/** The sources of a pod's volumes, and those of persistent volumes: some names have other fields there. */
const podSources = sourcesOf('VolumeSource');
export const persistentSources = sourcesOf('PersistentVolumeSource');

/** Only required lists and text are checked: their zero value is useless, while zero is a valid number. */
function requiredFields(row: ReturnType<VolumeSources['get']>): string[] {
  if (row === undefined) return [];
  return fieldsOf(typeOf(row.type as Parameters<typeof typeOf>[0]))
    .filter(({ required, type, shape }) => required && (shape === 'list' || type === 'string'))
    .map(({ name }) => name);
}
