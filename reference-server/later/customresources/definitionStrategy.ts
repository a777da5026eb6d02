// CustomResourceDefinitions: their defaults, their status, and what their deletion waits for.

import type { Strategy } from '../../registry/strategy.js';
import {
  cleanupFinalizer,
  type DefinitionSpec,
  type DefinitionStatus,
  definitionSpecOf,
  definitionStatusOf,
} from './definition.js';
import { checkAcceptedNames } from './nameRules.js';

export const definitionStrategy: Strategy = {
  generation: true,
  statusKeepsMetadata: 'notFinalizers',
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
    const status: Partial<DefinitionStatus> = { ...(object.status as object) };
    const [storage] = storageVersions({ versions });
    if (storage !== undefined && (status.storedVersions ?? []).length === 0) {
      object.status = { ...status, storedVersions: [storage] };
    }
  },
  initialStatus: ({ spec }) => ({
    conditions: [],
    acceptedNames: { plural: '', kind: '' },
    storedVersions: storageVersions(spec as DefinitionSpec).slice(0, 1),
  }),
  leastStatus: {},
  prepareUpdate(next) {
    const { storedVersions = [] } = definitionStatusOf(next);
    const [storage] = storageVersions(definitionSpecOf(next));
    const added = storage === undefined || storedVersions.includes(storage) ? [] : [storage];
    if (added.length === 0) return next;
    return { ...next, status: { ...definitionStatusOf(next), storedVersions: [...storedVersions, ...added] } };
  },
  validateStatus: (next, _current, causes) => checkAcceptedNames(next, causes),
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

/** Returns the names of the versions in which objects are stored: one, if the definition is right. */
export const storageVersions = ({ versions = [] }: Pick<DefinitionSpec, 'versions'>): string[] =>
  versions.filter(({ storage }) => storage).map(({ name }) => name);
