// What the definition of a custom resource declares about the operations of its kind: only the schema of the objects.
import type { JsonObject } from '../../client/json.js';
import type { DeclaredOperation } from './operations.js';

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
