// The request of a handler, and the answer that the handler returns.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { Operation, Resource } from '../matrix/api/index.js';
import type { User } from './authentication/authenticator.js';
import type { Codec, DecodedBody, Encodable } from './codecs/codec.js';
import type { Representation } from './later/representations/representation.js';
import type { ObjectKey } from './schema/object.js';
import type { WatchStream } from './watch/sink.js';

/** The parameters of a path: `{namespace}`, `{name}` and, for proxies, `{path}` exactly as sent. */
export interface PathParameters {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
}

/** The codec and format of the response, from the client's Accept header. */
export interface Negotiated {
  readonly codec: Codec;
  /** True if the client asked for `;stream=watch`. */
  readonly stream: boolean;
  readonly pretty: boolean;
  /** The representation that the client asked for; absent for the objects themselves. */
  readonly representation?: Representation;
}

/** The request of a verb handler. `raw` is for the connect operations, which relay bytes. */
export interface ApiRequest {
  readonly operation: Operation;
  readonly path: PathParameters;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly user: User;
  readonly negotiated: Negotiated;
  /** Absent if the operation has no body or the client sent none. */
  readonly body?: DecodedBody;
  readonly raw: IncomingMessage;
  /** The path prefix of the API for clients, without a slash at its end; empty for none. */
  readonly basePath: string;
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  /** Adds a warning to the response, once. The user sees the warnings; they change nothing else. */
  warn(text: string): void;
  /** Returns the body as a stream, for the connect operations; undefined if there is none. */
  bodyStream(): Readable | undefined;
}

/** The return value of a handler; only the edge writes to the response. */
export type Answer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: Encodable }
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly raw: Uint8Array | string;
      readonly mediaType: string;
    }
  | {
      readonly status: number;
      readonly reason?: string;
      /** All headers; a name may occur more than once. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      /** A stream, such as a log or a proxied response. It is destroyed when the client disconnects. */
      readonly stream: Readable;
    }
  | { readonly status: number; readonly watch: WatchStream }
  | { readonly relay: (request: IncomingMessage, socket: Duplex, head: Uint8Array) => void };

export type Handler = (request: ApiRequest) => Answer | Promise<Answer>;

/** Returns the resource of a request. Throws if its operation has none. */
export function resourceOf({ operation }: ApiRequest): Resource {
  if (operation.resource === undefined) throw new Error(`${operation.id} has no resource`);
  return operation.resource;
}

/** Returns the key of the object that a request names. Throws if the path has no name. */
export function objectKeyOf({ path }: ApiRequest): ObjectKey {
  if (path.name === undefined) throw new Error('the path has no name');
  return { namespace: path.namespace, name: path.name };
}
