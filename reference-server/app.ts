// The API as an Express application: the whole pipeline on one screen.
import express, { type Express } from 'express';
import type { Verb } from '../matrix/api/index.js';
import type { Addon, ListeningAddress, ServedAddon } from './addons.js';
import { bearerOf } from './authentication/bearer.js';
import { createAuthenticators } from './authentication/index.js';
import { union } from './authentication/union.js';
import { type Authorizer, authorizer } from './authorization/authorizer.js';
import { type RunningCluster, startCluster } from './cluster.js';
import { createCodecs } from './codecs/index.js';
import { withHealth } from './discovery/health.js';
import { deprecationsOf } from './edge/deprecations.js';
import { crash, latency } from './edge/faultInjection.js';
import {
  authenticate,
  authorize,
  count,
  decodeRequest,
  handle,
  joined,
  negotiate,
  readUrl,
  renderError,
  resolve,
} from './edge/middleware.js';
import { Negotiation } from './edge/negotiation.js';
import { Observers } from './edge/observers.js';
import { oneByOne } from './edge/oneByOne.js';
import { Lifetimes } from './edge/servedRequest.js';
import { type UpgradeListener, upgradeThrough } from './edge/upgrade.js';
import { upToDate } from './edge/upToDate.js';
import { type AppOptions, type CompleteOptions, completeOptions } from './options.js';
import type { Handler, RepresentationOf } from './request.js';
import { usualFieldValidation } from './schema/fieldValidation.js';
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
  /** PEM: the authorities of client certificates, those of the options and of the server itself, if there are any. */
  readonly clientAuthorities?: string;
  /** PEM: the authorities of the certificates of front proxies, if there are any. */
  readonly proxyAuthorities?: string;
  /**
   * The listener for exec, attach, port-forward, proxies and watches over WebSocket: `server.on('upgrade',
   * api.upgrade)`.
   */
  readonly upgrade: UpgradeListener;
  /** Tells the addons where the application listens. */
  listening(at: ListeningAddress): Promise<void>;
  /** Ends watches and streams, then the controllers and the storage. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the API: that of the interface, and what the addons register. Throws OptionError for an invalid option; its
 * message is one line that says what to do.
 */
