// What the documents of a server are made from: its operations, the field table, its codecs and its missing features.
import { apiVersionOf, type Operation, type Resource } from '../../../matrix/api/index.js';
import { kinds, listTypeOf, sharedTypes, types } from '../../../matrix/api/modern/index.js';
import type { Codec } from '../../codecs/codec.js';
import type { IsDisabled } from '../../features/features.js';
import { missingOptionFields, missingParameters } from '../../features/surface.js';
import { usualFieldValidation } from '../../schema/fieldValidation.js';
import type { DocumentNode } from './dialect.js';
import type { DocumentSource } from './documents.js';

/** A server, as far as its documents show it. */
export interface Served {
  readonly operations: readonly Operation[];
  readonly codecs: { readonly all: readonly Codec[]; readonly patchTypes: readonly string[] };
  readonly lacks: IsDisabled;
  /** The version of Kubernetes, such as `1.5`. */
  readonly kubeVersion: string;
}

/** The schemas of kinds that are made while a server runs. */
const madeSchemas = new WeakMap<Resource, DocumentNode>();

/** Sets the schema of the objects of a resource that is made while a server runs, without their metadata. */
export function setSchema(resource: Resource, schema: object): void {
  madeSchemas.set(resource, schema as DocumentNode);
}

/** Returns the schema of the objects of a resource that was made while a server runs, without their metadata. */
export const schemaOf = (resource: Resource): object | undefined => madeSchemas.get(resource);

/** Returns the source of the documents of a server with the kinds of the field table. */
export function documentSource(served: Served): DocumentSource {
  const { operations, codecs, lacks, kubeVersion } = served;
  // Servers that came after the interface say who can own what.
  const showsOwners = operations.some(({ resource }) => resource?.modern === true);
  const hidden = new Set([
    ...missingParameters(lacks),
    ...(lacks('export') ? ['export', 'exact'] : []),
    ...(showsOwners ? [] : ['force']),
    // Clients of a server that does not declare it look for unknown fields themselves.
    ...(showsOwners && usualFieldValidation(kubeVersion) === 'Ignore' ? ['fieldValidation'] : []),
  ]);
  const hiddenFields = new Set(missingOptionFields(lacks).map(pathInTypes));
  const streams = codecs.all.filter(({ frame }) => frame !== undefined);
  return {
    surface: {
      operations,
      patchTypes: codecs.patchTypes,
      objectTypes: codecs.all.map(({ mediaType }) => mediaType),
      streamTypes: streams.map(({ mediaType, streamType }) => streamType ?? `${mediaType};stream=watch`),
      isHidden: (parameter) => hidden.has(parameter),
    },
    types: {
      types,
      kinds,
      shared: sharedTypes,
      listTypeOf,
      schemas: schemasIn(operations),
      showsOwners,
      isHidden: (type, field) => hiddenFields.has(`${type}.${field}`),
    },
    version: `v${kubeVersion}.0`,
  };
}

/** Returns the schemas of the kinds that are not in the field table, by apiVersion and kind. */
function schemasIn(operations: readonly Operation[]): ReadonlyMap<string, DocumentNode> {
  const schemas = new Map<string, DocumentNode>();
  for (const { resource } of operations) {
    const schema = resource && madeSchemas.get(resource);
    if (schema) schemas.set(`${apiVersionOf(resource.groupVersion)}/${resource.kind}`, schema);
  }
  return schemas;
}

/** A field of DeleteOptions, or of the preconditions in them, as `Type.field`. */
function pathInTypes(path: readonly string[]): string {
  const [first = '', second] = path;
  return second === undefined ? `DeleteOptions.${first}` : `Preconditions.${second}`;
}
