// The fields of a target file for names: its vendor and domains, images, aliases.
import { apiVersionOf, groupVersions, resources } from '../matrix/api/index.js';
import { nearest, unknownField } from '../matrix/api/nearest.js';
import { type Alias, type Deviation, type Images, requirements, type Target } from '../suites/requirements/index.js';
import { UsageError } from './usageError.js';

type Fields = Readonly<Record<string, unknown>>;

/** The names of these fields. */
export const namingFields = ['vendor', 'domains', 'images', 'aliases'] as const;

/** The default names of a target (readings, 1). */
export const defaultNames = {
  vendor: 'kubernetes',
  domains: { authentication: 'k8s.io', secretType: 'kubernetes.io' },
} as const satisfies Partial<Target>;

/** Reads these fields. Throws UsageError that names the file and the invalid field. */
export function readNaming(file: string, fields: Fields): Partial<Target> {
  const { vendor, domains, images, aliases } = fields;
  return {
    ...(vendor === undefined ? {} : { vendor: readVendor(vendor, `${file}: vendor`) }),
    ...(domains === undefined ? {} : { domains: readDomains(domains, `${file}: domains`) }),
    ...(images === undefined ? {} : { images: readImages(images, `${file}: images`) }),
    ...(aliases === undefined ? {} : { aliases: readAliases(aliases, `${file}: aliases`) }),
  };
}

/** Throws UsageError if a declaration names an unknown requirement, with the nearest id. */
export function checkRequirements(rows: readonly Pick<Deviation, 'requirement' | 'at'>[]): void {
  const ids = requirements.map(({ id }) => id);
  for (const { requirement, at } of rows) {
    const unexpected = [requirement].flat().find((id) => !ids.includes(id));
    if (unexpected === undefined) continue;
    const where = at === undefined ? '' : `${at}: `;
    throw new UsageError(`${where}there is no requirement ${unexpected}; did you mean ${nearest(unexpected, ids)}?`);
  }
}

/** Returns the deviations. Throws UsageError if a `sometimes` is neither true nor absent. */
export function checkSometimes(deviations: readonly Deviation[], where: string): readonly Deviation[] {
  for (const [index, { sometimes }] of deviations.entries()) {
    if (sometimes !== undefined && sometimes !== true)
      throw new UsageError(`${where}[${index}]: sometimes is true or absent`);
  }
  return deviations;
}

function readVendor(value: unknown, where: string): string {
  if (typeof value === 'string' && /^[a-z0-9]+([._-][a-z0-9]+)*$/.test(value)) return value;
  throw new UsageError(`${where}: give the name in application/vnd.<vendor>.protobuf, such as kubernetes`);
}

function readDomains(value: unknown, where: string): Target['domains'] {
  const domains = membersOf(value, Object.keys(defaultNames.domains), where);
  for (const [key, domain] of Object.entries(domains)) {
    if (typeof domain !== 'string' || !/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(domain))
      throw new UsageError(`${where}: ${key}: give a domain, such as k8s.io`);
  }
  return { ...defaultNames.domains, ...domains };
}

function readImages(value: unknown, where: string): Images {
  const { shell } = membersOf(value, ['shell'], where);
  if (typeof shell === 'string' && /^\S+$/.test(shell)) return { shell };
  throw new UsageError(`${where}: shell: give an image with a shell, such as registry.example/busybox:1.36`);
}

function readAliases(value: unknown, where: string): Alias[] {
  const versions = membersOf(value, groupVersions.map(apiVersionOf), where);
  return Object.entries(versions).flatMap(([groupVersion, rows]) => {
    const plurals = resources.flatMap((row) => (apiVersionOf(row.groupVersion) === groupVersion ? [row.plural] : []));
    return Object.entries(membersOf(rows, plurals, `${where}: ${groupVersion}`)).map(([resource, to]): Alias => {
      if (typeof to !== 'string' || !/^([a-z0-9]+([.-][a-z0-9]+)*\/)?v\d+((alpha|beta)\d+)?$/.test(to))
        throw new UsageError(`${where}: ${groupVersion}: ${resource}: give a group and version, such as apps/v1`);
      if (to === groupVersion) throw new UsageError(`${where}: ${groupVersion}: ${resource} is an alias of itself`);
      return { groupVersion, resource, to };
    });
  });
}

/** Returns an object. Throws UsageError if the value is not an object, or has unknown fields. */
export function membersOf(value: unknown, known: readonly string[], where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${where}: must be an object with ${known.join(', ')}`);
  const unexpected = Object.keys(value).find((key) => !known.includes(key));
  if (unexpected !== undefined) throw new UsageError(`${where}: ${unknownField(unexpected, known)}`);
  return value as Fields;
}
