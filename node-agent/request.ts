// A request that reached the agent: a kubelet, or a program of a pod.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface AgentRequest {
  /** `node NAME`, or `pod NAMESPACE/NAME`. */
  readonly to: string;
  readonly method: string;
  /** As it came, with the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Resolves when it is answered whole, or the asker has gone. */
  readonly ended: Promise<void>;
}

/** `end` is what the request is answered on. */
export function requestTo(
  to: string,
  { method = '', url = '/', headers }: IncomingMessage,
  end: ServerResponse | Duplex,
): AgentRequest {
  const ended = new Promise<void>((resolve) => end.once('close', () => resolve()));
  return { to, method, path: url, headers, ended };
}
