// The API as an Express application: the whole pipeline on one screen.
import express, { type Express } from 'express';
import { apiVersionOf, type GroupVersion, type Operation, type Resource, type Verb } from '../matrix/api/index.js';
import { serverOperations, serverResources } from '../matrix/api/modern/resources.js';
import { bearerOf } from './authentication/bearer.js';
import { createAuthenticators } from './authentication/index.js';
import { union } from './authentication/union.js';
import { accessIn, authorizer } from './authorization/authorizer.js';
import { startCluster } from './cluster.js';
import { createCodecs } from './codecs/index.js';
import { createDiscovery } from './discovery/discovery.js';
import { crash } from './edge/crash.js';
import { latency } from './edge/latency.js';
import {
  authenticate,
  authorize,
  count,
  decodeBody,
  handle,
  negotiate,
  readUrl,
  renderError,
  resolve,
} from './edge/middleware.js';
import { Negotiation } from './edge/negotiation.js';
import { Lifetimes } from './edge/servedRequest.js';
import { type UpgradeListener, upgradeThrough } from './edge/upgrade.js';
import { isExcluded } from './features/features.js';
import { createOpenApi } from './openapi/routes.js';
import { documentSource } from './openapi/source.js';
import { type AppOptions, type CompleteOptions, completeOptions } from './options.js';
import { Tables } from './representations/columns/index.js';
import type { Handler } from './request.js';
import { Resolver } from './resolver/resolver.js';
import { reportError } from './statusError.js';
import { createHandlers } from './verbs/index.js';

/**
 * An Express application that is an API server. It responds to every request that reaches it, even if only with a 404.
 */
export interface Api extends Express {
  /** A token for clients: the generated one if no tokens are given, otherwise the first of the given tokens. */
  readonly token?: string;
  /**
   * The listener for exec, attach, port-forward, proxies and watches over WebSocket: `server.on('upgrade',
   * api.upgrade)`.
   */
  readonly upgrade: UpgradeListener;
  /** Ends watches and streams, then the controllers and the storage. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the API. Throws OptionError for an invalid option; its message is one line that says what to do. */
export async function createApp(options: AppOptions = {}): Promise<Api> {
  const complete = await completeOptions(options);
  const { lacks, tokens } = complete;
  const { resources, operations } = surfaceOf(complete);
  const codecs = createCodecs(complete.vendor, lacks, complete.modern);
  const source = documentSource({ ...complete, operations, codecs });
  const openApi = createOpenApi(() => source, lacks);
  const discovery = createDiscovery(resources, complete.kubeVersion, openApi.pages);
  const resolver = new Resolver([...operations, ...discovery.operations, ...openApi.operations]);
  const authorizerOfMode = authorizer(complete.authorizationMode);
  const disturbances = [
    ...(options.crashOn === undefined ? [] : [crash(options.crashOn)]),
    ...(options.latency === undefined ? [] : [latency(options.latency)]),
  ];
  const services = await startServices(complete);
  const negotiation = new Negotiation(codecs);
  const lifetimes = new Lifetimes();
  const tables = new Tables();

  const app = express().disable('x-powered-by');
  app.use(count(lifetimes));
  for (const disturbance of disturbances) app.use(disturbance);
  app.use(readUrl(lacks));
  app.use(authenticate(services.userOf));
  app.use(authorize(authorizerOfMode, complete.modern ? accessIn(complete.authorizationMode) : undefined));
  app.use(resolve(resolver, discovery));
  app.use(negotiate(negotiation, discovery));
  app.use(decodeBody(codecs, lacks));
  app.use(handle({ ...services.handlers, discover: openApi.orElse(discovery.handler) }, lifetimes, tables));
  app.use(renderError(negotiation, lacks));

  const close = async () => {
    await lifetimes.stop();
    await codecs.close();
    await services.stop();
  };
  const [first] = tokens;
  return Object.assign(app, {
    ...(first !== undefined && { token: first.token }),
    upgrade: upgradeThrough(app),
    close,
    [Symbol.asyncDispose]: close,
  });
}

/** The authenticators and handlers that the middleware calls. */
interface Services {
  readonly userOf: ReturnType<typeof union>;
  readonly handlers: Readonly<Record<Verb, Handler>>;
  stop(): Promise<void>;
}

async function startServices(options: CompleteOptions): Promise<Services> {
  const { handlers, onRejection } = options;
  const calls = new AbortController();
  const stopping = calls.signal;
  if (handlers !== undefined) {
    const userOf = union(await createAuthenticators(options, { stopping }), onRejection);
    return { userOf, handlers, stop: async () => calls.abort() };
  }
  const cluster = await startCluster(options, reportError);
  const tokenHolders = {
    issuer: cluster.tokens.issuer,
    boundTokens: cluster.boundTokens,
    pods: cluster.registry.of('core/pods'),
    secrets: cluster.registry.of('core/secrets'),
    accounts: cluster.registry.of('core/serviceaccounts'),
  };
  const stop = async () => {
    calls.abort();
    await cluster.stop();
  };
  try {
    const userOf = union(await createAuthenticators(options, { tokenHolders, stopping }), onRejection);
    const { connections } = options;
    return {
      userOf,
      handlers: createHandlers({
        ...cluster,
        connections,
        bearerOf: bearerOf(userOf),
        allows: accessIn(options.authorizationMode),
      }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the resources and the operations that a server with these options has. */
export function surfaceOf(options: CompleteOptions): {
  readonly resources: readonly Resource[];
  readonly operations: readonly Operation[];
} {
  const isServed = servedBy(options);
  const resources = serverResources.filter((resource) => isServed({ groupVersion: resource.groupVersion, resource }));
  const groupVersions = new Set(resources.map(({ groupVersion }) => groupVersion));
  const operations = serverOperations.filter((one) => isServed(one) && groupVersions.has(one.groupVersion));
  return { resources: options.modern ? resources.map(withLaterVerbs) : resources, operations };
}

/** Returns a resource of the interface with the verbs that came later. */
function withLaterVerbs(resource: Resource): Resource {
  return resource.later.length === 0 ? resource : { ...resource, unstated: [...resource.unstated, ...resource.later] };
}

/** An operation or a resource that may be served. */
interface Servable {
  readonly groupVersion: GroupVersion;
  readonly resource?: Resource;
  readonly verb?: Verb | 'discover';
}

/**
 * Reports whether an item is served: it must not depend on a missing feature, and some group versions must be enabled.
 */
function servedBy({ isEnabled, lacks, modern }: CompleteOptions): (of: Servable) => boolean {
  return (of) => {
    const { groupVersion, resource, verb } = of;
    const isLater = verb !== undefined && verb !== 'discover' && resource?.later.includes(verb) === true;
    if ((resource?.modern === true || isLater) && !modern) return false;
    if (groupVersion.onRequest === true && !isEnabled(apiVersionOf(groupVersion))) return false;
    const isLegacy = verb === 'legacyProxy' || verb === 'legacyProxyPath';
    return !isExcluded(of, lacks) && !(isLegacy && lacks('legacy-proxy'));
  };
}
