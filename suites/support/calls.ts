// What the client is asked to send: a request, a request for a stream, a request for a WebSocket.
import type { Credential } from '../../matrix/requirements/index.js';
import type { ChannelForm } from './channels.js';

/** A request to the target. `path` starts with a slash and carries its query. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** `none` sends no credentials; a credential sends that one instead of the target's own. */
  readonly as?: 'none' | Credential;
  /** Ends the exchange once the headers are there: for streams of which only the start matters. */
  readonly headersOnly?: true;
  /**
   * Milliseconds until the exchange is given up, for a stream until its head has come: for who expects a silence, or ends
   * what goes on. What an answer may take in this run when absent; only then is a silence held against the target.
   */
  readonly deadline?: number;
  /** The answer is one of what a stream says at once, and may take as long as that. */
  readonly isStreamed?: true;
  /** Asks only whether the target is there: what comes of it, or does not, says nothing else. */
  readonly isProbe?: true;
}

/** A request whose answer is a stream. */
export interface StreamCall extends Call {
  /** The reader hangs up after this many bytes of the body, wherever that is. */
  readonly cutAfter?: number;
  /** What comes: JSON objects unless lines of text. */
  readonly of?: 'objects' | 'lines';
}

/** A request for a WebSocket. */
export interface SocketCall extends Pick<Call, 'path' | 'headers' | 'as' | 'deadline'> {
  /** Subprotocols in the order of preference; none when absent. */
  readonly protocols?: readonly string[];
  /** How its messages carry channels; they carry none when absent. */
  readonly channels?: ChannelForm;
}

/** A request for SPDY/3.1. */
export interface SpdyCall extends Pick<Call, 'method' | 'path' | 'headers' | 'as' | 'deadline'> {
  /** Versions of the streams' protocol in the order of preference. */
  readonly protocols: readonly string[];
}
