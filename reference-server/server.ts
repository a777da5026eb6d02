// The reference server: every request takes the one way through `serve`, on one screen.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  apiVersionOf,
  type GroupVersion,
  operations,
  type Resource,
  resources,
  type Verb,
  verbs,
} from '../matrix/api/index.js';
import { bearerOf } from './authentication/bearer.js';
import { refusedImpersonation } from './authentication/impersonation.js';
import { createAuthenticators } from './authentication/index.js';
import { union } from './authentication/union.js';
import { type Authorize, authorizer } from './authorization/authorizer.js';
import { startCluster } from './cluster.js';
import { type Codecs, createCodecs } from './codecs/index.js';
import { createDiscovery, type Discovery } from './discovery.js';
import { bodyForm, readBody } from './edge/body.js';
import { listen, type Upgrade } from './edge/listen.js';
import { type Form, Negotiation } from './edge/negotiation.js';
import { isPretty, isSet } from './edge/query.js';
import { send, sendError } from './edge/response.js';
import { Lifetimes, ServedRequest } from './edge/servedRequest.js';
import { surrounded } from './edge/surroundings.js';
import { asStatusError, badRequest } from './errors.js';
import { withOldCauseNames } from './features/causeNames.js';
import { isLeftOut, type Lacks } from './features/features.js';
import { bodyReader, queryReader } from './features/requests.js';
import { type CompleteOptions, completeOptions, type ServerOptions } from './options.js';
import type { Answer, Handler, Negotiated } from './request.js';
import { Resolver, type Route, splitTarget } from './resolver/resolver.js';
import { createHandlers } from './verbs/index.js';

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** PEM: what clients should trust. */
  readonly caCertificate: string;
  /** A token to use it with: the one that was made where none was given, else the first of the list. */
  readonly token?: string;
  /** Stops within a second. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Parts {
  readonly authorize: Authorize;
  readonly lacks: Lacks;
  readonly authenticate: ReturnType<typeof union>;
  readonly resolver: Resolver;
  readonly discovery: Discovery;
  readonly handlers: Readonly<Record<Verb | 'discover', Handler>>;
  readonly lifetimes: Lifetimes;
  readonly codecs: Codecs;
}

/** tls, authenticate, authorize, resolve, negotiate, read and decode, handle, encode: no request goes another way. */
function pipeline({ authenticate, authorize, resolver, discovery, handlers, lifetimes, codecs, lacks }: Parts) {
  const queryOf = queryReader(lacks);
  const understood = bodyReader(lacks);
  const negotiation = new Negotiation(codecs);
  const lenient = (accept: string | undefined, pretty: boolean): Negotiated => ({
    ...negotiation.chooseLeniently(accept),
    pretty,
  });
  return async (request: IncomingMessage, response: ServerResponse, upgrade?: Upgrade): Promise<void> => {
    const { pathname, search } = splitTarget(request.url ?? '/');
    const query = queryOf(search);
    const pretty = isPretty(query.get('pretty'), request.headers['user-agent']);
    const { accept } = request.headers;
    try {
      const found = authenticate(request);
      const user = found instanceof Promise ? await found : found;
      const refusal =
        refusedImpersonation(request.headers) ??
        authorize(user, request.method ?? '', pathname, isSet(query.get('watch')));
      if (refusal !== undefined) throw refusal;
      const method = request.method === 'HEAD' && discovery.answersHead(pathname) ? 'GET' : (request.method ?? '');
      const route = resolver.resolve(method, pathname);
      if (route === undefined) return await send(response, plain(discovery.missing(pathname)), lenient(accept, pretty));
      const handler = handlers[verbOf(route, query)];
      const form = formOf(route, query, discovery);
      const negotiated = form === 'any' ? lenient(accept, pretty) : { ...negotiation.choose(accept, form), pretty };
      const body = understood(await bodyOf(request, route, upgrade, codecs));
      const answer = handler(new ServedRequest({ ...route, query, user, negotiated, body }, response, lifetimes));
      const ready = answer instanceof Promise ? await answer : answer;
      if ('relay' in ready) relay(ready, request, response, upgrade);
      else await send(response, ready, negotiated, upgrade);
    } catch (error) {
      const status = asStatusError(error);
      const told = lacks('cause-names') ? withOldCauseNames(status) : status;
      sendError(response, told, lenient(accept, pretty).codec, pretty);
    }
  };
}

/** A list with `watch` set is a watch (Events, 1). */
function verbOf({ operation: { verb } }: Route, query: URLSearchParams): Verb | 'discover' {
  if ((verb !== 'list' && verb !== 'listAll') || !isSet(query.get('watch'))) return verb;
  return verb === 'list' ? 'watchList' : 'watchAll';
}

