// The dependencies of all handlers, and the object that a request names.
import { type Resource, resourceId, type Verb } from '../../matrix/api/index.js';
import type { BearerOf } from '../authentication/bearer.js';
import type { Authorizer } from '../authorization/authorizer.js';
import type { ApiObject, Codec, Encodable } from '../codecs/codec.js';
import type { ConnectDependencies } from '../connect/target.js';
import { forbidden, invalid } from '../errors.js';
import type { IsDisabled } from '../features/features.js';
import { type Patch, patchOf } from '../patch/index.js';
import { isDryRun } from '../registry/dryRun.js';
import type { Manager } from '../registry/fields.js';
import type { Registry } from '../registry/registry.js';
import type { Store, WriteOptions } from '../registry/store.js';
import type { Part } from '../registry/strategy.js';
import { type Answer, type ApiRequest, type Handler, resourceOf } from '../request.js';
import { decodeBody, type Expected, expectedOf } from '../schema/body.js';
import { Causes } from '../schema/causes.js';
import { checkFieldValidation, fieldCheckOf } from '../schema/fieldValidation.js';
import type { DecodedObject } from '../schema/object.js';
import type { BoundTokens } from '../serviceaccounts/boundTokens.js';
import type { Entry, Storage } from '../storage/storage.js';
import { encodable, viewOf } from '../versions/views.js';
import type { BookmarkTiming } from '../watch/bookmarks.js';
import type { WatchCache } from '../watch/cache.js';

export interface Dependencies extends ConnectDependencies {
  readonly registry: Pick<Registry, 'of'>;
  readonly storage: Pick<Storage, 'list' | 'revision' | 'probe'>;
  readonly watchCache: WatchCache;
  readonly health: { probe(): Promise<void> };
  readonly bearerOf: BearerOf;
  readonly authorizer: Pick<Authorizer, 'decide' | 'rulesOf'>;
  readonly boundTokens: BoundTokens;
  readonly lacks: IsDisabled;
  /** Whether objects and lists have a `metadata.selfLink`. */
  readonly selfLinks: boolean;
  readonly now: () => Date;
  /** Is told how many events a watch of a resource sends. */
  readonly onEvents?: ((resource: Resource, count: number) => void) | undefined;
  /** The minor version of Kubernetes whose watches these are; those of the interface by default. */
  readonly minor?: number;
  /** Whether watches get bookmarks from time to time; true by default. */
  readonly bookmarks?: boolean;
  /** What is registered for the handlers; nothing by default. */
  readonly registered?: readonly RegisteredHandlers[];
  /** The timing of bookmarks; that of real servers by default. */
  readonly bookmarkTiming?: BookmarkTiming;
}

/** Makes the handler of a verb. */
export type MakeHandler = (dependencies: Dependencies) => Handler;

/** Handlers of resources that differ from the default, by `group/plural`. */
export type Exceptions = Readonly<Record<string, MakeHandler>>;

export interface PatchType {
  readonly mediaType: string;
  codecOf(yaml: Codec): Codec;
  /** Answers a patch of an object, of a part of it or of its scale; undefined if the resource has no such patches. */
  patch(request: ApiRequest, dependencies: Dependencies, part: Part | 'scale'): Promise<Answer> | undefined;
}

/** What can be registered for the handlers. */
export interface RegisteredHandlers {
  /** Handlers of verbs that the interface does not have, and those that do more than the handlers of the interface. */
  readonly verbs?: Partial<Record<Verb, MakeHandler>>;
  /** Handlers of creates, by `group/plural`. */
  readonly creates?: Exceptions;
  readonly patchType?: PatchType;
  /** Returns the manager of a write. Adds causes for a bad one. */
  readonly managerOf?: (request: ApiRequest, causes: Causes, subresource?: string) => Manager;
}

/** Answers a patch whose media type is registered; undefined for any other patch. */
export function registeredPatch(
  request: ApiRequest,
  dependencies: Dependencies,
  part: Part | 'scale',
): Promise<Answer> | undefined {
  const { registered = [] } = dependencies;
  const type = registered.find(({ patchType }) => patchType?.mediaType === request.body?.mediaType)?.patchType;
  return type?.patch(request, dependencies, part);
}

