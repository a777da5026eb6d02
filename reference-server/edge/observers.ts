// Observers of requests: the journal, and whatever else looks at each request and its response.
import type { ApiResponse } from './locals.js';

/** Looks at requests. The middleware adds what it knows to `response.locals` meanwhile. */
export interface Observer {
  /** Called just before the head of a response is written, or with undefined if the connection ends without one. */
  answered(response: ApiResponse, status: number | undefined, began: number): void;
  /** Called when the response has ended. */
  ended?(response: ApiResponse): void;
}

/** The observers of a server. Without any, they cost nothing. */
export class Observers {
  readonly #observers: Observer[] = [];

  get areThere(): boolean {
    return this.#observers.length > 0;
  }

  add(observer: Observer): void {
    this.#observers.push(observer);
  }

  /** Observes a request that has just arrived. */
  begin(response: ApiResponse): void {
    const began = performance.now();
    let isAnswered = false;
    const answered = (status: number | undefined): void => {
      // A body that is awaited has a head of its own.
      if (isAnswered || (status !== undefined && status < 200)) return;
      isAnswered = true;
      for (const observer of this.#observers) observer.answered(response, status, began);
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
