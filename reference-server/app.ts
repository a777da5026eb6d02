// The API as an Express application: the whole pipeline on one screen.
import express, { type Express } from 'express';
import type { Verb } from '../matrix/api/index.js';
import { bearerOf } from './authentication/bearer.js';
import { createAuthenticators } from './authentication/index.js';
import { union } from './authentication/union.js';
import { accessIn, authorizer } from './authorization/authorizer.js';
import { startCluster } from './cluster.js';
import { createCodecs } from './codecs/index.js';
import type { CustomResources } from './customresources/customResources.js';
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
import { type AppOptions, type CompleteOptions, completeOptions } from './options.js';
import { Tables } from './representations/columns/index.js';
import type { Handler } from './request.js';
import { reportError } from './statusError.js';
import { type MadeResources, Surface } from './surface.js';
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
  const codecs = createCodecs(complete.vendor, lacks);
  const authorizerOfMode = authorizer(complete.authorizationMode);
  const disturbances = [
    ...(options.crashOn === undefined ? [] : [crash(options.crashOn)]),
    ...(options.latency === undefined ? [] : [latency(options.latency)]),
  ];
  const services = await startServices(complete);
  const surface = new Surface(complete, codecs, services.made);
  const negotiation = new Negotiation(codecs);
  const lifetimes = new Lifetimes();
  const tables = new Tables(services.made?.columnsOf);

  const app = express().disable('x-powered-by');
  app.use(count(lifetimes));
  for (const disturbance of disturbances) app.use(disturbance);
  app.use(readUrl(lacks));
  app.use(authenticate(services.userOf));
  app.use(authorize(authorizerOfMode, complete.modern ? accessIn(complete.authorizationMode) : undefined));
  app.use(resolve(surface));
  app.use(negotiate(negotiation, surface));
  app.use(decodeBody(codecs, lacks));
  app.use(handle({ ...services.handlers, discover: surface.handler }, lifetimes, tables));
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
  /** The resources that are made while the server runs; absent if there can be none. */
  readonly made?: MadeResources & Pick<CustomResources, 'columnsOf'>;
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
    const { customResources, served } = cluster;
    return {
      userOf,
      ...(customResources && {
        made: {
          columnsOf: customResources.columnsOf,
          schemaOf: customResources.schemaOf,
          onChange: (listener) => served.onChange(listener),
        },
      }),
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
