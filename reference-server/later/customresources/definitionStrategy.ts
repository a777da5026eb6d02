// CustomResourceDefinitions: their defaults, their status, and what their deletion waits for.

import type { Strategy } from '../../registry/strategy.js';
import type { Causes } from '../../schema/causes.js';
import type { DecodedObject, KubeObject } from '../../schema/object.js';
import { cleanupFinalizer, type DefinitionSpec, definitionSpecOf, definitionStatusOf } from './definition.js';

export const definitionStrategy: Strategy = {
  generation: true,
  needsRevision: true,
  plainFinalizers: true,
  defaults(object) {
    const spec: Partial<DefinitionSpec> = { ...(object.spec as object) };
    const { group = '', names, scope = '', versions = [], conversion, preserveUnknownFields } = spec;
    const { plural = '', kind = '', singular, shortNames, listKind, categories } = names ?? {};
    object.spec = {
      group,
      names: {
        plural,
        ...((singular || kind !== '') && { singular: singular || kind.toLowerCase() }),
        ...(shortNames && { shortNames }),
        kind,
        ...((listKind || kind !== '') && { listKind: listKind || `${kind}List` }),
        ...(categories && { categories }),
      },
      scope,
      versions,
      conversion: withDefaults(conversion),
      ...(preserveUnknownFields && { preserveUnknownFields }),
    };
  },
  prepareCreate(object: DecodedObject) {
    object.status = {
      conditions: [],
      acceptedNames: { plural: '', kind: '' },
      storedVersions: storageVersions(object.spec as DefinitionSpec).slice(0, 1),
    };
  },
  prepareUpdate(next) {
    const { storedVersions = [] } = definitionStatusOf(next);
    const [storage] = storageVersions(definitionSpecOf(next));
    const added = storage === undefined || storedVersions.includes(storage) ? [] : [storage];
    if (added.length === 0) return next;
    return { ...next, status: { ...definitionStatusOf(next), storedVersions: [...storedVersions, ...added] } };
  },
  validateStatus: (next, _current, causes) => requireStoredVersions(next, causes),
  terminating: (definition) => ({
    ...definition,
    metadata: {
      ...definition.metadata,
      finalizers: [...new Set([...(definition.metadata.finalizers ?? []), cleanupFinalizer])],
    },
  }),
};

type Conversion = NonNullable<DefinitionSpec['conversion']>;

function withDefaults(given: Conversion = { strategy: 'None' }): Conversion {
  const { webhook } = given;
  const { service } = webhook?.clientConfig ?? {};
  const clientConfig = service && { ...webhook?.clientConfig, service: { ...service, port: service.port ?? 443 } };
  return {
    ...given,
    ...(clientConfig && { webhook: { ...webhook, clientConfig } }),
  };
}

const storageVersions = ({ versions = [] }: DefinitionSpec): string[] =>
  versions.filter(({ storage }) => storage).map(({ name }) => name);

export function requireStoredVersions(definition: KubeObject, causes: Causes): void {
  const { storedVersions = [] } = definitionStatusOf(definition);
  const field = 'status.storedVersions';
  if (storedVersions.length === 0) {
    causes.invalid(field, null, 'must have at least one stored version');
    return;
  }
  for (const name of storageVersions(definitionSpecOf(definition))) {
    if (!storedVersions.includes(name)) causes.invalid(field, storedVersions, `must have the storage version ${name}`);
  }
  const names = new Set(definitionSpecOf(definition).versions.map(({ name }) => name));
  for (const [index, name] of storedVersions.entries()) {
    if (names.has(name)) continue;
    const why =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a ` +
      `storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    causes.invalid(`${field}[${index}]`, name, why);
  }
}
