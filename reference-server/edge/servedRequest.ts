// The request of a handler, its warnings, and its signal, which aborts when the client disconnects or the server stops.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Operation } from '../../matrix/api/index.js';
import type { User } from '../authentication/authenticator.js';
import type { DecodedBody } from '../codecs/codec.js';
import { stopping } from '../errors.js';
import { cut } from '../excerpt.js';
import type { ApiRequest, Negotiated, PathParameters } from '../request.js';
import { bodyStream } from './body.js';
import type { ApiResponse } from './locals.js';

/** The most characters of all warnings of a response, and of each where all are longer: clients limit headers. */
const [most, longest] = [4096, 256];

/** The texts of the warnings of a response that fit in whole, until one does not. */
const whole = new WeakMap<ServerResponse, string[]>();

/**
 * Adds a warning to a response that has not begun, unless it has the same one, or too many. All are whole if there is
 * room for that: what a plug-in says about a pod is long. Like real servers, leaves out a text that is empty or has
 * control characters, which no header can have: webhooks and policies choose their texts.
 */
export function addWarning(response: ServerResponse, text: string): void {
  if (text === '' || /\p{Cc}/u.test(text)) return;
  const before = (response.getHeader('Warning') ?? []) as readonly string[];
  const texts = before.length === 0 ? [] : whole.get(response);
  if (texts !== undefined) {
    const header = headerOf(text);
    if (before.includes(header)) return;
    if (lengthOf(before) + header.length <= most) {
      response.setHeader('Warning', [...before, header]);
      whole.set(response, [...texts, text]);
      return;
    }
    whole.delete(response);
  }
  const headers = texts === undefined ? [...before] : [];
  for (const each of [...(texts ?? []), text]) {
    const header = headerOf(cut(each, longest));
    if (!headers.includes(header) && lengthOf(headers) + header.length <= most) headers.push(header);
  }
  response.setHeader('Warning', headers);
}

// Headers are bytes: Node.js writes one for each character.
const headerOf = (text: string): string => Buffer.from(`299 - "${text.replace(/[\\"]/g, '\\$&')}"`).toString('latin1');

const lengthOf = (headers: readonly string[]): number => headers.reduce((sum, { length }) => sum + length, 0);

/** The time limit for active requests to end when the server stops, in milliseconds. */
const grace = 1000;

/** Ends requests: one when its connection closes, all of them when the server stops. */
export class Lifetimes {
  /** The requests whose handlers wait for their end, with their responses. */
  readonly #open = new Map<AbortController, ServerResponse>();
  #stopped = false;
  #underWay = 0;
  #whenIdle = () => {};
  readonly #leave = (): void => {
    this.#underWay -= 1;
    if (this.#underWay === 0) this.#whenIdle();
  };

  /** The responses whose handlers wait for the end of their requests, such as those of watches. */
  get waiting(): Iterable<ServerResponse> {
    return this.#open.values();
  }

  /** Counts a request as active until its response has ended. Throws 503 if the server stops. */
  count(response: ServerResponse): void {
    if (this.#stopped) throw stopping();
    this.#underWay += 1;
    response.on('close', this.#leave);
  }

  /** Returns a signal that aborts when the response's connection closes or the server stops. */
  begin(response: ServerResponse): AbortSignal {
    const controller = new AbortController();
    const { socket } = response;
    const end = () => {
      this.#open.delete(controller);
      // A connection may carry many requests.
      socket?.off('close', end);
      controller.abort();
    };
    if (this.#stopped || response.destroyed) {
      controller.abort();
      return controller.signal;
    }
    this.#open.set(controller, response);
    response.on('close', end);
    socket?.on('close', end);
    return controller.signal;
  }

  /**
   * Ends the requests that wait for their end, such as watches, where `isMeant`: as at the end of their time, or by
   * cutting their connections. Returns how many.
   */
  end(isMeant: (response: ServerResponse) => boolean, cut: boolean): number {
    const meant = [...this.#open].filter(([, response]) => isMeant(response));
    for (const [controller, response] of meant) {
      if (cut) response.req.socket.destroy();
      else controller.abort();
    }
    return meant.length;
  }

  /** Aborts every active request, and later ones at once. Resolves when they have ended, within a second. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const controller of this.#open.keys()) controller.abort();
    this.#open.clear();
    if (this.#underWay === 0) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, grace);
      this.#whenIdle = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }
}

function untilClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  else response.on('close', () => controller.abort());
  return controller.signal;
}

/**
 * The locals of a response in the form of a handler's request. The signal is made on demand: most requests need none.
 */
export class ServedRequest implements ApiRequest {
  readonly operation: Operation;
  readonly path: PathParameters;
  readonly query: URLSearchParams;
  readonly user: User;
  readonly negotiated: Negotiated;
  readonly body?: DecodedBody;
  readonly raw: IncomingMessage;
  readonly #response: ApiResponse;
  readonly #lifetimes: Lifetimes;
  #signal: AbortSignal | undefined;
  #left: AbortSignal | undefined;

  constructor(response: ApiResponse, lifetimes: Lifetimes) {
    const { operation, path, query, user, negotiated, body } = response.locals;
    this.operation = operation;
    this.path = path;
    this.query = query;
    this.user = user;
    this.negotiated = negotiated;
    if (body !== undefined) this.body = body;
    this.raw = response.req;
    this.#response = response;
    this.#lifetimes = lifetimes;
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers;
  }

  get basePath(): string {
    return this.#response.req.baseUrl;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#lifetimes.begin(this.#response);
    return this.#signal;
  }

  get left(): AbortSignal {
    this.#left ??= untilClose(this.#response);
    return this.#left;
  }

  warn(text: string): void {
    addWarning(this.#response, text);
  }

  annotate(key: string, value: string): void {
    const { locals } = this.#response;
    locals.annotations = { ...locals.annotations, [key]: value };
  }

  bodyStream(): Readable | undefined {
    return bodyStream(this.raw);
  }
}
