// Calls the handlers without the edge, for tests.

import type { IncomingMessage } from 'node:http';
import { type Method, type Operation, operations, type Verb } from '../../matrix/api/index.js';
import { authorizer } from '../authorization/authorizer.js';
import { type Cluster, createCluster } from '../cluster.js';
import { joined } from '../codecs/codec.js';
import { json } from '../codecs/json.js';
import { makeConnections } from '../connect/options.js';
import { startControllers } from '../controllers/index.js';
import { errorEvent } from '../edge/frames.js';
import type { Answer, ApiRequest } from '../request.js';
import { makeSigningKey } from '../serviceaccounts/signingKey.js';
import { TokenIssuer } from '../serviceaccounts/tokenIssuer.js';
import { StatusError } from '../statusError.js';
import { MemoryStorage } from '../storage/memory.js';
import type { Storage } from '../storage/storage.js';
import { createHandlers, type Dependencies } from '../verbs/index.js';
import type { WatchEvent, WatchStream } from '../watch/sink.js';
import type { AnyShape } from './anyShape.js';

/** Signs with a key of this process. Its authority is not a certificate. */
export const testIssuer = new TokenIssuer(await makeSigningKey(), 'an authority');

/** An answer with its body parsed from JSON. */
export interface Reply {
  readonly status: number;
  readonly body: AnyShape;
}

export interface Call {
  readonly body?: unknown;
  readonly mediaType?: string;
  /** Set for a long body, as the edge does. */
  readonly isLong?: true;
  readonly signal?: AbortSignal;
}

interface Route {
  readonly operation: Operation;
  readonly pattern: RegExp;
}

const routes: readonly Route[] = operations.map((operation) => ({
  operation,
  pattern: new RegExp(
    `^${operation.path.replace(/\{path\}/, '(?<path>.*)').replace(/\{(namespace|name)\}/g, '(?<$1>[^/]+)')}$`,
  ),
}));

/** Starts a new server in this process, with its controllers. */
export async function startDirect(
  storage: Storage = new MemoryStorage(),
  more: Pick<Dependencies, 'bookmarkTiming'> = {},
): Promise<Direct> {
  const cluster = createCluster({ storage, issuer: testIssuer });
  const { stop } = await startControllers(cluster, (error) => {
    throw error;
  });
  const connections = await makeConnections();
  return new Direct(
    { authorizer: authorizer('AlwaysAllow'), ...cluster, connections, bearerOf: async () => undefined, ...more },
    cluster,
    stop,
  );
}

/** A server in this process: `call('GET', '/api/v1/namespaces?limit=1')`. */
export class Direct {
  readonly #handlers;

  constructor(
    dependencies: Dependencies,
    readonly cluster: Cluster,
    readonly stop: () => Promise<void>,
  ) {
    this.#handlers = createHandlers(dependencies);
  }

  /** Creates an object and returns it. Throws if the create fails. */
  async create(path: string, body: object): Promise<Reply['body']> {
    const reply = await this.call('POST', path, { body });
    if (reply.status !== 200) throw new Error(`POST ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  /** Returns the answer with its body as clients see it. Errors are answers too. */
  async call(method: Method, url: string, call: Call = {}): Promise<Reply> {
    try {
      const answer = await this.answer(method, url, call);
      if ('raw' in answer) return { status: answer.status, body: String(answer.raw) };
      if (!('body' in answer)) throw new Error('not an answer with a body');
      const whole = Buffer.from(joined(answer.body.encode(json, false)));
      return { status: answer.status, body: JSON.parse(whole.toString()) };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { status: error.code, body: error.toStatus() };
    }
  }

  /** Returns the events of a watch, parsed from JSON, up to a number or to the end of the watch. */
  async watch(url: string, count: number, signal?: AbortSignal): Promise<readonly Event[]> {
    const watching = await this.open(url, signal);
    await watching.until(count);
    return watching.stop();
  }

  /** Opens a watch that continues. */
  async open(url: string, signal?: AbortSignal): Promise<Watching> {
    const client = new AbortController();
    signal?.addEventListener('abort', () => client.abort());
    const answer = await this.answer('GET', url, { signal: client.signal });
    if (!('watch' in answer)) throw new Error('not a watch');
    return new Watching(answer.watch, client);
  }

  async answer(method: Method, url: string, { body, mediaType, isLong, signal }: Call = {}): Promise<Answer> {
    const { pathname, searchParams } = new URL(url, 'https://direct');
    for (const { operation, pattern } of routes) {
      const match = operation.method === method ? pattern.exec(decodeURI(pathname)) : null;
      if (match === null || operation.verb === 'discover') continue;
      const request: ApiRequest = {
        operation,
        path: { ...match.groups },
        query: searchParams,
        headers: {},
        user: { name: 'direct', groups: [] },
        negotiated: { codec: json, stream: false, pretty: false },
        ...(body !== undefined && {
          body: { mediaType: mediaType ?? 'application/json', value: body, ...(isLong && { isLong }) },
        }),
        raw: { method, url, headers: {} } as IncomingMessage,
        basePath: '',
        signal: signal ?? new AbortController().signal,
        warn: () => undefined,
        left: new AbortController().signal,
        annotate: () => undefined,
        bodyStream: () => undefined,
      };
      return this.#handlers[operation.verb as Verb](request);
    }
    throw new Error(`no operation ${method} ${pathname}`);
  }
}

/** An event as clients see it. */
interface Event {
  readonly type: string;
  readonly object: Reply['body'];
}

/** An open watch with the events that have arrived. */
export class Watching {
  readonly events: Event[] = [];
  readonly ended: Promise<unknown>;
  #more = () => {};

  constructor(
    stream: WatchStream,
    readonly client: AbortController,
  ) {
    const write = (batch: readonly WatchEvent[]) => {
      this.events.push(...batch.map(read));
      this.#more();
      return true;
    };
    this.ended = stream({ write, drained: async () => {} }).catch((error) => write([errorEvent(error)]));
  }

  /** Resolves when this many events have arrived, or the watch has ended. */
  async until(count: number): Promise<void> {
    let isOver = false;
    const over = this.ended.then(() => {
      isOver = true;
    });
    while (this.events.length < count && !isOver) {
      await Promise.race([
        over,
        new Promise<void>((resolve) => {
          this.#more = resolve;
        }),
      ]);
    }
  }

  async stop(): Promise<readonly Event[]> {
    this.client.abort();
    await this.ended;
    return this.events;
  }
}

function read({ type, object }: WatchEvent): Event {
  const bytes = joined(object.encode(json, false));
  return { type, object: JSON.parse(Buffer.from(bytes).toString()) };
}