export async function createApp(options: AppOptions = {}, addons: readonly Addon[] = []): Promise<Api> {
  const complete = await completeOptions(options, addons);
  const { lacks, tokens, authorizationMode, componentTokens = [] } = complete;
  const present = addons.filter(({ feature }) => feature === undefined || !lacks(feature));
  const fromStart = [
    ...(options.crashOn === undefined ? [] : [crash(options.crashOn)]),
    ...(options.latency === undefined ? [] : [latency(options.latency)]),
  ];
  const ofMode = authorizer(
    authorizationMode,
    componentTokens.map(({ user }) => user.name),
  );
  const impersonation = present.find((addon) => addon.impersonate !== undefined);
  const codecs = createCodecs(
    complete.vendor,
    lacks,
    present.flatMap(({ patchType }) => patchType ?? []),
  );
  const observers = new Observers();
  const lifetimes = new Lifetimes();
  const calls = new AbortController();
  const served: ServedAddon[] = [];
  const { cluster, handlersOf, stop } = await startBackend(complete, present, observers, ofMode);
  const deciding = cluster?.authorizer ?? ofMode;
  const close = async () => {
    await lifetimes.stop();
    await codecs.close();
    calls.abort();
    await stop();
    for (const addon of served) await addon.close?.();
  };
  try {
    const authorities = authoritiesIn(complete, cluster?.clientAuthorities);
    const userOf = union(
      await createAuthenticators(
        { ...complete, ...authorities },
        {
          stopping: calls.signal,
          ...(cluster && { tokenHolders: tokenHoldersOf(cluster) }),
        },
      ),
      options.onRejection,
    );
    const surface = new Surface(complete, cluster?.served);
    const shared = cluster?.isShared === true ? cluster : undefined;
    const handlers: Record<Verb | 'discover', Handler> = {
      ...handlersOf(userOf),
      discover: withHealth(async () => shared?.storage.probe(), surface.handler),
    };
    const parts = { options: complete, codecs, ...(cluster && { cluster }), surface, handlers, observers, lifetimes };
    for (const addon of present) served.push((await addon.serve?.(parts)) ?? {});
    const { stranger } = served.find((addon) => addon.stranger !== undefined) ?? {};
    const negotiation = new Negotiation(codecs, representationsOf(served));

    const app = express().disable('x-powered-by');
    const { headersOf } = served.find((addon) => addon.headersOf !== undefined) ?? {};
    const inOrder = [
      oneByOne,
      count(lifetimes, observers),
      ...fromStart,
      readUrl(lacks),
      ...(shared === undefined ? [] : [upToDate(shared, surface)]),
      authenticate(userOf),
      authorize(deciding, impersonation?.impersonate?.(deciding.decide), headersOf),
      resolve(surface, deprecationsOf(complete.kubeVersion)),
      negotiate(negotiation),
      decodeRequest(codecs, lacks, lacks('field-validation') ? 'Ignore' : usualFieldValidation(complete.kubeVersion)),
      handle(handlers, lifetimes),
    ];
    app.use(joined(inOrder));
    app.use(renderError(negotiation, lacks, stranger));

    const [first] = tokens;
    return Object.assign(app, {
      ...(first !== undefined && { token: first.token }),
      ...(authorities.clientAuthorities !== '' && { clientAuthorities: authorities.clientAuthorities }),
      ...(complete.proxyAuthorities !== undefined && { proxyAuthorities: complete.proxyAuthorities }),
      upgrade: upgradeThrough(app),
      async listening(at: ListeningAddress) {
        for (const addon of served) await addon.listening?.(at);
      },
      close,
      [Symbol.asyncDispose]: close,
    });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the representations of all addons. */
function representationsOf(served: readonly ServedAddon[]): RepresentationOf {
  const all = served.flatMap(({ representationOf }) => representationOf ?? []);
  return (...asked) => {
    for (const representationOf of all) {
      const found = representationOf(...asked);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Returns the options of client certificates with the authorities that the server has itself. */
function authoritiesIn(
  { clientCertificates = false, clientAuthorities }: CompleteOptions,
  issued: readonly string[] = [],
): { readonly clientCertificates: boolean; readonly clientAuthorities: string } {
  const all = [...(clientAuthorities === undefined ? [] : [clientAuthorities]), ...issued].join('\n');
  return {
    clientCertificates: clientCertificates === 'issued' ? all !== '' : clientCertificates,
    clientAuthorities: all,
  };
}

/** What is behind the middleware: a cluster and its handlers, or the handlers of the options. */
interface Backend {
  readonly cluster?: RunningCluster;
  handlersOf(userOf: ReturnType<typeof union>): Readonly<Record<Verb, Handler>>;
  stop(): Promise<void>;
}

async function startBackend(
  options: CompleteOptions,
  registered: readonly Addon[],
  { sent: onEvents }: Observers,
  ofMode: Authorizer,
): Promise<Backend> {
  const { handlers, connections, watchCache: isCached = true } = options;
  const minor = options.lacks('initial-events') ? 0 : Number(options.kubeVersion.split('.')[1]);
  if (handlers !== undefined) return { handlersOf: () => handlers, stop: async () => {} };
  const cluster = await startCluster(options, registered, reportError);
  return {
    cluster,
    handlersOf(userOf) {
      const bearer = bearerOf(userOf);
      const parts = {
        ...{ authorizer: ofMode, ...cluster, connections, bearerOf: bearer },
        ...{ bookmarks: isCached, onEvents, registered, minor },
      };
      return isCached ? createHandlers(parts) : uncached(createHandlers(parts));
    },
    stop: cluster.stop,
  };
}

/** What proves the tokens of service accounts. */
function tokenHoldersOf({ tokens, boundTokens, registry }: RunningCluster) {
  return {
    issuer: tokens.issuer,
    boundTokens,
    pods: registry.of('core/pods'),
    secrets: registry.of('core/secrets'),
    nodes: registry.of('core/nodes'),
    accounts: registry.of('core/serviceaccounts'),
  };
}
