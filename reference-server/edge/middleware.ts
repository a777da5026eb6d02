// The middleware of the API, in the order of its use in `createApp`. Each adds its values to `response.locals`.
import type { ErrorRequestHandler } from 'express';
import { type Resource, type Verb, verbs } from '../../matrix/api/index.js';
import type { User } from '../authentication/authenticator.js';
import type { union } from '../authentication/union.js';
import { type Attributes, attributesOf } from '../authorization/attributes.js';
import { type Authorizer, refusalBy } from '../authorization/authorizer.js';
import { type Impersonate, refusedImpersonation } from '../authorization/impersonation.js';
import type { Codecs } from '../codecs/index.js';
import { answersHead, answersKind } from '../discovery/discovery.js';
import { badRequest } from '../errors.js';
import type { IsDisabled } from '../features/features.js';
import { isSet } from '../query/parameters.js';
import type { Answer, ApiRequest, Handler, ResponseKind } from '../request.js';
import { type Route, splitTarget } from '../resolver/resolver.js';
import { completeFieldValidation, type FieldValidation, validatesFields } from '../schema/fieldValidation.js';
import { runTimeKindOf } from '../schema/runTimeKind.js';
import { asStatusError } from '../statusError.js';
import { bodyForm, readBody } from './body.js';
import { withOldCauseNames } from './causeNames.js';
import type { ApiResponse, Locals, Middleware } from './locals.js';
import { asksForRepresentation, isUntyped, kindOfResource, type Negotiation } from './negotiation.js';
import type { Observers } from './observers.js';
import { send, sendError, sendRaw } from './response.js';
import { addWarning, type Lifetimes, ServedRequest } from './servedRequest.js';
import { bodyReader, queryReader } from './unknownFeatures.js';

/**
 * Joins middleware to one. For each that it has itself, the router of Express matches a path and makes several closures,
 * which costs more than most of these do.
 */
export function joined(all: readonly Middleware[]): Middleware {
  return (request, response, next) => {
    let at = 0;
    const goOn = (error?: unknown): void => {
      const middleware = error === undefined ? all[at++] : undefined;
      if (middleware === undefined) next(error);
      else
        try {
          const done: unknown = middleware(request, response, goOn);
          if (done instanceof Promise) done.catch(next);
        } catch (failure) {
          next(failure);
        }
    };
    goOn();
  };
}

/**
 * Counts the request as active. Upgraded connections are not counted; they end by their signals. Throws 503 if the server
 * stops.
 */
export function count(lifetimes: Lifetimes, observers: Observers): Middleware {
  return (_request, response, next) => {
    if (response.locals.upgrade === undefined) lifetimes.count(response);
    observers.begin(response);
    next();
  };
}

/** Parses the URL, and decides whether the response is pretty. */
export function readUrl(lacks: IsDisabled): Middleware {
  const queryOf = queryReader(lacks);
  return (request, { locals }, next) => {
    const { pathname, search } = splitTarget(request.url);
    locals.pathname = pathname;
    locals.query = queryOf(search);
    locals.pretty = isPretty(locals.query.get('pretty'), request.headers['user-agent']);
    next();
  };
}

/** Authenticates the sender of the request. Throws 401 if no mechanism succeeds. */
export function authenticate(userOf: ReturnType<typeof union>): Middleware {
  return (request, { locals }, next) => {
    const goOn = (user: User): void => {
      locals.user = user;
      next();
    };
    const user = userOf(request);
    return user instanceof Promise ? user.then(goOn) : goOn(user);
  };
}

/** Returns headers of the response to a request: to each, whether it is allowed or not. */
export type HeadersOf = (user: User, attributes: Attributes) => readonly (readonly [name: string, value: string])[];

/**
 * Authorizes the request. Throws 403 if the user may not send it. `impersonate` returns the user that it is for; without
 * it, each request on behalf of another user is refused with 403.
 */
export function authorize(authorizer: Authorizer, impersonate?: Impersonate, headersOf?: HeadersOf): Middleware {
  const decide: Middleware = (request, response, next) => {
    const { locals } = response;
    const { pathname, query } = locals;
    const refused = impersonate === undefined ? refusedImpersonation(request.headers) : undefined;
    if (impersonate !== undefined) {
      const sender = locals.user;
      locals.user = impersonate(request, sender);
      if (locals.user !== sender) locals.sender = sender;
    }
    const attributes = attributesOf(request.method, pathname, query);
    if (headersOf !== undefined) {
      for (const [name, value] of headersOf(locals.user, attributes)) response.setHeader(name, value);
    }
    next(refused ?? refusalBy(authorizer.decide, locals.user, attributes));
  };
  if (authorizer.current === undefined) return decide;
  return async (request, response, next) => {
    await authorizer.current?.();
    return decide(request, response, next);
  };
}

/**
 * Resolves the method and path to an operation of the table, through a trie. Express's router would try the 193 paths
 * of the table one by one, which costs up to 15 µs per request instead of 1 µs. It also treats percent signs, HEAD and
 * OPTIONS differently from API servers. Adds the warning about a deprecated version.
 */
export function resolve(served: Served, deprecationOf: (resource: Resource) => string | undefined): Middleware {
  return ({ method }, response, next) => {
    const { locals } = response;
    const { pathname, query } = locals;
    const asked = method === 'HEAD' && answersHead(pathname) ? 'GET' : method;
    const { operation, path } = served.resolve(asked, pathname) ?? served.missing(pathname);
    const { resource } = operation;
    const kind = resource && runTimeKindOf(resource);
    const deprecation = kind === undefined ? resource && deprecationOf(resource) : kind.deprecation;
    if (deprecation !== undefined) addWarning(response, deprecation);
    locals.operation = operation;
    locals.path = path;
    locals.verb = verbOf(operation.verb, query);
    next();
  };
}

