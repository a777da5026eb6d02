// Port forwarding: a request becomes connections to ports of the pod, over SPDY or a WebSocket.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { DialPort } from './forward.js';
import { type PortForwardTiming, serveSpdyPortForward } from './portForwardSpdy.js';
import { serveWebSocketPortForward } from './portForwardWebSocket.js';
import { isWebSocketRequest } from './webSocketUpgrade.js';

/**
 * Answers a port-forward request: upgrades it (or refuses with 400, 403 or 405 as a kubelet does), and forwards until
 * the client hangs up. `ports` are those of the query: the channels of a WebSocket need them, over SPDY every stream
 * names its own. Resolves when every connection is over; never rejects.
 */
export function servePortForward(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  ports: readonly number[],
  dial: DialPort,
  timing: PortForwardTiming = {},
): Promise<void> {
  if (isWebSocketRequest(request)) return serveWebSocketPortForward(request, socket, head, ports, dial, timing);
  return serveSpdyPortForward(request, socket, head, dial, timing);
}
