// What every handler needs: the registry, and what a request says about the object it means.
import { apiVersionOf, type Resource, resourceId, type Verb } from '../../matrix/api/index.js';
import type { BearerOf } from '../authentication/bearer.js';
import type { ApiObject } from '../codecs/codec.js';
import type { Connections } from '../connect/options.js';
import { isSet } from '../edge/query.js';
import { badRequest } from '../errors.js';
import type { Registry } from '../registry/registry.js';
import type { Store } from '../registry/store.js';
import type { Place } from '../registry/update.js';
import { encodable } from '../registry/views.js';
import type { Answer, ApiRequest, Encodable, Handler } from '../request.js';
import { decodeBody, type Expected } from '../schema/body.js';
import type { Draft } from '../schema/object.js';
import type { BookmarkTiming } from '../watch/bookmarks.js';

export interface Dependencies {
  readonly registry: Registry;
  readonly bearerOf: BearerOf;
  readonly connections: Connections;
  /** When watches get bookmarks; as real servers send them where it is absent. */
  readonly bookmarkTiming?: BookmarkTiming;
}

/** Makes the handler of a verb. */
export type MakeHandler = (dependencies: Dependencies) => Handler;

/** Resources that are answered in a way of their own, by `group/plural`. */
export type Exceptions = Readonly<Record<string, MakeHandler>>;

/** The rule, but for the resources that have an exception. */
export function withExceptions(rule: MakeHandler, exceptions: Exceptions): MakeHandler {
  return (dependencies) => {
    const usual = rule(dependencies);
    const others = new Map(Object.entries(exceptions).map(([id, make]) => [id, make(dependencies)]));
    return (request) => (others.get(resourceId(resourceOf(request))) ?? usual)(request);
  };
}

/** The row of the resource that a request is about. */
export function resourceOf({ operation }: ApiRequest): Resource {
  if (operation.resource === undefined) throw new Error(`${operation.id} has no resource`);
  return operation.resource;
}

/** The objects that a request is about. */
export function storeOf(request: ApiRequest, { registry }: Dependencies): Store {
  return registry.of(resourceOf(request));
}

/** The object that a request names. */
export function placeOf({ path }: ApiRequest): Place {
  if (path.name === undefined) throw new Error('the path has no name');
  return { namespace: path.namespace, name: path.name };
}

/** The kind that the body of a verb has. */
export function expectedBody(resource: Resource, verb: Verb): Expected {
  return resource.bodyKinds[verb] ?? { apiVersion: apiVersionOf(resource.groupVersion), kind: resource.kind };
}

/** The decoded body of a request. */
export function draftOf(request: ApiRequest): Promise<Draft> {
  const { operation, body } = request;
  return decodeBody(expectedBody(resourceOf(request), operation.verb as Verb), body);
}

/** A body, and 200: every success is (Endpoints/Conventions, 1). */
export const ok = (body: Encodable): Answer => ({ status: 200, body });

/** An object that is not stored, and 200. */
export const okObject = (object: ApiObject): Answer => ok(encodable(object));

/** The Status of something that is done and has no object to show. */
export const success: ApiObject = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 200 };

/** A boolean query parameter. An absent one is false. */
export const flag = (query: URLSearchParams, name: string): boolean => isSet(query.get(name));

/** An integer of the query; undefined when it is absent or empty. */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw badRequest(`strconv.ParseInt: parsing "${text}": value out of range`);
  return value;
}
