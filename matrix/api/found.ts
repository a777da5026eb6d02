// Kinds that only a target knows: its discovery and its OpenAPI describe them, and each becomes a row of a table.
import { discoveryOf, expandOperations, type Operation } from './operations.js';
import { groupVersions, type Resource, resourceId, resources } from './resources/index.js';
import { apiVersionOf, type FoundTraits, type GroupVersion } from './resources/resource.js';
import type { Verb } from './verbs.js';

/** A kind as a target declares it: a resource in one version of its group. */
export interface FoundKind extends FoundTraits {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /** The apiVersion of the body of its scale, if it has one. */
  readonly scaleVersion?: string;
}

/** Returns `plural.group`, as users name resources; the plural alone for the core group. */
export function nameOfKind({ plural, group }: Pick<FoundKind, 'plural' | 'group'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** The rows of kinds that a target declares, and their operations. */
interface FoundTable {
  readonly resources: readonly Resource[];
  readonly operations: readonly Operation[];
}

/** Returns the table of found kinds. The first version of a kind has the id `group/plural`, unless the interface has it. */
export function tableOfKinds(kinds: readonly FoundKind[]): FoundTable {
  const versions = new Map<string, GroupVersion>();
  const ids = new Set(resources.map(resourceId));
  const rows = kinds.map((kind): Resource => {
    const { group, version, plural, singular, shortNames, categories, namespaced, verbs, scaleVersion } = kind;
    const groupVersion = versionOf(versions, group, version);
    const own = `${group || 'core'}/${plural}`;
    const id = ids.has(own) ? `${group || 'core'}.${version}/${plural}` : own;
    ids.add(id);
    const scale = scaleVersion === undefined ? undefined : { apiVersion: scaleVersion, kind: 'Scale' };
    return {
      ...{ groupVersion, plural, singular, kind: kind.kind, shortNames, categories, namespaced, id },
      stated: verbs,
      unstated: [],
      later: [],
      bodyKinds: scale === undefined ? {} : { readScale: scale, replaceScale: scale, patchScale: scale },
      section: '',
      found: kind,
    };
  });
  const known = new Set(groupVersions.map(apiVersionOf));
  const discoveries = [...versions.values()].filter((version) => !known.has(apiVersionOf(version))).map(discoveryOf);
  return { resources: rows, operations: [...discoveries, ...expandOperations(rows)] };
}

function versionOf(versions: Map<string, GroupVersion>, group: string, version: string): GroupVersion {
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const known = versions.get(prefix) ?? {
    ...{ group, version, prefix },
    responseTypes: ['json'],
    watchTypes: ['json'],
    stated: true,
    found: true,
  };
  versions.set(prefix, known);
  return known;
}
