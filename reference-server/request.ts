// The request of a handler, and the answer that the handler returns.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { Operation, Resource, Verb } from '../matrix/api/index.js';
import type { User } from './authentication/authenticator.js';
import type { Codec, DecodedBody, Encodable } from './codecs/codec.js';
import type { ObjectKey } from './schema/object.js';
import type { WatchStream } from './watch/sink.js';

/** The parameters of a path: `{namespace}`, `{name}` and, for proxies, `{path}` exactly as sent. */
export interface PathParameters {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
}

/**
 * `resource` is an object or a list of a resource, `action` the object of a create that stores nothing, `watch` a stream
 * of events, `object` any other object, and `kindless` a body that is not an API object. `untyped` and `untypedWatch` are
 * those of a resource whose objects have no messages in protobuf, unless only their metadata are shown.
 */
export type ResponseKind = 'resource' | 'action' | 'watch' | 'object' | 'kindless' | 'untyped' | 'untypedWatch';

/** Another form of the objects of an answer. */
export interface Representation {
  /** Whether its fields can be of any type, so that it has no message in protobuf. */
  readonly isUntyped: boolean;
  /** Whether responses of a kind have the representation. */
  isOf(kind: ResponseKind): boolean;
  /**
   * Returns what puts an answer into this form. Called before the handler acts. Throws 406 if the response to a verb has
   * no such form, and 400 for a bad parameter.
   */
  formOf(request: FormRequest): (answer: PlainAnswer) => PlainAnswer;
}

/** A request, as far as the form of its answer depends on it. */
export interface FormRequest {
  readonly operation: Operation;
  readonly verb: Verb | 'discover';
  readonly query: URLSearchParams;
}

/**
 * Returns the representation that the parameters `as`, `g` and `v` of an Accept clause ask for, or undefined if there is
 * none. There is one object for each, so that caches can compare by identity.
 */
export type RepresentationOf = (as: string, group?: string, version?: string) => Representation | undefined;

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
  /** Aborts when the client disconnects, and only then. */
  readonly left: AbortSignal;
  /** Adds a warning to the response, once. The user sees the warnings; they change nothing else. */
  warn(text: string): void;
  /** Adds an annotation to the audit event of the request. */
  annotate(key: string, value: string): void;
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
      /** Whether a client that asks for a WebSocket gets the stream as messages. */
      readonly asMessages?: true;
    }
  | { readonly status: number; readonly watch: WatchStream }
  | { readonly relay: (request: IncomingMessage, socket: Duplex, head: Uint8Array) => void };

/** An answer other than a relayed connection. */
export type PlainAnswer = Exclude<Answer, { relay: unknown }>;

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
