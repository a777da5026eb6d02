// The calls that the client can send: a request, a request for a stream, a request for a WebSocket or for SPDY.
import type { Credential } from '../requirements/index.js';
import type { ChannelForm } from './streams/channels.js';
import type { Transport } from './whole.js';

/** Headers by name. A list is sent as several headers of its name. */
export type SentHeaders = Readonly<Record<string, string | string[]>>;

/** A request to the target. `path` starts with a slash and includes the query. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: SentHeaders;
  readonly body?: string | Uint8Array;
  /** `none` sends no credentials; a credential is sent instead of the target's own. */
  readonly as?: 'none' | Credential;
  /** Ends the exchange after the headers: for streams of which only the start matters. */
  readonly headersOnly?: true;
  /**
   * Milliseconds until the exchange is given up; for a stream, until the head has arrived. Set by callers that expect
   * no response, or that end an open exchange. When absent, the time that a response may take in this run; only then a
   * timeout counts against the target.
   */
  readonly deadline?: number;
  /** The response is one that a stream sends at once: the response may take as long as a stream. */
  readonly isStreamed?: true;
  /** The request only finds out whether the target responds: its outcome does not count for the target's health. */
  readonly isProbe?: true;
  /**
   * The request prepares a check, or looks for an effect: the answer of a server that has no etcd or no time for a moment
   * says nothing, and a read or a create is sent again.
   */
  readonly isPreparing?: true;
  /** Sends the request in another way than on the client's own connections; ignored for streams. */
  readonly over?: Transport;
}

/** A request whose response is a stream. */
export interface StreamCall extends Call {
  /** The client closes the connection after this number of body bytes. */
  readonly cutAfter?: number;
  /** The content of the stream: JSON objects when absent. */
  readonly of?: 'objects' | 'lines';
}

export interface SocketCall extends Pick<Call, 'path' | 'headers' | 'as' | 'deadline'> {
  /** Subprotocols in the order of preference; none when absent. */
  readonly protocols?: readonly string[];
  /** The form in which the messages carry channels; the messages carry none when absent. */
  readonly channels?: ChannelForm;
}

export interface SpdyCall extends Pick<Call, 'method' | 'path' | 'headers' | 'as' | 'deadline'> {
  /** Versions of the stream protocol in the order of preference. */
  readonly protocols: readonly string[];
}