/** What an answer is: `any` where it is not for codecs, and only an error is. */
function formOf(route: Route, query: URLSearchParams, discovery: Discovery): Form | 'any' {
  if (route.operation.responseTypes === 'any') return 'any';
  const verb = verbOf(route, query);
  if (verb === 'discover') return discovery.answersKind(route.operation.path) ? 'object' : 'kindless';
  return verbs[verb].answer === 'watch' ? 'watch' : 'object';
}

function bodyOf(request: IncomingMessage, { operation }: Route, upgrade: Upgrade | undefined, codecs: Codecs) {
  if (bodyForm(operation) === 'none') return undefined;
  if (upgrade !== undefined) throw badRequest('this operation has a body and cannot be upgraded');
  return readBody(request, operation, codecs);
}

/** An answer that is no relay: the pages of discovery never are. */
function plain(answer: Answer): Exclude<Answer, { relay: unknown }> {
  if ('relay' in answer) throw badRequest('Upgrade request required');
  return answer;
}

function relay(
  answer: Extract<Answer, { relay: unknown }>,
  request: IncomingMessage,
  response: ServerResponse,
  upgrade: Upgrade | undefined,
): void {
  if (upgrade === undefined) throw badRequest('Upgrade request required');
  response.detachSocket(response.socket as NonNullable<typeof response.socket>);
  answer.relay(request, upgrade.socket, upgrade.head);
}

/** Starts a server. Throws OptionError for options that cannot be used, with one line that says what to do. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const complete = await completeOptions(options);
  const { bindAddress, tls, tokens } = complete;
  const [first] = tokens;
  const host = hostOf(bindAddress);
  let port = 0;
  const isServed = served(complete);
  const table = resources.filter((resource) => isServed({ groupVersion: resource.groupVersion, resource }));
  const discovery = createDiscovery(table, () => `${host}:${port}`, complete.kubeVersion);
  const lifetimes = new Lifetimes();
  const authorize = authorizer(complete.authorizationMode);
  const backend = await startBackend(complete);
  const codecs = createCodecs(complete.vendor, complete.lacks);
  const serve = pipeline({
    authenticate: backend.authenticate,
    authorize,
    lacks: complete.lacks,
    resolver: new Resolver([...operations.filter(isServed), ...discovery.operations]),
    discovery,
    handlers: { ...backend.handlers, discover: discovery.handler },
    lifetimes,
    codecs,
  });
  const listener = await listen(complete, surrounded(serve, complete.surroundings)).catch(async (error) => {
    await backend.stop();
    throw error;
  });
  port = listener.port;
  const close = async () => {
    lifetimes.stop();
    await listener.close();
    await codecs.close();
    await backend.stop();
  };
  return {
    url: `https://${host}:${port}${complete.surroundings.basePath}`,
    port,
    caCertificate: tls.ca,
    ...(first === undefined ? {} : { token: first.token }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What stands behind the pipeline. */
interface Backend {
  readonly authenticate: Parts['authenticate'];
  readonly handlers: Readonly<Record<Verb, Handler>>;
  stop(): Promise<void>;
}

async function startBackend(options: CompleteOptions): Promise<Backend> {
  const { handlers, onRejection } = options;
  const calls = new AbortController();
  const stopping = calls.signal;
  if (handlers !== undefined) {
    const authenticate = union(await createAuthenticators(options, { stopping }), onRejection);
    return { authenticate, handlers, stop: async () => calls.abort() };
  }
  const cluster = await startCluster(options);
  const { registry } = cluster;
  const stop = async () => {
    calls.abort();
    await cluster.stop();
  };
  try {
    const authenticate = union(await createAuthenticators(options, { registry, stopping }), onRejection);
    const { connections } = options;
    const handlers = createHandlers({ registry, connections, bearerOf: bearerOf(authenticate) });
    return { authenticate, handlers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What is served, or not: an operation, or a resource. */
interface Servable {
  readonly groupVersion: GroupVersion;
  readonly resource?: Resource;
  readonly verb?: Verb | 'discover';
}

/** Whether something is served: always, or where the options ask for it; never what the server lacks. */
function served({ isEnabled, lacks }: CompleteOptions): (of: Servable) => boolean {
  return (of) => {
    const { groupVersion, verb } = of;
    if (groupVersion.onRequest === true && !isEnabled(apiVersionOf(groupVersion))) return false;
    const isLegacy = verb === 'legacyProxy' || verb === 'legacyProxyPath';
    return !isLeftOut(of, lacks) && !(isLegacy && lacks('legacy-proxy'));
  };
}

/** The host of a URL that reaches a bound address from this machine. */
function hostOf(bindAddress: string): string {
  if (bindAddress === '0.0.0.0') return '127.0.0.1';
  if (bindAddress === '::') return '[::1]';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}
