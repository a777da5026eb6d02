// A target's own OpenAPI: v3 with a document for each version of a group, else v2, else the schemas in the definitions
// of custom resources.

import { inBatches } from '../../client/backoff.js';
import type { Client } from '../../client/client.js';
import { at, isObject, type Json, type JsonObject } from '../../client/json.js';
import { definitionsPath, type GroupVersionName, listIn, prefixOfVersion, readJson } from './discovered.js';

/** What a document declares about one path: its operations by method, in lower case. */
export interface Declared {
  readonly document: JsonObject;
  readonly paths: JsonObject;
  readonly format: 'v2' | 'v3';
}

export interface Documents {
  /** Returns the document with the paths of a version of a group; undefined if the target publishes none. */
  of(version: GroupVersionName): Declared | undefined;
  /** Returns the schema of a custom resource in its definition; undefined if there is none. */
  definedSchema(version: GroupVersionName, plural: string): JsonObject | undefined;
}

/** Reads what a target publishes about some versions of groups. */
export async function readDocuments(client: Client, versions: readonly GroupVersionName[]): Promise<Documents> {
  const third = await readThird(client, versions);
  const second = versions.every((version) => third.has(prefixOfVersion(version)))
    ? undefined
    : declaredIn((await readJson(client, '/openapi/v2')).body, 'v2');
  const of = (version: GroupVersionName): Declared | undefined => third.get(prefixOfVersion(version)) ?? second;
  const isDeclared = (version: GroupVersionName): boolean => {
    const prefix = `${prefixOfVersion(version)}/`;
    return Object.keys(of(version)?.paths ?? {}).some((path) => path.startsWith(prefix));
  };
  const definitions = versions.every(isDeclared) ? [] : listIn((await readJson(client, definitionsPath)).body, 'items');
  return {
    of: (version) => (isDeclared(version) ? of(version) : undefined),
    definedSchema: (version, plural) => schemaIn(definitions, version, plural),
  };
}

async function readThird(
  client: Client,
  versions: readonly GroupVersionName[],
): Promise<ReadonlyMap<string, Declared>> {
  const { body: index } = await readJson(client, '/openapi/v3');
  const found = await inBatches(versions, async (version) => {
    const prefix = prefixOfVersion(version);
    const path = at(index, 'paths', prefix.slice(1), 'serverRelativeURL');
    const declared = typeof path === 'string' ? declaredIn((await readJson(client, path)).body, 'v3') : undefined;
    return declared === undefined ? [] : [[prefix, declared] as const];
  });
  return new Map(found.flat());
}

function declaredIn(document: Json, format: Declared['format']): Declared | undefined {
  const paths = at(document, 'paths');
  return isObject(document) && isObject(paths) ? { document, paths, format } : undefined;
}

function schemaIn(
  definitions: readonly Json[],
  { group, version }: GroupVersionName,
  plural: string,
): JsonObject | undefined {
  const own = definitions.find(
    (definition) => at(definition, 'spec', 'group') === group && at(definition, 'spec', 'names', 'plural') === plural,
  );
  const versions = at(own, 'spec', 'versions');
  const found = Array.isArray(versions) ? versions.find((one) => at(one, 'name') === version) : undefined;
  const schema = at(found, 'schema', 'openAPIV3Schema');
  return isObject(schema) ? schema : undefined;
}
