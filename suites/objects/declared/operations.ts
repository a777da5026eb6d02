// What a target's OpenAPI declares about one operation, in one form for v2 and v3.
import { at, isObject, type Json, type JsonObject } from '../../client/json.js';
import type { Declared } from '../kinds/documents.js';
import { listOf, objectOf } from '../kinds/schemas.js';

export interface DeclaredResponse {
  /** The media types in lower case; empty if the document names none. */
  readonly types: readonly string[];
  /** The schema by the media type, or by `*` for every type. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
}

interface DeclaredParameter {
  readonly name: string;
  readonly required: boolean;
}

export interface DeclaredOperation {
  readonly document: JsonObject;
  /** By status code, as the document writes it: `200`, `2XX`, `default`. */
  readonly responses: ReadonlyMap<string, DeclaredResponse>;
  /** The media types of the body in lower case; empty if the document names none. */
  readonly requestTypes: readonly string[];
  readonly queryParameters: readonly DeclaredParameter[];
}

/** The operations of a document, each read at its first use. */
export class DeclaredOperations {
  readonly #paths: ReadonlyMap<string, JsonObject>;
  readonly #known = new Map<string, DeclaredOperation | undefined>();

  constructor(private readonly declared: Declared) {
    const paths = Object.entries(declared.paths).flatMap(([path, item]) =>
      isObject(item) ? [[pathKey(path), item] as const] : [],
    );
    this.#paths = new Map(paths);
  }

  /** Returns what the document declares about a method of a path template; undefined if it does not have it. */
  of(method: string, template: string): DeclaredOperation | undefined {
    const key = `${method} ${template}`;
    if (!this.#known.has(key)) this.#known.set(key, this.#read(method.toLowerCase(), template));
    return this.#known.get(key);
  }

  #read(method: string, template: string): DeclaredOperation | undefined {
    const item = this.#paths.get(pathKey(template));
    const operation = item?.[method];
    if (item === undefined || !isObject(operation)) return undefined;
    const { document, format } = this.declared;
    const parameters = [...membersOf(item.parameters), ...membersOf(operation.parameters)].map((one) =>
      followed(document, one),
    );
    const responses = Object.entries(objectOf(operation.responses)).map(([code, one]) => {
      const response = followed(document, one);
      return [code, format === 'v3' ? thirdResponse(response) : secondResponse(document, operation, response)] as const;
    });
    return {
      document,
      responses: new Map(responses),
      requestTypes: format === 'v3' ? thirdTypes(document, operation) : typesOf(document, operation, 'consumes'),
      queryParameters: parameters.flatMap((parameter) => queryParameterOf(parameter)),
    };
  }
}

/** The parameters of a path have other names in other documents; a document may end the paths of discovery with `/`. */
const pathKey = (template: string): string => template.replace(/\{[^}]*\}/g, '{}').replace(/(?<=.)\/$/, '');

const membersOf = (list: Json | undefined): readonly Json[] => (Array.isArray(list) ? list : []);

/** Returns a member of a document, its reference followed once: shared members refer to nothing. */
function followed(document: JsonObject, member: Json | undefined): JsonObject {
  const reference = at(member, '$ref');
  if (typeof reference !== 'string') return objectOf(member);
  return objectOf(memberAt(document, reference));
}

/** Returns the member of a document at a reference such as `#/definitions/Widget`; undefined if there is none. */
export function memberAt(document: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  const steps = reference.slice(2).split('/');
  return at(document, ...steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** The schema in v2 is the same for every media type. */
const everyType = '*';

function secondResponse(document: JsonObject, operation: JsonObject, { schema }: JsonObject): DeclaredResponse {
  const schemas = isObject(schema) ? [[everyType, schema] as const] : [];
  return { types: typesOf(document, operation, 'produces'), schemas: new Map(schemas) };
}

function thirdResponse({ content }: JsonObject): DeclaredResponse {
  const entries = Object.entries(objectOf(content)).map(([type, media]) => [type.toLowerCase(), media] as const);
  return {
    types: entries.map(([type]) => type),
    schemas: new Map(
      entries.flatMap(([type, media]) => {
        const schema = at(media, 'schema');
        return isObject(schema) ? [[type, schema] as const] : [];
      }),
    ),
  };
}

function typesOf(document: JsonObject, operation: JsonObject, field: 'consumes' | 'produces'): readonly string[] {
  return listOf(operation[field] ?? document[field]).map((type) => type.toLowerCase());
}

function thirdTypes(document: JsonObject, operation: JsonObject): readonly string[] {
  const { content } = followed(document, operation.requestBody);
  return Object.keys(objectOf(content)).map((type) => type.toLowerCase());
}

function queryParameterOf({ name, in: place, required }: JsonObject): DeclaredParameter[] {
  return place === 'query' && typeof name === 'string' ? [{ name, required: required === true }] : [];
}

/** Returns the declared response for a status; undefined if the document does not declare the status. */
export function responseFor({ responses }: DeclaredOperation, status: number): DeclaredResponse | undefined {
  const exact = responses.get(String(status)) ?? responses.get(`${String(status)[0]}XX`);
  const hasSuccess = [...responses.keys()].some((code) => code.startsWith('2'));
  // Beside declared successes, `default` is the response for errors.
  const isDefault = status >= 200 && status <= 299 && !hasSuccess;
  return exact ?? (isDefault ? responses.get('default') : undefined);
}

/** Returns the schema of a response in a media type; undefined if the document has none. */
export function schemaFor({ schemas }: DeclaredResponse, mediaType: string): JsonObject | undefined {
  return schemas.get(mediaType) ?? schemas.get(everyType) ?? schemas.get('*/*');
}

/** Returns the media types that the successes of an operation declare. */
export function successTypes({ responses }: DeclaredOperation): readonly string[] {
  const successes = [...responses].filter(([code]) => code.startsWith('2') || code === 'default');
  return [...new Set(successes.flatMap(([, { types }]) => types))];
}

/** Methods whose success has the object as its body. A delete has a Status or the object. */
const withObject = new Set(['GET', 'POST', 'PUT', 'PATCH']);

/**
 * Returns what a definition declares about a method of a path template; undefined if it declares nothing. `schemaOf`
 * returns the schema of the kind with a plural.
 */
export function definedOperation(
  method: string,
  template: string,
  schemaOf: (plural: string) => JsonObject | undefined,
): DeclaredOperation | undefined {
  const [, plural = '', object, subresource] =
    /^\/apis\/[^/]+\/[^/]+(?:\/namespaces\/\{namespace\})?\/([^/]+)(\/\{name\}(\/[^/]+)?)?$/.exec(template) ?? [];
  if (!withObject.has(method) || (subresource !== undefined && subresource !== '/status')) return undefined;
  const own = schemaOf(plural);
  if (own === undefined) return undefined;
  const isList = method === 'GET' && object === undefined;
  const schema = isList ? { type: 'object', properties: { items: { type: 'array', items: own } } } : own;
  return {
    document: own,
    responses: new Map([['2XX', { types: [], schemas: new Map([['*', schema]]) }]]),
    requestTypes: [],
    queryParameters: [],
  };
}
