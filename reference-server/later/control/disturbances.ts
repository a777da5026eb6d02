// Failures and delays of requests. Before the first one, the handlers are untouched.
import { setTimeout as wait } from 'node:timers/promises';
import type { Verb } from '../../../matrix/api/index.js';
import type { Answer, ApiRequest, Handler } from '../../request.js';
import type { StatusError } from '../../statusError.js';
import { factsOf, type RequestFacts } from '../requests/facts.js';
import { hasStored } from './storedWrites.js';

/** A failure: an error, or the end of the connection if there is none. */
interface FailureEffect {
  readonly error?: (request: ApiRequest, facts: RequestFacts) => StatusError;
  /** Whether only writes fail, after they were stored. */
  readonly afterWrite: boolean;
}

/** The effect on the requests that match: a delay in milliseconds, or a failure. */
type Effect = { readonly delay: number } | FailureEffect;

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
  readonly #revision: () => Promise<number>;
  #isWrapped = false;

  /**
   * `handlers` are those that the middleware calls; the first disturbance replaces them. `revision` returns that of the
   * newest write.
   */
  constructor(handlers: Handlers, revision: () => Promise<number>) {
    this.#handlers = handlers;
    this.#revision = revision;
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
    let failing: { readonly each: Disturbance; readonly effect: FailureEffect } | undefined;
    for (const each of this.#all) {
      const { effect, left } = each;
      if (left <= 0 || !each.matches(facts)) continue;
      if ('delay' in effect) {
        count(each);
        delay += effect.delay;
      } else if (failing === undefined && (!effect.afterWrite || isWrite(facts))) {
        failing = { each, effect };
        if (!effect.afterWrite) count(each);
      }
    }
    if (delay > 0) await wait(delay, undefined, { signal: request.signal }).catch(() => {});
    if (failing === undefined) return handler(request);
    const { each, effect } = failing;
    if (effect.afterWrite) {
      const before = await this.#revision();
      const answer = await handler(request);
      if (each.left <= 0 || !this.#all.has(each) || !hasStored(request, answer, before)) return answer;
      count(each);
    }
    return failed(effect, request, facts);
  }
}

function count(disturbance: Disturbance): void {
  disturbance.left -= 1;
  disturbance.calls += 1;
}

const isWrite = ({ method }: RequestFacts): boolean => method !== 'GET' && method !== 'HEAD';

function failed(effect: FailureEffect, request: ApiRequest, facts: RequestFacts): Answer {
  if (effect.error !== undefined) return refusal(facts, effect.error(request, facts));
  request.raw.socket.destroy();
  return lost;
}

/** The answer to a request whose connection has ended: nobody reads it. */
const lost: Answer = { status: 500, raw: '', mediaType: 'text/plain' };

/** Throws the error; an expired watch begins, and ends with the error as its event, as on real servers. */
function refusal({ verb }: RequestFacts, error: StatusError): Answer {
  if (verb !== 'watch' || error.code !== 410) throw error;
  return { status: 200, watch: () => Promise.reject(error) };
}
