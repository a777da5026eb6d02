// What a document says about one operation, in a form that both versions of OpenAPI are written from.
import {
  apiVersionOf,
  applyPatchType,
  mediaTypes,
  type Operation,
  type Resource,
  type Verb,
  type VerbRow,
  verbs,
} from '../../../matrix/api/index.js';
import type { GroupVersionKind } from '../../codecs/codec.js';
import { isUntyped } from '../../edge/negotiation.js';
import type { Definitions } from './definitions.js';
import type { DocumentNode } from './dialect.js';
import { capital, groupTag, groupWord, metaPackage, splitApiVersion, versionTag, versionWord } from './names.js';
import { type NamedParameter, queryParameters } from './parameters.js';

/** An operation of a document. */
export interface Described {
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  readonly tag: string;
  readonly description: string;
  readonly query: readonly NamedParameter[];
  /** The schema of the body, whether a body is needed, and its media types. */
  readonly body?: { readonly schema: DocumentNode; readonly required: boolean; readonly types: readonly string[] };
  /** The schema of the response, its media types, and the status codes of a success. */
  readonly answer: {
    readonly schema: DocumentNode;
    readonly types: readonly string[];
    readonly codes: readonly number[];
  };
  readonly action?: string;
  readonly kind?: GroupVersionKind;
}

/** What the server serves, and what its documents are made from. */
export interface DocumentedSurface {
  /** The operations of the table, also of discovery. */
  readonly operations: readonly Operation[];
  /** The media types of the codecs, and those of their streams. */
  readonly objectTypes: readonly string[];
  readonly streamTypes: readonly string[];
  readonly patchTypes: readonly string[];
  /** Reports whether a query parameter is hidden, because the server lacks its feature. */
  isHidden(parameter: string): boolean;
}

const any = '*/*';

/** Describes an operation of a resource. Throws for an operation of discovery. */
export function describeOperation(
  operation: Operation,
  surface: DocumentedSurface,
  definitions: Definitions,
): Described {
  const { resource, verb, path, method, groupVersion } = operation;
  if (resource === undefined || verb === 'discover') throw new Error(`${operation.id} is not of a resource`);
  const row: VerbRow = verbs[verb];
  const kind = kindOf(resource, verb);
  const body = bodyOf(operation, kind, surface, definitions);
  return {
    path,
    method: method.toLowerCase(),
    operationId: operationId(operation, resource, verb),
    tag: versionTag(groupVersion),
    description: descriptionOf(resource, verb, row),
    query: queryParameters(operation, surface.isHidden),
    ...(body && { body }),
    answer: {
      schema: answerOf(resource, verb, definitions),
      types: typesOf(operation, verb, row, surface),
      codes: codesOf(operation, surface),
    },
    action: actionOf(row, verb, method),
    kind,
  };
}

/** Describes a page of discovery: `/api`, `/apis`, a group, or the resources of a group version. */
export function describePage(
  path: string,
  kind: string,
  surface: DocumentedSurface,
  definitions: Definitions,
): Described {
  const [, , group = '', version = ''] = path.startsWith('/api/') ? ['', '', '', path.slice(5)] : path.split('/');
  const names: Readonly<Record<string, readonly [id: string, tag: string, description: string]>> = {
    APIVersions: ['getCoreAPIVersions', 'core', 'get available API versions'],
    APIGroupList: ['getAPIVersions', 'apis', 'get available API groups'],
    APIGroup: [`get${groupWord(group)}APIGroup`, groupTag(group), 'get information of a group'],
    APIResourceList: [
      `get${versionWord({ group, version })}APIResources`,
      versionTag({ group, version }),
      'get available resources',
    ],
  };
  const [operationId = '', tag = '', description = ''] = names[kind] ?? [];
  const answer = { schema: definitions.shared(kind), types: surface.objectTypes, codes: [200] };
  return { path: `${path}/`, method: 'get', operationId, tag, description, query: [], answer };
}

/** Describes the page `/version`. */
export function describeVersion(definitions: Definitions): Described {
  return {
    path: '/version/',
    method: 'get',
    operationId: 'getCodeVersion',
    tag: 'version',
    description: 'get the version of the server',
    query: [],
    answer: {
      schema: definitions.named('io.k8s.apimachinery.pkg.version.Info'),
      types: [mediaTypes.json],
      codes: [200],
    },
  };
}

const connectKinds: Partial<Record<Verb, string>> = {
  attach: 'AttachOptions',
  exec: 'ExecOptions',
  portforward: 'PortForwardOptions',
  proxy: 'ProxyOptions',
  proxyPath: 'ProxyOptions',
};

function kindOf(resource: Resource, verb: Verb): GroupVersionKind {
  const options = connectKinds[verb];
  const kind = options === undefined ? resource.kind : resource.kind + options;
  return resource.bodyKinds[verb] ?? { apiVersion: apiVersionOf(resource.groupVersion), kind };
}

