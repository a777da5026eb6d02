// Port forwarding over a WebSocket: two channels per port, or a whole SPDY session inside, as newer clients prefer.
import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { createWebSocketStream } from 'ws';
import { Channels } from './channels.js';
import { type DialPort, forward } from './forward.js';
import { type PortForwardTiming, serveTunnel } from './portForwardSpdy.js';
import { refuse, tokens } from './upgrade.js';
import { upgradeToWebSocket } from './webSocketUpgrade.js';

const tunnel = 'SPDY/3.1+portforward.k8s.io';
/** A client that offers none of them speaks the first. */
const codecs = { 'v4.channel.k8s.io': 'binary', 'v4.base64.channel.k8s.io': 'base64' } as const;
const known = [tunnel, ...(Object.keys(codecs) as (keyof typeof codecs)[])] as const;

/** Channels of a WebSocket: their numbers stay below the one that is reserved. */
const maxPorts = 127;

export async function serveWebSocketPortForward(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  ports: readonly number[],
  dial: DialPort,
  timing: PortForwardTiming,
): Promise<void> {
  const mayTunnel = tokens(request.headers['sec-websocket-protocol']).includes(tunnel);
  if (!mayTunnel && ports.length === 0) return refuse(socket, 400, 'query parameter "port" is required');
  if (!mayTunnel && ports.length > maxPorts) return refuse(socket, 400, `at most ${maxPorts} ports can be forwarded`);
  const upgrade = await upgradeToWebSocket(request, socket, head, known);
  if (upgrade === undefined) return;
  const { protocol = 'v4.channel.k8s.io', webSocket } = upgrade;
  if (protocol === tunnel) return serveTunnel(createWebSocketStream(webSocket), dial, timing);
  await forwardChannels(new Channels(webSocket, codecs[protocol]), ports, dial);
}

/** Every port is dialled at once. Both of its channels start with its number, little endian. */
async function forwardChannels(channels: Channels, ports: readonly number[], dial: DialPort): Promise<void> {
  const forwarding = ports.map((port, index) => {
    const writable = channels.writable(2 * index);
    const data = Duplex.from({ readable: channels.readable(2 * index), writable });
    data.on('error', () => {});
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
