// Port forwarding over a WebSocket: two channels for each port, or a whole SPDY session, which newer clients prefer.

import { Duplex } from 'node:stream';
import { createWebSocketStream } from 'ws';
import { Channels } from './channels.js';
import { type DialPort, forward } from './forward.js';
import { type PortForwardTiming, serveTunnel } from './portForwardSpdy.js';
import { refuse, tokens, type UpgradeRequest } from './upgrade.js';
import { upgradeToWebSocket } from './webSocketUpgrade.js';

const tunnel = 'SPDY/3.1+portforward.k8s.io';
/** The channel protocols. The first is the default for a client that offers none. */
const codecs = { 'v4.channel.k8s.io': 'binary', 'v4.base64.channel.k8s.io': 'base64' } as const;
const known = [tunnel, ...(Object.keys(codecs) as (keyof typeof codecs)[])] as const;

/** Each port has two channels, and channel 255 is reserved. */
const maxPorts = 127;
/** Milliseconds that a client may go on to send after the pod has ended its side, as container runtimes wait. */
const lingering = 1000;

export async function serveWebSocketPortForward(
  upgrade: UpgradeRequest,
  ports: readonly number[],
  dial: DialPort,
  timing: PortForwardTiming,
): Promise<void> {
  const { request, socket } = upgrade;
  const mayTunnel = tokens(request.headers['sec-websocket-protocol']).includes(tunnel);
  if (!mayTunnel && ports.length === 0) return refuse(socket, 400, 'query parameter "port" is required');
  if (!mayTunnel && ports.length > maxPorts) return refuse(socket, 400, `at most ${maxPorts} ports can be forwarded`);
  const upgraded = await upgradeToWebSocket(upgrade, known);
  if (upgraded === undefined) return;
  const { protocol = 'v4.channel.k8s.io', webSocket } = upgraded;
  if (protocol === tunnel) return serveTunnel(createWebSocketStream(webSocket), dial, timing);
  await forwardChannels(new Channels(webSocket, codecs[protocol]), ports, dial);
}

/** Connects to all ports at once. Both channels of a port start with its number, in little endian. */
async function forwardChannels(channels: Channels, ports: readonly number[], dial: DialPort): Promise<void> {
  const forwarding = ports.map((port, index) => {
    const writable = channels.writable(2 * index);
    const data = Duplex.from({ readable: channels.readable(2 * index), writable });
    data.on('error', () => {});
    // A channel cannot end by itself, so the client does not know that the pod has nothing more to say.
    writable.once('finish', () => setTimeout(() => channels.end(2 * index), lingering).unref());
    channels.signal.addEventListener('abort', () => data.destroy(), { once: true });
    const error = channels.writable(2 * index + 1);
    const number = Buffer.alloc(2);
    number.writeUInt16LE(port);
    writable.write(number);
    error.write(number);
    return forward(port, dial, data, error);
  });
  await Promise.all(forwarding);
  await channels.close();
}