function bodyOf(
  { verb, body, resource }: Operation,
  kind: GroupVersionKind,
  { patchTypes }: DocumentedSurface,
  definitions: Definitions,
): Described['body'] {
  if (body === 'object') return { schema: definitions.kind(kind), required: true, types: [any] };
  if (body === 'patch') {
    // Only the field table has what a strategic merge patch needs; a subresource is patched as its resource is.
    const patched = resource && { apiVersion: apiVersionOf(resource.groupVersion), kind: resource.kind };
    const types = definitions.isMade(patched ?? kind)
      ? patchTypes.filter((type) => type !== mediaTypes.strategicMergePatch)
      : patchTypes;
    return { schema: definitions.named(`${metaPackage}.Patch`), required: true, types };
  }
  const takesOptions = body === 'options' || verb === 'deletePlain' || verb === 'deleteCollection';
  return takesOptions ? { schema: definitions.shared('DeleteOptions'), required: false, types: [any] } : undefined;
}

/** Verbs whose response is a Status. */
const answeredByStatus: readonly Verb[] = ['bind', 'evict', 'rollback', 'delete', 'deletePlain', 'deleteCollection'];

function answerOf(resource: Resource, verb: Verb, definitions: Definitions): DocumentNode {
  const { answer }: VerbRow = verbs[verb];
  if (answer === 'connect') return { type: 'string' };
  if (answer === 'watch') return definitions.shared('WatchEvent');
  if (answeredByStatus.includes(verb)) return definitions.shared('Status');
  const { apiVersion, kind } = kindOf(resource, verb);
  const isList = verb === 'list' || verb === 'listAll';
  return definitions.kind({ apiVersion, kind: isList ? `${kind}List` : kind });
}

function typesOf(operation: Operation, verb: Verb, row: VerbRow, surface: DocumentedSurface): readonly string[] {
  const types = allTypesOf(verb, row, surface);
  // Only the field table has messages of protobuf.
  return isUntyped(operation, verb) ? types.filter((type) => !type.includes('protobuf')) : types;
}

function allTypesOf(verb: Verb, row: VerbRow, { objectTypes, streamTypes }: DocumentedSurface): readonly string[] {
  if (verb === 'log') return ['text/plain', ...objectTypes];
  if (row.answer === 'connect') return [any];
  return row.query === 'LW' && row.methods[0] === 'GET' ? [...objectTypes, ...streamTypes] : objectTypes;
}

/** A create of a later kind and a token answer 201, and so does an apply that creates its object. */
function codesOf({ verb, resource }: Operation, { patchTypes }: DocumentedSurface): readonly number[] {
  if (verb === 'requestToken' || (verb === 'create' && resource?.modern === true)) return [200, 201, 202];
  return verb === 'patch' && patchTypes.includes(applyPatchType) ? [200, 201] : [200];
}

const actions: Readonly<Record<string, string>> = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch' };

function actionOf(row: VerbRow, verb: Verb, method: string): string {
  if (row.answer === 'connect') return verb === 'log' ? 'get' : 'connect';
  if (row.answer === 'watch') return verb === 'watchOne' ? 'watch' : 'watchlist';
  if (verb === 'list' || verb === 'listAll') return 'list';
  if (verb === 'deleteCollection') return 'deletecollection';
  return actions[method] ?? 'delete';
}

function operationId(operation: Operation, resource: Resource, verb: Verb): string {
  const { groupVersion, method, path } = operation;
  const row: VerbRow = verbs[verb];
  const version = versionWord(groupVersion);
  const scope = resource.namespaced && row.form !== 'all' && row.form !== 'watch-all' ? 'Namespaced' : '';
  const withPath = path.endsWith('/{path}') ? 'WithPath' : '';
  const object = scope + resource.kind;
  if (row.form === 'legacy') return `proxy${version}${method}${object}${withPath}`;
  const sub = capital(row.suffix?.split('/')[1] ?? '');
  if (row.answer === 'connect' && verb !== 'log') {
    return `connect${version}${capital(method.toLowerCase())}${object}${sub}${withPath}`;
  }
  if (row.answer === 'watch') {
    if (verb === 'watchAll') return `watch${version}${object}ListForAllNamespaces`;
    return `watch${version}${object}${verb === 'watchList' ? 'List' : ''}`;
  }
  if (verb === 'listAll') return `list${version}${object}ForAllNamespaces`;
  if (verb === 'list') return `list${version}${object}`;
  if (verb === 'deleteCollection') return `delete${version}Collection${object}`;
  const words: Readonly<Record<string, string>> = { GET: 'read', POST: 'create', PUT: 'replace', PATCH: 'patch' };
  return `${words[method] ?? 'delete'}${version}${object}${sub}`;
}

function descriptionOf({ kind }: Resource, verb: Verb, row: VerbRow): string {
  const sub = row.suffix?.split('/')[1];
  if (row.answer === 'watch') return verb === 'watchOne' ? `watch one ${kind}` : `watch ${kind} objects`;
  if (row.answer === 'connect') return sub === 'log' ? `read the log of a ${kind}` : `connect to a ${kind}`;
  if (verb === 'list' || verb === 'listAll') return `list or watch ${kind} objects`;
  if (verb === 'deleteCollection') return `delete a collection of ${kind} objects`;
  const words: Readonly<Record<string, string>> = { GET: 'read', POST: 'create', PUT: 'replace', PATCH: 'patch' };
  const word = words[row.methods[0] ?? ''] ?? 'delete';
  return sub === undefined ? `${word} a ${kind}` : `${word} the ${sub} of a ${kind}`;
}

/** Returns the group, version and kind in the order of real servers. */
export function gvkOf({ apiVersion, kind }: GroupVersionKind): DocumentNode {
  const { group, version } = splitApiVersion(apiVersion);
  return { group, kind, version };
}
