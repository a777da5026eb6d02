// Expands the rows to operations: every method and path, with its query, body, media types and section.
import { type MediaType, type MediaTypes, patchTypes } from './mediaTypes.js';
import type { ParameterSet } from './parameters.js';
import { type GroupVersion, groupVersions, type Resource, resources } from './resources/index.js';
import { type BodyForm, type Method, type Verb, type VerbRow, verbs } from './verbs.js';

/** One method on one path template. Discovery operations have no resource. */
export interface Operation {
  /** `METHOD path-template`: unique and permanent. */
  readonly id: string;
  readonly method: Method;
  /** Other methods of the same operation, of which the interface says nothing. */
  readonly also?: readonly string[];
  readonly path: string;
  readonly verb: Verb | 'discover';
  readonly groupVersion: GroupVersion;
  readonly resource?: Resource;
  readonly query: ParameterSet;
  readonly body: BodyForm;
  readonly requestTypes: MediaTypes;
  readonly responseTypes: MediaTypes;
  /** 200, or any 2xx (and 101 for an upgrade) if the document declares `default` (Endpoints/Conventions, 1). */
  readonly success: 200 | 'default';
  readonly stated: boolean;
  /** The heading in the document that states the operation; for an unstated operation, the heading that omits it. */
  readonly section: string;
}

export function pathOf(resource: Resource, row: VerbRow): string {
  const { prefix } = resource.groupVersion;
  const scoped = resource.namespaced ? `/namespaces/{namespace}/${resource.plural}` : `/${resource.plural}`;
  const bases: Record<VerbRow['form'], string> = {
    all: `${prefix}/${resource.plural}`,
    collection: `${prefix}${scoped}`,
    object: `${prefix}${scoped}/{name}`,
    'watch-all': `${prefix}/watch/${resource.plural}`,
    'watch-collection': `${prefix}/watch${scoped}`,
    'watch-object': `${prefix}/watch${scoped}/{name}`,
    legacy: `${prefix}/proxy${scoped}/{name}`,
  };
  return bases[row.form] + (row.suffix ?? '');
}

function requestTypes(row: VerbRow, { found }: Resource): MediaTypes {
  if (row.answer === 'connect') return row.suffix === '/log' ? [] : 'any';
  if (row.body === 'none') return [];
  return row.body === 'patch' ? (found?.patchTypes ?? patchTypes) : 'any';
}

function responseTypes(row: VerbRow, { responseTypes, watchTypes }: GroupVersion): MediaTypes {
  if (row.answer === 'connect') return 'any';
  return row.answer === 'watch' ? watchTypes : responseTypes;
}

function sectionOf(resource: Resource, verb: Verb, row: VerbRow): string {
  if (verb === 'log') return 'Pod log';
  if (row.answer === 'connect') return 'Connect and proxy operations (core group)';
  if (row.answer === 'watch' && resource.groupVersion.group === '') return 'Watch paths in the core group';
  return resource.section;
}

export function expand(resource: Resource, verb: Verb, stated: boolean): Operation[] {
  const row: VerbRow = verbs[verb];
  const path = pathOf(resource, row);
  return row.methods.map((method) => ({
    id: `${method} ${path}`,
    method,
    path,
    verb,
    groupVersion: resource.groupVersion,
    resource,
    query: row.query,
    body: row.body,
    requestTypes: requestTypes(row, resource),
    responseTypes: responseTypes(row, resource.groupVersion),
    // The document states the codes of its own kinds.
    success: (row.answer === 'connect' && verb !== 'log') || resource.found ? 'default' : 200,
    stated: stated && resource.groupVersion.stated,
    section: sectionOf(resource, verb, row),
  }));
}

/** Returns the operation that lists the resources of a group version. */
export function discoveryOf(groupVersion: GroupVersion): Operation {
  return {
    id: `GET ${groupVersion.prefix}`,
    method: 'GET',
    path: groupVersion.prefix,
    verb: 'discover',
    groupVersion,
    query: 'none',
    body: 'none',
    requestTypes: groupVersion.responseTypes,
    responseTypes: groupVersion.responseTypes,
    success: 'default',
    stated: groupVersion.stated,
    section: 'Conventions',
  };
}

/** Returns the operation that reads a page which belongs to no group version. */
export function pageOf(path: string, pageTypes: readonly MediaType[], isPlain: boolean): Operation {
  const page: GroupVersion = {
    group: '',
    version: '',
    prefix: path,
    responseTypes: pageTypes,
    watchTypes: [],
    stated: false,
  };
  return { ...discoveryOf(page), requestTypes: [], ...(isPlain && { responseTypes: 'any' }) };
}

/** Returns every operation of the given resources, the verbs of each resource in the order of its row. */
export function expandOperations(of: readonly Resource[]): Operation[] {
  return of.flatMap((resource) => [
    ...resource.stated.flatMap((verb) => expand(resource, verb, true)),
    ...resource.unstated.flatMap((verb) => expand(resource, verb, false)),
  ]);
}

/** Every operation of the table, stated or not. */
export const operations: readonly Operation[] = [...groupVersions.map(discoveryOf), ...expandOperations(resources)];

export const statedOperations: readonly Operation[] = operations.filter((operation) => operation.stated);
