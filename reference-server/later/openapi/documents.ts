// Writes the documents: one of OpenAPI 2 for the whole server, and one of OpenAPI 3 for each group version and page.

import { apiVersionOf, type GroupVersion, type Operation, type Resource } from '../../../matrix/api/index.js';
import type { Steps } from '../../turns.js';

import { Definitions, type TypeTable } from './definitions.js';
import { type Dialect, type DocumentNode, dialectV2, dialectV3, sorted } from './dialect.js';
import {
  type Described,
  type DocumentedSurface,
  describeOperation,
  describePage,
  describeVersion,
  gvkOf,
} from './operations.js';
import { type NamedParameter, pathParameters } from './parameters.js';

/** A served API with the types of its objects, and the version that its documents name. */
export interface DocumentSource {
  readonly surface: DocumentedSurface;
  readonly types: TypeTable;
  readonly version: string;
}

/** Describes the operations of one document, and adds the definitions that they need. */
type Part = (definitions: Definitions) => Iterable<Described>;

/** An API in parts. */
interface Divided {
  /** By the path of their documents: `api`, `apis`, `apis/<group>`, `version`, and the path of each group version. */
  readonly parts: ReadonlyMap<string, Part>;
  /**
   * The group versions that the definition of watch events names: as on real servers, without those of definitions.
   * Each document has that definition.
   */
  readonly watched: readonly GroupVersion[];
  /** The resources of each group version, by the path of its document. */
  readonly resources: ReadonlyMap<string, readonly Resource[]>;
}

function divided(source: DocumentSource): Divided {
  const known = dividedSources.get(source);
  if (known !== undefined) return known;
  const { surface, types } = source;
  const versions = operationsByVersion(surface.operations);
  const groups = new Set([...versions.keys()].map(({ group }) => group));
  const parts = new Map<string, Part>();
  const resources = new Map<string, readonly Resource[]>();
  const page = (path: string, kind: string) =>
    parts.set(path, (definitions) => [describePage(`/${path}`, kind, surface, definitions)]);
  if (groups.has('')) page('api', 'APIVersions');
  page('apis', 'APIGroupList');
  for (const group of groups) if (group !== '') page(`apis/${group}`, 'APIGroup');
  for (const [version, own] of versions) {
    resources.set(version.prefix.slice(1), [...new Set(own.flatMap(({ resource }) => resource ?? []))]);
    parts.set(version.prefix.slice(1), function* (definitions) {
      yield describePage(version.prefix, 'APIResourceList', surface, definitions);
      for (const operation of own) yield describeOperation(operation, surface, definitions);
    });
  }
  parts.set('version', (definitions) => [describeVersion(definitions)]);
  const isMade = ({ resource }: Operation): boolean =>
    resource !== undefined && types.schemas?.has(`${apiVersionOf(resource.groupVersion)}/${resource.kind}`) === true;
  const watched = [...versions].filter(([, own]) => !own.some(isMade)).map(([version]) => version);
  const made = { parts, watched, resources };
  dividedSources.set(source, made);
  return made;
}

/** Each source is divided once: there is a document for each group version. */
const dividedSources = new WeakMap<DocumentSource, Divided>();

/** Returns the operations on resources by their group version, in the order of the versions. */
function operationsByVersion(operations: readonly Operation[]): ReadonlyMap<GroupVersion, readonly Operation[]> {
  const versions = new Map<GroupVersion, Operation[]>();
  for (const operation of operations) {
    const own = versions.get(operation.groupVersion) ?? [];
    versions.set(operation.groupVersion, own);
    if (operation.resource !== undefined) own.push(operation);
  }
  return versions;
}

/** Returns the paths of the documents of OpenAPI 3, sorted: `api/v1`, `apis/apps/v1`, `version`. */
export function pathsV3(source: DocumentSource): string[] {
  return [...divided(source).parts.keys()].sort();
}

/** Reports whether two sources of one server have the same document of OpenAPI 3 at a path of both. */
export function sameV3(one: DocumentSource, other: DocumentSource, path: string): boolean {
  const [a, b] = [divided(one), divided(other)];
  return sameItems(a.watched, b.watched) && sameItems(a.resources.get(path) ?? [], b.resources.get(path) ?? []);
}