/** Returns the verb: a list with `watch` set is a watch (Events, 1). */
function verbOf(verb: Verb | 'discover', query: URLSearchParams): Verb | 'discover' {
  if ((verb !== 'list' && verb !== 'listAll') || !isSet(query.get('watch'))) return verb;
  return verb === 'list' ? 'watchList' : 'watchAll';
}

/** The operations of a server, which change while it runs. */
interface Served {
  resolve(method: string, pathname: string): Route | undefined;
  missing(pathname: string): Route;
}

/** Chooses the codec of the response. Throws 406 if the client accepts none. */
export function negotiate(negotiation: Negotiation): Middleware {
  return ({ headers: { accept } }, { locals }, next) => {
    const kind = kindOf(locals, accept);
    const choice = kind === 'any' ? negotiation.chooseLeniently(accept) : negotiation.choose(accept, kind);
    const { codec, stream, representation } = choice;
    const { pretty } = locals;
    locals.negotiated =
      representation === undefined ? { codec, stream, pretty } : { codec, stream, pretty, representation };
    next();
  };
}

/** The kind of the response; `any` if the codec is only for errors. */
function kindOf({ operation, verb }: Locals, accept: string | undefined): ResponseKind | 'any' {
  if (operation.responseTypes === 'any') return 'any';
  if (verb === 'discover') return answersKind(operation.path) ? 'object' : 'kindless';
  const isWatch = verbs[verb].answer === 'watch';
  if (isUntyped(operation, verb)) return isWatch ? 'untypedWatch' : 'untyped';
  if (isWatch) return 'watch';
  return asksForRepresentation(accept) ? kindOfResource(operation, verb) : 'object';
}

/**
 * Reads and decodes the body of an operation, if it has one. `usual` is the value of `fieldValidation` where a request
 * gives none. Throws like `readBody`.
 */
export function decodeRequest(codecs: Codecs, lacks: IsDisabled, usual: FieldValidation): Middleware {
  const understood = bodyReader(lacks);
  return (request, { locals }, next) => {
    const form = bodyForm(locals.operation);
    if (form === 'none') return next();
    if (form !== 'options') completeFieldValidation(locals.query, usual);
    if (locals.upgrade !== undefined) throw badRequest('this operation has a body and cannot be upgraded');
    return readBody(request, locals.operation, codecs, validatesFields(locals.query)).then((body) => {
      locals.body = understood(body);
      next();
    });
  };
}

/** Calls the handler of the verb and sends its answer, in the representation that the client asked for. */
export function handle(handlers: Readonly<Record<Verb | 'discover', Handler>>, lifetimes: Lifetimes): Middleware {
  return async ({ method = '' }, response) => {
    const { verb, negotiated, upgrade } = response.locals;
    // Asked before the handler acts: a request for a representation that does not exist changes nothing.
    const form = negotiated.representation?.formOf(response.locals);
    const answer = handlers[verb](new ServedRequest(response, lifetimes));
    const ready = answer instanceof Promise ? await answer : answer;
    if (!isRead(method)) await afterWatches();
    if ('relay' in ready) relay(ready, response);
    else await send(response, form === undefined ? ready : form(ready), negotiated, upgrade);
  };
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Waits until the storage has woken the watches of a change: a controller that reads its cache after a write finds what
 * it has written, as on servers that have a thread for watches.
 */
const afterWatches = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function relay({ relay }: Extract<Answer, { relay: unknown }>, response: ApiResponse): void {
  const { upgrade } = response.locals;
  if (upgrade === undefined) throw badRequest('Upgrade request required');
  response.detachSocket(response.socket as NonNullable<typeof response.socket>);
  relay(response.req, upgrade.socket, upgrade.head);
}

/** Returns a page for a person without credentials, if there is one for the path. */
export type StrangerPage = (
  request: Pick<ApiRequest, 'headers' | 'raw' | 'basePath'>,
  pathname: string,
) => Extract<Answer, { raw: unknown }> | undefined;

/** The error handler: every error becomes a Status in a codec that the client accepts, or the page for strangers. */
export function renderError(
  negotiation: Negotiation,
  lacks: IsDisabled,
  stranger?: StrangerPage,
): ErrorRequestHandler<unknown, unknown, unknown, unknown, Locals> {
  return (error, request, response, _next) => {
    const status = asStatusError(error);
    const shown = lacks('cause-names') ? withOldCauseNames(status) : status;
    response.locals.error = shown;
    const { headers, baseUrl: basePath } = request;
    const page =
      shown.code === 401 ? stranger?.({ headers, basePath, raw: request }, response.locals.pathname) : undefined;
    if (page !== undefined && !response.headersSent) return sendRaw(response, page);
    const { codec } = negotiation.chooseLeniently(request.headers.accept);
    sendError(response, shown, codec, response.locals.pretty);
  };
}

const trueValues = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const readers = ['curl', 'Wget', 'Mozilla/5.0'];

/** Returns the value in the query. The default is true for curl, wget and browsers, which people use. */
function isPretty(pretty: string | null, userAgent: string | undefined): boolean {
  if (pretty !== null && pretty !== '') return trueValues.has(pretty);
  return userAgent !== undefined && readers.some((reader) => userAgent.startsWith(reader));
}
