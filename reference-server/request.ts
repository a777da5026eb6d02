// One request on its way through the pipeline: what each stage adds, and what a handler answers.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { Operation } from '../matrix/api/index.js';
import type { User } from './authentication/authenticator.js';
import type { Codec } from './codecs/codec.js';

/** The values of a path template: `{namespace}`, `{name}` and, for proxies, `{path}` as it was sent. */
export interface PathParameters {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
}

/** A decoded body: the media type it came as (without parameters) and its value, checked for nothing yet. */
export interface DecodedBody {
  readonly mediaType: string;
  readonly value: unknown;
  /** What is done with one that is long is done in turns. */
  readonly isLong?: true;
}

/** The codec that the client's Accept header won, and how it wants to be written. */
export interface Negotiated {
  readonly codec: Codec;
  /** True for a stream that was asked for as `;stream=watch`. */
  readonly stream: boolean;
  readonly pretty: boolean;
}

/** What a verb handler sees. `raw` is for the connect operations, which relay bytes. */
export interface ApiRequest {
  readonly operation: Operation;
  readonly path: PathParameters;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly user: User;
  readonly negotiated: Negotiated;
  /** Absent when the operation declares no body or the client sent none. */
  readonly body?: DecodedBody;
  readonly raw: IncomingMessage;
  /** Aborted when the client is gone or the server stops. */
  readonly signal: AbortSignal;
}

/** Something that a codec can write; it may keep the bytes that it has made. */
export interface Encodable {
  encode(codec: Codec, pretty: boolean): Uint8Array | readonly Uint8Array[];
  /** The same for what may be long: others are served meanwhile. Nothing where `encode` costs little. */
  encodeInTurns?(codec: Codec, pretty: boolean): Promise<readonly Uint8Array[]> | undefined;
}

/** One change of a watch, as a codec frames it. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Encodable;
  /** About how many bytes of memory the object takes, where that is known. */
  readonly size?: number;
}

/** Where the events of a watch go: a response, or a WebSocket. */
export interface WatchSink {
  /**
   * Writes events that go out together; sinks that get the same array share its bytes. False when the client is so far
   * behind that nothing more should come before it has caught up.
   */
  write(events: readonly WatchEvent[]): boolean;
  /** Resolves when the client has caught up, or is gone. */
  drained(): Promise<void>;
}

/** Writes events until the watch is over; a rejection becomes the last event. */
export type WatchStream = (sink: WatchSink) => Promise<void>;

/** What a handler returns; the edge alone touches the response. */
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
      /** All of them: a name may come more than once. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      /** Bytes as they come: a log, a proxied answer. It is destroyed when the client is gone. */
      readonly stream: Readable;
    }
  | { readonly status: number; readonly watch: WatchStream }
  | { readonly relay: (request: IncomingMessage, socket: Duplex, head: Uint8Array) => void };

export type Handler = (request: ApiRequest) => Answer | Promise<Answer>;
