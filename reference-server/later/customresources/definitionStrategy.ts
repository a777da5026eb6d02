// CustomResourceDefinitions: their defaults, their status, and what their deletion waits for.

import type { Strategy } from '../../registry/strategy.js';
import type { Causes } from '../../schema/causes.js';
import type { DecodedObject, KubeObject } from '../../schema/object.js';
import {
  cleanupFinalizer,
  type DefinitionSpec,
  type DefinitionVersion,
  definitionSpecOf,
  definitionStatusOf,
} from './definition.js';
import { nodesBelow, type StructuralSchema } from './structuralSchema.js';

function definitionWarnings(definition: KubeObject): readonly string[] {
  return definitionSpecOf(definition).versions.flatMap((version, index) => warningsOf(version, index));
}

function warningsOf({ schema }: DefinitionVersion, index: number): readonly string[] {
  const root = schema?.openAPIV3Schema;
  if (root === undefined) return [];
  const field = `spec.versions[${index}].schema.openAPIV3Schema`;
  let count = 0;
  let first = '';
  const left: (readonly [StructuralSchema, string])[] = [[root, field]];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    const [node, path] = at;
    const rules = node['x-kubernetes-validations']?.length ?? 0;
    if (rules > 0 && count === 0) first = path;
    count += rules;
    for (const [step, inner] of nodesBelow(node)) left.push([inner, `${path}.${step}`]);
  }
  if (count === 0) return [];
  const rules = count === 1 ? 'the rule' : `the ${count} rules`;
  return [`${first}.x-kubernetes-validations: this server does not evaluate ${rules} in this schema`];
}

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
      conversion: conversion?.strategy ? conversion : { ...conversion, strategy: 'None' },
      ...(preserveUnknownFields && { preserveUnknownFields }),
    };
  },
  prepareCreate(object: DecodedObject) {
    object.status = {
      conditions: [],
      acceptedNames: { plural: '', kind: '' },
      storedVersions: storageVersions(object.spec as DefinitionSpec),
    };
  },
  prepareUpdate(next) {
    const { storedVersions = [] } = definitionStatusOf(next);
    const added = storageVersions(definitionSpecOf(next)).filter((name) => !storedVersions.includes(name));
    if (added.length === 0) return next;
    return { ...next, status: { ...definitionStatusOf(next), storedVersions: [...storedVersions, ...added] } };
  },
  validateStatus: (next, _current, causes) => requireStoredVersions(next, causes),
  warnings: definitionWarnings,
  terminating: (definition) => ({
    ...definition,
    metadata: {
      ...definition.metadata,
      finalizers: [...new Set([...(definition.metadata.finalizers ?? []), cleanupFinalizer])],
    },
  }),
};

const storageVersions = ({ versions = [] }: DefinitionSpec): string[] =>
  versions.filter(({ storage }) => storage).map(({ name }) => name);

export function requireStoredVersions(definition: KubeObject, causes: Causes): void {
  const { storedVersions = [] } = definitionStatusOf(definition);
  const field = 'status.storedVersions';
  if (storedVersions.length === 0) causes.invalid(field, null, 'must have at least one stored version');
  const names = new Set(definitionSpecOf(definition).versions.map(({ name }) => name));
  for (const [index, name] of storedVersions.entries()) {
    if (names.has(name)) continue;
    const why =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a ` +
      `storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    causes.invalid(`${field}[${index}]`, name, why);
  }
  for (const name of storageVersions(definitionSpecOf(definition))) {
    if (!storedVersions.includes(name)) causes.invalid(field, storedVersions, `must have the storage version ${name}`);
  }
}