/** Reports whether two lists have the same objects. */
export const sameItems = (some: readonly object[], others: readonly object[]): boolean =>
  some.length === others.length && some.every((item, index) => item === others[index]);

/** Makes the document of OpenAPI 3 at a path of `pathsV3`, in steps; undefined if there is none. */
export function* documentV3(source: DocumentSource, path: string): Steps<DocumentNode | undefined> {
  const part = divided(source).parts.get(path);
  if (part === undefined) return undefined;
  const { definitions, paths } = yield* written(source, dialectV3, [part], operationV3, parameterV3);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: source.version },
    paths,
    components: { schemas: definitions, securitySchemes: security },
  };
}

/** Makes the document of OpenAPI 2, in steps. */
export function* documentV2(source: DocumentSource): Steps<DocumentNode> {
  const parts = divided(source).parts.values();
  const { definitions, paths } = yield* written(source, dialectV2, parts, operationV2, parameterV2);
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: source.version },
    paths,
    definitions,
    securityDefinitions: security,
    security: [{ BearerToken: [] }],
  };
}

const security = {
  BearerToken: { description: 'a bearer token', type: 'apiKey', name: 'authorization', in: 'header' },
};

function* written(
  source: DocumentSource,
  dialect: Dialect,
  parts: Iterable<Part>,
  write: (operation: Described) => DocumentNode,
  parameter: (parameter: NamedParameter) => DocumentNode,
): Steps<{ definitions: DocumentNode; paths: DocumentNode }> {
  const definitions = new Definitions(source.types, dialect, divided(source).watched);
  const paths = new Map<string, Record<string, unknown>>();
  for (const part of parts) {
    for (const operation of part(definitions)) {
      const item = paths.get(operation.path) ?? {};
      item[operation.method] = write(operation);
      const shared = pathParameters(operation.path);
      if (shared.length > 0) item.parameters ??= shared.map(parameter);
      paths.set(operation.path, item);
      yield;
    }
  }
  return { definitions: definitions.all, paths: sorted(paths) };
}

function extensions({ action, kind }: Described): DocumentNode {
  return {
    ...(action !== undefined && { 'x-kubernetes-action': action }),
    ...(kind !== undefined && { 'x-kubernetes-group-version-kind': gvkOf(kind) }),
  };
}

const descriptions: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

function responses(codes: readonly number[], answer: DocumentNode): DocumentNode {
  const successes = codes.map((code) => [code, { description: descriptions[code], ...answer }] as const);
  return { ...Object.fromEntries(successes), 401: { description: 'Unauthorized' } };
}

function operationV3(operation: Described): DocumentNode {
  const { tag, description, operationId, query, body, answer } = operation;
  const content = ({ schema, types }: { schema: DocumentNode; types: readonly string[] }) =>
    Object.fromEntries(types.map((type) => [type, { schema }]));
  return {
    tags: [tag],
    description,
    operationId,
    ...(query.length > 0 && { parameters: query.map(parameterV3) }),
    ...(body && { requestBody: { content: content(body), ...(body.required && { required: true }) } }),
    responses: responses(answer.codes, { content: content(answer) }),
    ...extensions(operation),
  };
}

function parameterV3({ name, in: where, type }: NamedParameter): DocumentNode {
  return { name, in: where, ...(where === 'path' && { required: true }), schema: { type, uniqueItems: true } };
}

function operationV2(operation: Described): DocumentNode {
  const { tag, description, operationId, query, body, answer } = operation;
  const bodies = body
    ? [{ name: 'body', in: 'body', ...(body.required && { required: true }), schema: body.schema }]
    : [];
  const parameters = [...bodies, ...query.map(parameterV2)];
  return {
    description,
    consumes: body?.types ?? ['*/*'],
    produces: answer.types,
    schemes: ['https'],
    tags: [tag],
    operationId,
    ...(parameters.length > 0 && { parameters }),
    responses: responses(answer.codes, { schema: answer.schema }),
    ...extensions(operation),
  };
}

function parameterV2({ name, in: where, type }: NamedParameter): DocumentNode {
  return { uniqueItems: true, type, name, in: where, ...(where === 'path' && { required: true }) };
}
