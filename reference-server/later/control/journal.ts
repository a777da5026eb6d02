// The journal of requests: the last ones, in a ring, and those who wait for one.
import type { ApiResponse } from '../../edge/locals.js';
import { mediaTypeOf } from '../../edge/negotiation.js';
import type { Observer } from '../../edge/observers.js';
import { OptionError } from '../../optionValues.js';
import { factsOf } from '../requests/facts.js';
import { type MatchedServer, requestMatcherOf } from './match.js';
import type { RecordedRequest, RecordMatch, RequestJournal } from './surface.js';

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
  readonly #server: MatchedServer;
  readonly #now: () => Date;
  readonly #bodies: boolean;
  readonly #ofClients: Ring;
  /** Those of nodes come without a client, and must not displace the others. */
  readonly #ofComponents: Ring;
  readonly #waiting = new Set<Waiting>();

  /** Throws an OptionError for an invalid limit. */
  constructor(server: MatchedServer, now: () => Date, { limit = 10_000, bodies = false }: JournalOptions = {}) {
    if (!Number.isInteger(limit) || limit < 1) throw new OptionError('requests: limit: give a whole number from 1');
    this.#server = server;
    this.#now = now;
    this.#ofClients = new Ring(limit);
    this.#ofComponents = new Ring(limit);
    this.#bodies = bodies;
  }

  answered(response: ApiResponse, status: number | undefined, began: number): void {
    const milliseconds = performance.now() - began;
    const request = this.#record(response, status, milliseconds);
    this.#ringOf(request.user).add(request);
    for (const { see } of this.#waiting) see(request);
  }

  list(match: RecordMatch = {}): readonly RecordedRequest[] {
    return this.#ringOf(match.user).all.filter(this.#matcherOf('requests.list', match));
  }

  clear(): void {
    this.#ofClients.clear();
    this.#ofComponents.clear();
  }

  async waitFor(
    match: RecordMatch,
    { times = 1, timeout = defaultTimeout }: { readonly times?: number; readonly timeout?: number } = {},
  ): Promise<RecordedRequest> {
    const what = 'requests.waitFor';
    const matches = this.#matcherOf(what, match);
    if (!Number.isInteger(times) || times < 1) throw new OptionError(`${what}: times: give a whole number from 1`);
    const known = this.#ringOf(match.user).all.filter(matches);
    const last = known[times - 1];
    if (last !== undefined) return last;
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
          resolve(request);
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
    return this.#server.components.has(user) ? this.#ofComponents : this.#ofClients;
  }

  #matcherOf(what: string, match: RecordMatch): (request: RecordedRequest) => boolean {
    const matches = requestMatcherOf(what, match, this.#server, ['status']);
    return (request) => matches(request) && (match.status === undefined || match.status === request.status);
  }

  #missing(match: RecordMatch, times: number, left: number, timeout: number): Error {
    const seen = this.list();
    const newest = seen.slice(-5).map(({ verb, path, status }) => `${verb} ${path} (${status ?? 'no response'})`);
    const others = newest.length === 0 ? 'there was none' : `the last of ${seen.length} were ${newest.join(', ')}`;
    const meant = JSON.stringify(match);
    return new Error(`${times - left} of ${times} requests like ${meant} came within ${timeout} ms; ${others}`);
  }

  #record(response: ApiResponse, status: number | undefined, milliseconds: number): RecordedRequest {
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

const isSecret = ({ resource = '', subresource }: { readonly resource?: string; readonly subresource?: string }) =>
  secret.has(resource) || subresource === 'token';

const refuse = (): never => {
  throw new OptionError('requests: this server records no requests; start it without requests: false');
};

/** The journal of a server that records no requests. */
export const noJournal: RequestJournal = { list: refuse, clear: refuse, waitFor: async () => refuse() };
