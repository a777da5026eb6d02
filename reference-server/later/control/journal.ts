// The journal of requests: the last ones, in a ring, and those who wait for one.
import { longestDelay } from '../../../matrix/api/longestDelay.js';
import type { ApiResponse } from '../../edge/locals.js';
import { mediaTypeOf } from '../../edge/negotiation.js';
import type { Observer } from '../../edge/observers.js';
import { number, requireFields, whole } from '../../fieldChecks.js';
import { OptionError } from '../../optionValues.js';
import { factsOf } from '../requests/facts.js';
import { requestMatcherOf, type Served } from './match.js';
import type { RecordedRequest, RecordMatch, RequestJournal, WaitOptions } from './surface.js';

/** How much the journal remembers. */
export interface JournalOptions {
  /** The number of requests; 10,000 by default. */
  readonly limit?: number;
  /** Whether it has the bodies of requests; false by default. */
  readonly bodies?: boolean;
}

interface Waiting {
  readonly see: (request: RecordedRequest) => void;
  readonly stop: (why: Error) => void;
}

const defaultTimeout = 10_000;

const recordChecks = { status: whole(100, 599) };
const waitChecks = { times: whole(1), timeout: number(0, longestDelay) };

/** Requests whose bodies are secrets. */
const secret = new Set(['secrets', 'tokenreviews']);

/** The last requests of some users. */
class Ring {
  readonly #requests: RecordedRequest[] = [];
  /** The place of the next request; the oldest is there once the ring is full. */
  #next = 0;

  constructor(readonly limit: number) {}

  add(request: RecordedRequest): void {
    this.#requests[this.#next] = request;
    this.#next = (this.#next + 1) % this.limit;
  }

  /** The oldest request is the first. */
  get all(): readonly RecordedRequest[] {
    return [...this.#requests.slice(this.#next), ...this.#requests.slice(0, this.#next)];
  }

  clear(): void {
    this.#requests.length = 0;
    this.#next = 0;
  }
}

export class RequestRecorder implements RequestJournal, Observer {
  readonly #served: Served;
  readonly #now: () => Date;
  readonly #bodies: boolean;
  readonly #ofClients: Ring;
  /** Those of nodes come without a client, and must not displace the others. */
  readonly #ofComponents: Ring;
  readonly #waiting = new Set<Waiting>();

  constructor(served: Served, now: () => Date, { limit = 10_000, bodies = false }: JournalOptions = {}) {
    this.#served = served;
    this.#now = now;
    this.#ofClients = new Ring(limit);
    this.#ofComponents = new Ring(limit);
    this.#bodies = bodies;
  }

  answered(response: ApiResponse, status: number | undefined, began: number): void {
    const milliseconds = performance.now() - began;
    const request = this.#recorded(response, status, milliseconds);
    this.#ringOf(request.user).add(request);
    for (const { see } of this.#waiting) see(request);
  }

  list(match: RecordMatch = {}): readonly RecordedRequest[] {
    const matches = this.#matcherOf('requests.list', match);
    return this.#ringOf(match.user).all.filter(matches).map(copyOf);
  }

  clear(): void {
    this.#ofClients.clear();
    this.#ofComponents.clear();
  }

  async waitFor(match: RecordMatch, options: WaitOptions = {}): Promise<RecordedRequest> {
    const what = 'requests.waitFor';
    const matches = this.#matcherOf(what, match);
    requireFields(what, options, waitChecks);
    const { times = 1, timeout = defaultTimeout } = options;
    const known = this.#ringOf(match.user).all.filter(matches);
    const last = known[times - 1];
    if (last !== undefined) return copyOf(last);
    let left = times - known.length;
    return new Promise<RecordedRequest>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        see: (request) => {
          if (!matches(request)) return;
          left -= 1;
          if (left > 0) return;
          end();
          resolve(copyOf(request));
        },
        stop: (why) => {
          end();
          reject(why);
        },
      };
      const late = () => waiting.stop(this.#missing(match, times, left, timeout));
      const timer = setTimeout(late, timeout);
      this.#waiting.add(waiting);
    });
  }

  /** Ends all waits, since no request will come. */
  close(): void {
    for (const { stop } of [...this.#waiting]) stop(new Error('the server was closed before such a request came'));
  }

  #ringOf(user = ''): Ring {
    return this.#served.components.has(user) ? this.#ofComponents : this.#ofClients;
  }

  #matcherOf(what: string, match: RecordMatch): (request: RecordedRequest) => boolean {
    const matches = requestMatcherOf(what, match, this.#served, recordChecks);
    return (request) => matches(request) && (match.status === undefined || match.status === request.status);
  }

  #missing(match: RecordMatch, times: number, left: number, timeout: number): Error {
    const seen = this.#ringOf(match.user).all;
    const newest = seen.slice(-5).map(({ verb, path, status }) => `${verb} ${path} (${status ?? 'no response'})`);
    const others = newest.length === 0 ? 'there was none' : `the last of ${seen.length} were ${newest.join(', ')}`;
    const meant = JSON.stringify(match);
    return new Error(`${times - left} of ${times} requests like ${meant} came within ${timeout} ms; ${others}`);
  }

  #recorded(response: ApiResponse, status: number | undefined, milliseconds: number): RecordedRequest {
    const { req, locals } = response;
    const { headers, originalUrl } = req;
    const query = originalUrl.split('?', 2)[1] ?? '';
    const contentType = mediaTypeOf(headers['content-type']);
    const facts = factsOf(req, locals);
    return {
      time: new Date(this.#now().getTime() - milliseconds),
      query,
      ...facts,
      ...(headers['user-agent'] !== undefined && { userAgent: headers['user-agent'] }),
      ...(contentType !== undefined && { contentType }),
      ...(status !== undefined && { status }),
      milliseconds,
      ...(this.#bodies && locals.body !== undefined && !isSecret(facts) && { body: locals.body.value }),
    };
  }
}

/** A copy for the author of a test: what the test does with it changes nothing in the journal. */
const copyOf = (request: RecordedRequest): RecordedRequest => ({
  ...request,
  time: new Date(request.time),
  ...(request.body !== undefined && { body: structuredClone(request.body) }),
});

const isSecret = ({ resource = '', subresource }: { readonly resource?: string; readonly subresource?: string }) =>
  secret.has(resource) || subresource === 'token';

const refuse = (): never => {
  throw new OptionError('requests: this server records no requests; start it without requests: false');
};

/** The journal of a server that records no requests. */
export const noJournal: RequestJournal = { list: refuse, clear: refuse, waitFor: async () => refuse() };
