// What the documents of a server are made from: its operations, the field table, its codecs and its missing features.
import { apiVersionOf, type Operation, type Resource } from '../../../matrix/api/index.js';
import { kinds, listTypeOf, sharedTypes, types } from '../../../matrix/api/modern/index.js';
import type { Codec } from '../../codecs/codec.js';
import type { IsDisabled } from '../../features/features.js';
import { missingOptionFields, missingParameters } from '../../features/surface.js';
import type { Json } from './dialect.js';
import type { DocumentSource } from './documents.js';

/** A server, as far as its documents show it. */
export interface Served {
  readonly operations: readonly Operation[];
  readonly codecs: { readonly all: readonly Codec[]; readonly patchTypes: readonly string[] };
  readonly lacks: IsDisabled;
  /** The version of Kubernetes, such as `1.5`. */
  readonly kubeVersion: string;
  /** Whether the server has what came after the interface; false by default. */
  readonly modern?: boolean;
  readonly made?: MadeKinds;
}

/** The kinds that are made while the server runs. */
export interface MadeKinds {
  /** Returns the schema of the objects of a resource without their metadata; undefined for a resource of the table. */
  schemaOf(resource: Resource): object | undefined;
}

/** Returns the source of the documents of a server with the kinds of the field table. */
export function documentSource(served: Served): DocumentSource {
  const { operations, codecs, lacks, kubeVersion, modern = false, made } = served;
  const hidden = new Set([
    ...missingParameters(lacks),
    ...(lacks('export') ? ['export', 'exact'] : []),
    ...(modern ? [] : ['force']),
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
      schemas: schemasIn(operations, made),
      showsOwners: modern,
      isHidden: (type, field) => hiddenFields.has(`${type}.${field}`),
    },
    version: `v${kubeVersion}.0`,
  };
}

/** Returns the schemas of the kinds that are not in the field table, by apiVersion and kind. */
function schemasIn(operations: readonly Operation[], made: MadeKinds | undefined): ReadonlyMap<string, Json> {
  const schemas = new Map<string, Json>();
  for (const { resource } of operations) {
    const schema = resource && made?.schemaOf(resource);
    if (schema) schemas.set(`${apiVersionOf(resource.groupVersion)}/${resource.kind}`, schema as Json);
  }
  return schemas;
}

/** A field of DeleteOptions, or of the preconditions in them, as `Type.field`. */
function pathInTypes(path: readonly string[]): string {
  const [first = '', second] = path;
  return second === undefined ? `DeleteOptions.${first}` : `Preconditions.${second}`;
}
