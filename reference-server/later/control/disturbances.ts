// Failures and delays of requests. Before the first one, the handlers are untouched.
import { setTimeout as wait } from 'node:timers/promises';
import type { Verb } from '../../../matrix/api/index.js';
import type { Answer, ApiRequest, Handler } from '../../request.js';
import type { StatusError } from '../../statusError.js';
import { factsOf, type RequestFacts } from '../requests/facts.js';

/** The effect on the requests that match: a delay in milliseconds, an error, or the end of the connection. */
export type Effect =
  | { readonly delay: number }
  | { readonly error: (request: ApiRequest, facts: RequestFacts) => StatusError; readonly afterWrite: boolean }
  | { readonly cut: true; readonly afterWrite: boolean };

export interface Disturbance {
  readonly matches: (facts: RequestFacts) => boolean;
  readonly effect: Effect;
  /** The number of requests that it still concerns. */
  left: number;
  /** The number of requests that it concerned. */
  calls: number;
}

type Handlers = Record<Verb | 'discover', Handler>;

/** The disturbances of a server, between the middleware and the handlers. */
export class Disturbances {
  readonly #all = new Set<Disturbance>();
  readonly #handlers: Handlers;
  #isWrapped = false;

  /** `handlers` are those that the middleware calls; the first disturbance replaces them. */
  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  /** Adds a disturbance. Returns a function that removes it. */
  add(disturbance: Disturbance): () => void {
    if (!this.#isWrapped) {
      this.#isWrapped = true;
      for (const [verb, handler] of Object.entries(this.#handlers))
        this.#handlers[verb as Verb] = (request) => this.#disturbed(handler, request);
    }
    this.#all.add(disturbance);
    return () => this.#all.delete(disturbance);
  }

  clear(): void {
    this.#all.clear();
  }

  #disturbed(handler: Handler, request: ApiRequest): Answer | Promise<Answer> {
    if (this.#all.size === 0) return handler(request);
    return this.#applied(handler, request);
  }

  async #applied(handler: Handler, request: ApiRequest): Promise<Answer> {
    const facts = factsOf(request.raw, request);
    let delay = 0;
    let failure: Exclude<Effect, { delay: number }> | undefined;
    for (const each of this.#all) {
      const { effect, left } = each;
      const isDelay = 'delay' in effect;
      if (left <= 0 || (!isDelay && failure !== undefined) || !each.matches(facts)) continue;
      each.left -= 1;
      each.calls += 1;
      if (isDelay) delay += effect.delay;
      else failure = effect;
    }
    if (delay > 0) await wait(delay, undefined, { signal: request.signal }).catch(() => {});
    if (failure === undefined) return handler(request);
    if (failure.afterWrite) await handler(request);
    if ('error' in failure) return refusal(facts, failure.error(request, facts));
    request.raw.socket.destroy();
    return lost;
  }
}

/** The answer to a request whose connection has ended: nobody reads it. */
const lost: Answer = { status: 500, raw: '', mediaType: 'text/plain' };

/** Throws the error; an expired watch begins, and ends with the error as its event, as on real servers. */
function refusal({ verb }: RequestFacts, error: StatusError): Answer {
  if (verb !== 'watch' || error.code !== 410) throw error;
  return { status: 200, watch: () => Promise.reject(error) };
}