/** Makes a handler that uses the default except for the resources that have their own handler. */
export function withExceptions(rule: MakeHandler, exceptions: Exceptions): MakeHandler {
  return (dependencies) => {
    const usual = rule(dependencies);
    const others = new Map(Object.entries(exceptions).map(([id, make]) => [id, make(dependencies)]));
    return (request) => (others.get(resourceId(resourceOf(request))) ?? usual)(request);
  };
}

/** Returns the store of a request's resource. */
export function storeOf(request: ApiRequest, { registry }: Dependencies): Store {
  return registry.of(resourceOf(request));
}

/** Returns the storage of a request's resource, with its objects in the version of the resource. */
export const storageOf = (request: ApiRequest, dependencies: Dependencies): Storage =>
  storeOf(request, dependencies).context.storage;

export function expectedBody(resource: Resource, verb: Verb): Expected {
  return resource.bodyKinds[verb] ?? expectedOf(resource);
}

/**
 * Returns the decoded body of a request. Throws 400 for an invalid body.
 */
export async function decodedBodyOf(request: ApiRequest): Promise<DecodedObject> {
  const { operation, body } = request;
  return decodeBody(expectedBody(resourceOf(request), operation.verb as Verb), body, fieldCheckOf(request));
}

/** Returns the patch of a request to an object of a kind. Throws like `patchOf`. */
export function patchIn(request: ApiRequest, expected: Expected, { lacks }: Pick<Dependencies, 'lacks'>): Patch {
  return patchOf(request.body, expected, lacks, fieldCheckOf(request));
}

/** The kinds of the options in a query, by method. */
const optionKinds: Readonly<Record<string, string>> = {
  POST: 'CreateOptions',
  PUT: 'UpdateOptions',
  PATCH: 'PatchOptions',
};

/**
 * Returns what the query of a write says, and the request as its origin; no manager if the server does not keep track of
 * the owners of fields. Throws 422 with all mistakes of the query.
 */
export function writeOptionsOf(
  request: ApiRequest,
  { registered }: Pick<Dependencies, 'registered'>,
  part: Part | 'scale' = 'main',
): Pick<WriteOptions, 'manager' | 'origin'> & { readonly dryRun: boolean } {
  const { query, operation } = request;
  const causes = new Causes();
  const { managerOf } = registered?.find((each) => each.managerOf !== undefined) ?? {};
  const manager = managerOf?.(request, causes, part === 'main' ? undefined : part);
  const dryRun = isDryRun(query.getAll('dryRun'), causes);
  checkFieldValidation(query, causes);
  if (causes.list.length > 0) {
    throw invalid({ group: 'meta.k8s.io', kind: optionKinds[operation.method] ?? '' }, '', causes.list);
  }
  return { dryRun, origin: request, ...(manager !== undefined && { manager }) };
}

/** Throws 403, with the words of the authorizer only, if the user of an update that creates its object may not create it. */
export function requireRightToCreate(request: ApiRequest, { authorizer }: Pick<Dependencies, 'authorizer'>): void {
  const resource = resourceOf(request);
  const { namespace = '', name = '' } = request.path;
  const asked = { verb: 'create', group: resource.groupVersion.group, resource: resource.plural, subresource: '' };
  const { allowed, reason } = authorizer.decide(request.user, { ...asked, namespace, name });
  if (!allowed) throw forbidden(resource, name, reason);
}

/** Returns a 200 with a body: every success is 200 (Endpoints/Conventions, 1). */
export const ok = (body: Encodable): Answer => ({ status: 200, body });

/** Returns a 200 with an object that a request has written. */
export function written(request: ApiRequest, entry: Entry, dependencies: Dependencies): Answer & { status: number } {
  return { status: 200, body: viewOf(storeOf(request, dependencies).resource, entry) };
}

/** The interface states 200 for a create; what came later answers as present servers do. */
export const createdStatus = ({ modern }: Resource): number => (modern === true ? 201 : 200);

/** Returns a 200 with an object that is not stored. */
export const okObject = (object: ApiObject): Answer => ok(encodable(object));

/** The Status of a success without an object. */
export const success: ApiObject = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 200 };
