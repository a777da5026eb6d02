// The rows of the resources that a definition makes, one for each version.
import type { GroupVersion, Resource, Verb } from '../../../matrix/api/index.js';
import { customGroupVersion, customResource, customScale } from '../../../matrix/api/modern/resources.js';
import { scale, status } from '../../../matrix/api/resources/resource.js';
import type { DefinitionNames, DefinitionSpec, DefinitionVersion } from './definition.js';
import type { StructuralSchema } from './structuralSchema.js';

/** A resource with its version of the definition. */
export interface MadeVersion {
  readonly resource: Resource;
  readonly version: DefinitionVersion;
  readonly schema: StructuralSchema;
  /** What the schema says about the metadata: only about names. */
  readonly metadataSchema?: StructuralSchema;
}

const noFields: StructuralSchema = { type: 'object' };

/** Returns the schema of a version. The server itself knows apiVersion, kind and metadata, so they are not in it. */
function schemaOf({ schema }: DefinitionVersion): StructuralSchema {
  const whole = schema?.openAPIV3Schema ?? noFields;
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...properties } = whole.properties ?? {};
  const required = (whole.required ?? []).filter((name) => Object.hasOwn(properties, name));
  const { required: _all, ...rest } = whole;
  return { ...rest, properties, ...(required.length > 0 && { required }) };
}

/** Returns the resources of a definition with its accepted names. `groupVersionOf` returns one object for each version. */
export function versionsOf(
  spec: DefinitionSpec,
  names: DefinitionNames,
  groupVersionOf: (group: string, version: string) => GroupVersion,
): readonly MadeVersion[] {
  const stored = spec.versions.find(({ storage }) => storage);
  if (stored === undefined) return [];
  const storedAs = rowOf(spec, names, stored, groupVersionOf);
  return spec.versions.map((version) => {
    const row = version === stored ? storedAs : { ...rowOf(spec, names, version, groupVersionOf), ...viewOf(version) };
    const resource = version === stored ? storedAs : { ...row, storedAs };
    const metadataSchema = version.schema?.openAPIV3Schema?.properties?.metadata;
    return { resource, version, schema: schemaOf(version), ...(metadataSchema && { metadataSchema }) };
  });

  function viewOf({ name }: DefinitionVersion): Pick<Resource, 'id'> {
    return { id: `${spec.group}.${name}/${names.plural}` };
  }
}

function rowOf(
  { group, scope }: DefinitionSpec,
  names: DefinitionNames,
  { name, subresources }: DefinitionVersion,
  groupVersionOf: (group: string, version: string) => GroupVersion,
): Resource {
  const verbs: Verb[] = [
    ...(subresources?.status === undefined ? [] : status),
    ...(subresources?.scale === undefined ? [] : scale),
  ];
  return customResource(groupVersionOf(group, name), scope === 'Namespaced', verbs, {
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    ...(subresources?.scale && { bodyKinds: customScale }),
  });
}

/** Returns one group version for each group and version: discovery compares them. */
export class GroupVersions {
  readonly #known = new Map<string, GroupVersion>();

  readonly of = (group: string, version: string): GroupVersion => {
    const id = `${group}/${version}`;
    const known = this.#known.get(id) ?? customGroupVersion(group, version);
    this.#known.set(id, known);
    return known;
  };
}
