// Observers of requests: whatever looks at each request, its response or the events of its watch.
import type { Resource } from '../../matrix/api/index.js';
import type { ApiResponse } from './locals.js';

/** Looks at requests. The middleware adds what it knows to `response.locals` meanwhile. */
export interface Observer {
  /** Called for each request. */
  began?(response: ApiResponse): void;
  /** Called just before the head of a response is written, or with undefined if the connection ends without one. */
  answered?(response: ApiResponse, status: number | undefined, began: number): void;
  /** Called when an answered response has ended. */
  ended?(response: ApiResponse): void;
  /** Called for the events that a watch of a resource sends. */
  sent?(resource: Resource, count: number): void;
}

/** The observers of a server. Without any, they cost nothing. */
export class Observers {
  readonly #observers: Observer[] = [];
  #looksAtAnswers = false;

  add(observer: Observer): void {
    this.#observers.push(observer);
    if (observer.answered !== undefined) this.#looksAtAnswers = true;
  }

  /** Counts events that a watch of a resource sends. */
  readonly sent = (resource: Resource, count: number): void => {
    for (const observer of this.#observers) observer.sent?.(resource, count);
  };

  /** Observes a request that has just arrived. */
  begin(response: ApiResponse): void {
    for (const observer of this.#observers) observer.began?.(response);
    if (this.#looksAtAnswers) this.#awaitAnswer(response);
  }

  #awaitAnswer(response: ApiResponse): void {
    const began = performance.now();
    let isAnswered = false;
    const answered = (status: number | undefined): void => {
      // A body that is awaited has a head of its own.
      if (isAnswered || (status !== undefined && status < 200)) return;
      isAnswered = true;
      for (const observer of this.#observers) observer.answered?.(response, status, began);
    };
    const { writeHead } = response;
    response.writeHead = function (this: ApiResponse, ...head: [number]) {
      answered(this.req.socket.destroyed ? undefined : head[0]);
      return writeHead.apply(this, head);
    } as typeof writeHead;
    response.on('close', () => {
      answered(undefined);
      for (const observer of this.#observers) observer.ended?.(response);
    });
  }
}
