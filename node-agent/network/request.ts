// A request to a kubelet or to a program of a pod.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface AgentRequest {
  /** `node NAME`, or `pod NAMESPACE/NAME`. */
  readonly to: string;
  readonly method: string;
  /** The path as received, with the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Resolves when the response is complete or the client has disconnected. */
  readonly ended: Promise<void>;
}

/** Describes a request with its response. */
export function requestTo(
  to: string,
  { method = '', url = '/', headers }: IncomingMessage,
  response: ServerResponse | Duplex,
): AgentRequest {
  const ended = new Promise<void>((resolve) => response.once('close', () => resolve()));
  return { to, method, path: url, headers, ended };
}
