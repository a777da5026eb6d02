// Port forwarding: connections to ports of a pod, over SPDY or a WebSocket.
import type { DialPort } from './forward.js';
import { type PortForwardTiming, serveSpdyPortForward } from './portForwardSpdy.js';
import { serveWebSocketPortForward } from './portForwardWebSocket.js';
import type { UpgradeRequest } from './upgrade.js';
import { isWebSocketRequest } from './webSocketUpgrade.js';

/**
 * Serves a port-forward request: upgrades it, or refuses it with 400, 403 or 405 like a kubelet, and forwards until the
 * client disconnects. `ports` are the ports in the query, which the channels of a WebSocket need; over SPDY each stream
 * names its port. Resolves when all connections have ended; never rejects.
 */
export function servePortForward(
  upgrade: UpgradeRequest,
  ports: readonly number[],
  dial: DialPort,
  timing: PortForwardTiming = {},
): Promise<void> {
  if (isWebSocketRequest(upgrade.request)) return serveWebSocketPortForward(upgrade, ports, dial, timing);
  return serveSpdyPortForward(upgrade, dial, timing);
}
