// The seam of the core: what a part beside it can register. Each interface is declared by the layer that uses it.
import type { Verb } from '../matrix/api/index.js';
import type { Decide } from './authorization/authorizer.js';
import type { Impersonate } from './authorization/impersonation.js';
import type { Cluster, ClusterAddon } from './cluster.js';
import type { Codecs } from './codecs/index.js';
import type { HeadersOf, StrangerPage } from './edge/middleware.js';
import type { Observers } from './edge/observers.js';
import type { Lifetimes } from './edge/servedRequest.js';
import type { Feature } from './features/features.js';
import type { CompleteOptions, SurfaceAddon } from './options.js';
import type { Handler, RepresentationOf } from './request.js';
import type { Surface } from './surface.js';
import type { RegisteredHandlers } from './verbs/index.js';

/**
 * A part that registers itself: groups and kinds, their handlers, controllers and admission plug-ins, patch types,
 * representations, pages, observers of requests. Without any, the server is that of the interface.
 */
export interface Addon extends SurfaceAddon, ClusterAddon, RegisteredHandlers {
  /** The kinds of its groups, or those that it makes while the server runs. */
  readonly kinds?: NonNullable<ClusterAddon['kinds']>;
  readonly verbs?: NonNullable<RegisteredHandlers['verbs']>;
  /** The addon is left out if the server lacks this feature. */
  readonly feature?: Feature;
  /** Makes the function that returns whom a request is for. */
  impersonate?(decide: Decide): Impersonate;
  /** Makes parts before the handlers. Throws an OptionError for its own options. */
  serve?(server: ServerParts): ServedAddon | Promise<ServedAddon>;
}

/** The parts of a server that takes no requests yet. */
export interface ServerParts {
  readonly options: CompleteOptions;
  readonly codecs: Codecs;
  /** Absent if the option `handlers` replaces the server's own. */
  readonly cluster?: Cluster;
  /** An addon can add pages. */
  readonly surface: Surface;
  /** The handlers that the middleware calls. An addon can replace them. */
  readonly handlers: Record<Verb | 'discover', Handler>;
  readonly observers: Observers;
  readonly lifetimes: Lifetimes;
}

/** Where a server listens. */
export interface ListeningAddress {
  readonly host: string;
  readonly port: number;
  /** PEM: the certificate authorities of client certificates, if it has any. */
  readonly clientCa?: string;
}

/** What an addon has made for a server. */
export interface ServedAddon {
  readonly representationOf?: RepresentationOf;
  readonly stranger?: StrangerPage;
  readonly headersOf?: HeadersOf;
  /** Called when the server takes requests at an address, before it says that it is ready. */
  listening?(at: ListeningAddress): Promise<void>;
  /** Called when all requests have ended. */
  close?(): void | Promise<void>;
}
