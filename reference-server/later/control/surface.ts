// What tests do to a server while it runs: the types. They depend on no other package.
/// <reference lib="esnext.disposable" preserve="true" />
import type { ClockMove, MoveOptions } from '../../clock.js';

export type { ClockMove, MoveOptions };

/** Which requests are meant. An absent field matches all of them. */
export interface RequestMatch {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`. */
  readonly verb?: string;
  /** The HTTP method, such as `PUT`. */
  readonly method?: string;
  /** The plural, such as `pods`; also with its group, `deployments.apps`, or its subresource, `pods/status`. */
  readonly resource?: string;
  /** The group in the URL of the request; empty for the core group. */
  readonly group?: string;
  /** `status`, `scale` or another one. An empty text means requests without a subresource. */
  readonly subresource?: string;
  /** Empty for requests outside of namespaces. */
  readonly namespace?: string;
  /** The name in the URL, or that of the body for a create. */
  readonly name?: string;
  /** By default, the requests of simulated nodes, of their scheduler and of their service proxy are not meant. */
  readonly user?: string;
}

/** How requests fail. Give either `status` or `reset`. */
export interface Failure extends RequestMatch {
  /** The status code, from 400 to 599. */
  readonly status?: number;
  /** Cuts the connection: the client gets no response. */
  readonly reset?: true;
  /** The reason of the Status. By default, the reason that servers give with this code. */
  readonly reason?: string;
  readonly message?: string;
  /** The seconds of the header `Retry-After`; 1 by default for 429. */
  readonly retryAfter?: number;
  /**
   * Carries out the request first. Then its response is lost, and the client gets the failure. Only writes that were
   * stored fail and count: no reads, dry runs, refused requests, and updates without a change.
   */
  readonly afterWrite?: boolean;
  /** The number of requests that fail; all by default. */
  readonly times?: number;
}

/** How requests are delayed. */
export interface Delay extends RequestMatch {
  /** The delay in milliseconds of real time: the clock of the server does not change it. */
  readonly milliseconds: number;
  /** The number of requests that are delayed; all by default. */
  readonly times?: number;
}

/** A failure or a delay that is in effect. `using` removes it. */
export interface Rule {
  /** The number of requests that failed or were delayed by this rule. */
  readonly calls: number;
  remove(): void;
  [Symbol.dispose](): void;
}

/** Which watches end, and how. */
export interface WatchCut {
  readonly resource?: string;
  /** Watches of this namespace. A watch of all namespaces is not one of them. */
  readonly namespace?: string;
  /** As for other requests, the watches of simulated nodes are meant only by their user. */
  readonly user?: string;
  /** Cuts the connection. By default, the response ends as after its timeout. */
  readonly reset?: boolean;
}

/** The clock of the server: times in objects, the expiry of tokens, and the timers of controllers and watches. */
export interface TestClock {
  /** The time of the server. */
  now(): Date;
  /**
   * Moves the clock forward, in milliseconds. Timers that become due run in their order, each at its own time, up to
   * 10,000 of them and for up to ten seconds; later ones run at the end. Resolves when the controllers have acted, and
   * says whether a limit was met.
   */
  advance(milliseconds: number, options?: MoveOptions): Promise<ClockMove>;
  /**
   * Sets the clock, from 1970 to the year 9000. A later time runs timers as `advance` does; an earlier one changes no
   * timers. A text is in RFC 3339.
   */
  set(time: Date | string, options?: MoveOptions): Promise<ClockMove>;
  /** Returns to real time. */
  reset(): Promise<void>;
}

/** An object of the API. */
export interface TestObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at fields of any kind.
  readonly [field: string]: any;
}

/** A `URL` with the protocol `file:`. */
export interface FileUrl {
  readonly href: string;
  readonly protocol: string;
}

/** How objects are loaded. */
export interface LoadOptions {
  /** What happens to fields that a kind does not have: `Strict`, the default, refuses the object; `Ignore` drops them. */
  readonly fieldValidation?: 'Strict' | 'Ignore';
}

/** All objects at one moment, to restore on the same server. */
export interface Snapshot {
  readonly size: number;
}

/** A request that the server has answered, or whose connection has ended. */
export interface RecordedRequest {
  /** When the request arrived, by the clock of the server. */
  readonly time: Date;
  readonly method: string;
  readonly path: string;
  /** The query without the question mark. */
  readonly query: string;
  /** The verb as authorization sees it: for other paths than those of resources, the method in lower case. */
  readonly verb: string;
  /** Absent for other paths than those of resources, as the next four. */
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Absent if the request was not authenticated. */
  readonly user?: string;
  readonly userAgent?: string;
  /** The media type of the body: for a patch, its kind. */
  readonly contentType?: string;
  /** Absent if the connection ended without a response. */
  readonly status?: number;
  /** The time until the response began. */
  readonly milliseconds: number;
  /** The decoded body. Absent without the option `requests.bodies`, and for Secrets and tokens. */
  readonly body?: unknown;
}

/** Which recorded requests are meant. */
export interface RecordMatch extends RequestMatch {
  readonly status?: number;
}

/** What `waitFor` waits for, and how long. */
export interface WaitOptions {
  /** 1 by default. */
  readonly times?: number;
  /** In milliseconds of real time; 10,000 by default. */
  readonly timeout?: number;
}

/** The last requests, in the order of their responses. A watch is one as soon as its response begins. */
export interface RequestJournal {
  /** Returns copies of the recorded requests that match, the oldest first. */
  list(match?: RecordMatch): readonly RecordedRequest[];
  /** Forgets all recorded requests. */
  clear(): void;
  /**
   * Resolves with a request that matches: a recorded one, or the next one. `times` waits for that many, and resolves
   * with the last of them. Rejects after `timeout` milliseconds, by default 10,000.
   */
  waitFor(match: RecordMatch, options?: WaitOptions): Promise<RecordedRequest>;
}

/** What tests do to a server while it runs. Bad input throws an OptionError that says what to do. */
export interface TestControls {
  /** Makes requests fail. The first failure that matches a request decides. */
  fail(failure: Failure): Rule;
  /** Delays requests. All delays that match a request add up. */
  delay(delay: Delay): Rule;
  /** Ends open watches at once. Returns how many. */
  cutWatches(cut?: WatchCut): number;
  /** Forgets history: every resourceVersion and continue token up to now is expired (410). Open watches go on. */
  compact(): Promise<void>;
  readonly clock: TestClock;
  /**
   * Creates objects, or replaces those that exist, with their status and everything: an array, an object, a list, or
   * the path or the file: URL of a YAML or JSON file or of a folder of them. The order does not matter. Admission and
   * quotas do not apply; defaults and validation do, and unknown fields are refused. Either all objects are valid, or none is stored. An object that is replaced keeps
   * its uid, its creation time and its status unless others are given. Returns the objects as they are stored.
   */
  load(
    objects: string | FileUrl | TestObject | readonly TestObject[],
    options?: LoadOptions,
  ): Promise<readonly TestObject[]>;
  /** Remembers all objects. */
  snapshot(): Promise<Snapshot>;
  /**
   * Makes the objects equal to those of a snapshot. Watches get an event for each difference. Uids stay,
   * resourceVersions rise.
   */
  restore(snapshot: Snapshot): Promise<void>;
  /** Returns to the state after the start: objects, real time, no failures, no delays, no recorded requests. */
  reset(): Promise<void>;
  /** Resolves when the controllers of the server have nothing to do, or after a second. */
  settled(): Promise<void>;
  /** Returns an object, or undefined if there is none. The namespace is `default` if it is absent. */
  get(resource: string, name: string, namespace?: string): Promise<TestObject | undefined>;
  objects(resource: string, namespace?: string): Promise<readonly TestObject[]>;
  readonly requests: RequestJournal;
}
