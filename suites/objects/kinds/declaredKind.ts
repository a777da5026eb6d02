// What a target declares about one kind: its verbs, media types and schema, from discovery and from its OpenAPI.
import { type FoundKind, type MediaType, mediaTypes, type Verb } from '../../../matrix/api/index.js';
import { at, isObject, type JsonObject } from '../../client/json.js';
import { type DiscoveredKind, prefixOfVersion } from './discovered.js';
import type { Declared, Documents } from './documents.js';
import { type Located, propertyOf, resolveReference } from './schemas.js';

/** The row of a kind without its sample, and the schema of its objects. */
export interface DeclaredKind {
  readonly row: FoundKind;
  /** Absent if the target publishes none. */
  readonly located?: Located;
}

/** The patch types of a kind whose patches no OpenAPI describes: every kind has them. */
const anyPatch = ['jsonPatch', 'mergePatch'] as const satisfies readonly MediaType[];
const patchNames = [...anyPatch, 'strategicMergePatch'] as const;
const objectNames = ['json', 'yaml'] as const;

export function declaredKind(kind: DiscoveredKind, documents: Documents): DeclaredKind {
  const { group, version, plural, singular, shortNames, categories, namespaced } = kind;
  const declared = documents.of(kind);
  const paths = declared === undefined ? undefined : new PathsOf(kind, declared);
  const located = paths?.schema() ?? definedSchema(kind, documents);
  const scaleVersion = scaleOf(kind, located);
  return {
    row: {
      ...{ group, version, plural, singular, kind: kind.kind, shortNames, categories, namespaced },
      verbs: verbsOf(kind, paths, scaleVersion !== undefined),
      objectTypes: paths?.typesIn('get', objectNames) ?? ['json'],
      patchTypes: paths?.typesIn('patch', patchNames) ?? anyPatch,
      watchable: kind.verbs.includes('watch'),
      ...(scaleVersion !== undefined && { scaleVersion }),
    },
    ...(located && { located }),
  };
}

function definedSchema(kind: DiscoveredKind, documents: Documents): Located | undefined {
  const schema = documents.definedSchema(kind, kind.plural);
  return schema && { schema, document: schema };
}

/** Returns the verbs of the table for those that discovery lists. */
function verbsOf(kind: DiscoveredKind, paths: PathsOf | undefined, isScaled: boolean): Verb[] {
  const { namespaced, subresources } = kind;
  const has = (verb: string): boolean => kind.verbs.includes(verb);
  const when = (is: boolean, ...verbs: readonly Verb[]): readonly Verb[] => (is ? verbs : []);
  const of = (name: string, verbs: Readonly<Record<string, Verb>>): readonly Verb[] =>
    (subresources.get(name)?.verbs ?? []).flatMap((verb) => verbs[verb] ?? []);
  const prefixed = has('watch') ? (paths?.watchVerbs() ?? []) : [];
  return [
    ...when(has('list') && namespaced, 'listAll'),
    ...when(has('list'), 'list'),
    ...when(has('deletecollection'), 'deleteCollection'),
    ...when(has('create'), 'create'),
    ...when(has('get'), 'read'),
    ...when(has('update'), 'replace'),
    ...when(has('delete'), 'delete'),
    ...when(has('patch'), 'patch'),
    ...prefixed,
    ...of('status', { get: 'readStatus', update: 'replaceStatus', patch: 'patchStatus' }),
    ...(isScaled ? of('scale', { get: 'readScale', update: 'replaceScale', patch: 'patchScale' }) : []),
  ];
}

/** Returns the version of the Scale of a kind; undefined if it has none, or if its replicas are not at spec.replicas. */
function scaleOf({ subresources }: DiscoveredKind, located: Located | undefined): string | undefined {
  const scale = subresources.get('scale');
  const spec = located && propertyOf(located, 'spec');
  const replicas = spec && propertyOf(spec, 'replicas');
  const isCounted = replicas !== undefined && resolveReference(replicas).type === 'integer';
  return scale?.kind === 'Scale' && isCounted ? (scale.apiVersion ?? 'autoscaling/v1') : undefined;
}

class PathsOf {
  readonly #collection: string;
  readonly #watch: string;

  constructor(
    private readonly kind: DiscoveredKind,
    private readonly declared: Declared,
  ) {
    const { plural, namespaced } = kind;
    const prefix = prefixOfVersion(kind);
    const scoped = namespaced ? `/namespaces/{namespace}/${plural}` : `/${plural}`;
    this.#collection = prefix + scoped;
    this.#watch = `${prefix}/watch`;
  }

  /** Returns the schema of the body of a create or, for a kind without one, of a replace. */
  schema(): Located | undefined {
    const { document } = this.declared;
    const schema = this.#bodyOf(this.#collection, 'post') ?? this.#bodyOf(`${this.#collection}/{name}`, 'put');
    return schema && { schema, document };
  }

  /** Returns those of the media types that an operation of an object declares; undefined if it declares none. */
  typesIn(method: 'get' | 'patch', known: readonly (typeof patchNames | typeof objectNames)[number][]) {
    const operation = this.#operation(`${this.#collection}/{name}`, method) ?? this.#operation(this.#collection, 'get');
    const declared = this.declared.format === 'v3' ? thirdTypes(operation, method) : secondTypes(operation, method);
    if (declared === undefined) return undefined;
    const found = known.filter((name) => declared.includes(mediaTypes[name]));
    return found.length > 0 ? found : undefined;
  }

  watchVerbs(): readonly Verb[] {
    const { plural, namespaced } = this.kind;
    const inScope = this.#watch + (namespaced ? `/namespaces/{namespace}/${plural}` : `/${plural}`);
    const has = (path: string): boolean => this.#operation(path, 'get') !== undefined;
    return [
      ...(namespaced && has(`${this.#watch}/${plural}`) ? (['watchAll'] as const) : []),
      ...(has(inScope) ? (['watchList'] as const) : []),
      ...(has(`${inScope}/{name}`) ? (['watchOne'] as const) : []),
    ];
  }

  #operation(path: string, method: string): JsonObject | undefined {
    const found = at(this.declared.paths, path, method);
    return isObject(found) ? found : undefined;
  }

  #bodyOf(path: string, method: string): JsonObject | undefined {
    const operation = this.#operation(path, method);
    const content = at(operation, 'requestBody', 'content');
    const third = isObject(content) ? Object.values(content).map((media) => at(media, 'schema')) : [];
    const parameters = at(operation, 'parameters');
    const second = (Array.isArray(parameters) ? parameters : [])
      .filter((parameter) => at(parameter, 'in') === 'body')
      .map((parameter) => at(parameter, 'schema'));
    return [...third, ...second].find(isObject);
  }
}

function secondTypes(operation: JsonObject | undefined, method: 'get' | 'patch'): readonly string[] | undefined {
  const types = at(operation, method === 'patch' ? 'consumes' : 'produces');
  return Array.isArray(types) ? types.map(String) : undefined;
}

function thirdTypes(operation: JsonObject | undefined, method: 'get' | 'patch'): readonly string[] | undefined {
  const content =
    method === 'patch' ? at(operation, 'requestBody', 'content') : at(operation, 'responses', '200', 'content');
  return isObject(content) ? Object.keys(content) : undefined;
}
