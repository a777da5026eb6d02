// The request that a handler sees, and the end of its life: the client gone, or the server stopping.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '../../matrix/api/index.js';
import type { User } from '../authentication/authenticator.js';
import type { ApiRequest, DecodedBody, Negotiated, PathParameters } from '../request.js';

/** Ends requests: each by itself when its connection closes, all of them when the server stops. */
export class Lifetimes {
  readonly #open = new Set<AbortController>();
  #stopped = false;

  /** A signal that aborts when the response's connection closes or the server stops. */
  begin(response: ServerResponse): AbortSignal {
    const controller = new AbortController();
    const { socket } = response;
    const end = () => {
      this.#open.delete(controller);
      // The connection may outlive the request, and carry many.
      socket?.off('close', end);
      controller.abort();
    };
    if (this.#stopped || response.destroyed) {
      controller.abort();
      return controller.signal;
    }
    this.#open.add(controller);
    response.on('close', end);
    socket?.on('close', end);
    return controller.signal;
  }

  /** Aborts every request under way, and every later one at once. */
  stop(): void {
    this.#stopped = true;
    for (const controller of this.#open) controller.abort();
    this.#open.clear();
  }
}

/** What the pipeline has found out about a request. */
export interface Facts {
  readonly operation: Operation;
  readonly path: PathParameters;
  readonly query: URLSearchParams;
  readonly user: User;
  readonly negotiated: Negotiated;
  readonly body: DecodedBody | undefined;
}

/** Makes its signal only when it is asked for: most requests end before anyone could wait. */
export class ServedRequest implements ApiRequest {
  readonly operation: Operation;
  readonly path: PathParameters;
  readonly query: URLSearchParams;
  readonly user: User;
  readonly negotiated: Negotiated;
  readonly body?: DecodedBody;
  readonly raw: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #lifetimes: Lifetimes;
  #signal: AbortSignal | undefined;

  constructor(facts: Facts, response: ServerResponse, lifetimes: Lifetimes) {
    this.operation = facts.operation;
    this.path = facts.path;
    this.query = facts.query;
    this.user = facts.user;
    this.negotiated = facts.negotiated;
    if (facts.body !== undefined) this.body = facts.body;
    this.raw = response.req;
    this.#response = response;
    this.#lifetimes = lifetimes;
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#lifetimes.begin(this.#response);
    return this.#signal;
  }
}
