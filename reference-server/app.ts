// The API as an Express application: the whole pipeline on one screen.
import express, { type Express } from 'express';
import type { Verb } from '../matrix/api/index.js';
import { bearerOf } from './authentication/bearer.js';
import { createAuthenticators } from './authentication/index.js';
import { union } from './authentication/union.js';
import { accessIn, authorizer } from './authorization/authorizer.js';
import { type RunningCluster, startCluster } from './cluster.js';
import { createCodecs } from './codecs/index.js';
import { readiness } from './discovery/readiness.js';
import { crash } from './edge/crash.js';
import { latency } from './edge/latency.js';
import type { ApiResponse } from './edge/locals.js';
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
import { Observers } from './edge/observers.js';
import { Lifetimes } from './edge/servedRequest.js';
import { type UpgradeListener, upgradeThrough } from './edge/upgrade.js';
import { upToDate } from './edge/upToDate.js';
import { Audit } from './later/audit/audit.js';
import { openLog } from './later/audit/log.js';
import { metadataOfAll, readPolicy } from './later/audit/policy.js';
import { type Controls, createControls } from './later/control/controls.js';
import { Disturbances } from './later/control/disturbances.js';
import { Journal } from './later/control/journal.js';
import { Metrics } from './later/metrics/index.js';
import { Tables } from './later/representations/columns/index.js';
import { welcome, welcomeStranger } from './later/welcome.js';
import { type AppOptions, type CompleteOptions, completeOptions } from './options.js';
import type { Handler } from './request.js';
import { reportError } from './statusError.js';
import { Surface } from './surface.js';
import { createHandlers } from './verbs/index.js';
import { uncached } from './verbs/uncached.js';

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
  /** What tests do to the server. Absent if the option `handlers` replaces the server's own. */
  readonly controls?: Controls;
  /** Ends watches and streams, then the controllers and the storage. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the API. Throws OptionError for an invalid option; its message is one line that says what to do. */
export async function createApp(options: AppOptions = {}): Promise<Api> {
  const complete = await completeOptions(options);
  const { lacks, tokens } = complete;
  const codecs = createCodecs(complete.vendor, lacks, complete.modern);
  const authorizerOfMode = authorizer(complete.authorizationMode);
  const fromStart = [
    ...(options.crashOn === undefined ? [] : [crash(options.crashOn)]),
    ...(options.latency === undefined ? [] : [latency(options.latency)]),
  ];
  const waiting = () => lifetimes.waiting as Iterable<ApiResponse>;
  const metrics =
    complete.modern && options.handlers === undefined
      ? new Metrics(waiting, (operation) => surface.has(operation))
      : undefined;
  const lifetimes = new Lifetimes(metrics && ((response) => metrics.requests.end(response as ApiResponse)));
  const policy = options.auditPolicyFile === undefined ? metadataOfAll : await readPolicy(options.auditPolicyFile);
  const log = openLog(options);
  const services = await startServices(complete, metrics?.sent).catch(async (error) => {
    await log?.close();
    throw error;
  });
  const { cluster } = services;
  const surface = new Surface(complete, codecs, cluster, metrics?.operations);
  const negotiation = new Negotiation(codecs);
  const tables = new Tables(cluster?.now, cluster?.customResources?.columnsOf);
  const shared = cluster?.isShared === true ? cluster : undefined;
  const pages = shared === undefined ? surface.handler : readiness(shared.storage, surface.handler);
  const discover = metrics && cluster ? metrics.orElse(surface, cluster.storage, welcome(surface, pages)) : pages;
  const handlers = { ...services.handlers, discover };
  const observers = new Observers();
  const journal = journalOf(complete, surface, cluster);
  const audit = log && new Audit(log, policy, cluster?.now ?? (() => new Date()));
  if (journal !== undefined) observers.add(journal);
  audit?.remember(handlers);
  if (audit !== undefined) observers.add(audit);

  const app = express().disable('x-powered-by');
  app.use(count(lifetimes, observers, metrics?.requests));
  for (const middleware of fromStart) app.use(middleware);
  app.use(readUrl(lacks));
  if (shared !== undefined) app.use(upToDate(shared, surface));
  app.use(authenticate(services.userOf));
  app.use(authorize(authorizerOfMode, complete.modern ? accessIn(complete.authorizationMode) : undefined));
  app.use(resolve(surface));
  app.use(negotiate(negotiation, surface));
  app.use(decodeBody(codecs, lacks));
  app.use(handle(handlers, lifetimes, tables));
  app.use(renderError(negotiation, lacks, metrics && welcomeStranger));

  const disturbances = new Disturbances(handlers);
  const controls = cluster && createControls({ cluster, served: surface, disturbances, lifetimes, journal });

  const close = async () => {
    journal?.close();
    await lifetimes.stop();
    await codecs.close();
    await services.stop();
    await audit?.close();
  };
  const [first] = tokens;
  return Object.assign(app, {
    ...(first !== undefined && { token: first.token }),
    ...(controls !== undefined && { controls }),
    upgrade: upgradeThrough(app),
    close,
    [Symbol.asyncDispose]: close,
  });
}

/** Returns the journal of requests, if the server records them. Throws an OptionError for an invalid option. */
function journalOf(
  { requests = false }: CompleteOptions,
  served: Pick<Surface, 'resources'>,
  cluster: RunningCluster | undefined,
): Journal | undefined {
  if (requests === false || cluster === undefined) return undefined;
  return new Journal(served, cluster.now, requests === true ? {} : requests);
}

/** The authenticators and handlers that the middleware calls. */
interface Services {
  readonly userOf: ReturnType<typeof union>;
  readonly handlers: Readonly<Record<Verb, Handler>>;
  readonly cluster?: RunningCluster;
  stop(): Promise<void>;
}

async function startServices(options: CompleteOptions, onEvents?: Metrics['sent']): Promise<Services> {
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
    const { connections, watchCache: isCached = true } = options;
    const own = createHandlers({
      ...cluster,
      connections,
      bearerOf: bearerOf(userOf),
      allows: accessIn(options.authorizationMode),
      bookmarks: isCached,
      onEvents,
    });
    return { userOf, cluster, handlers: isCached ? own : uncached(own), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
