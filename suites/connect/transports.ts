// The ways to a connection: what each of them is called, and how its messages carry the streams.
import type { ChannelForm } from '../support/channels.js';
import { fail } from '../support/expect.js';

/** A subprotocol of a WebSocket: how it carries channels, and whether it can tell the end of one. */
export interface SocketForm {
  readonly protocol: string;
  readonly channels: ChannelForm;
  readonly ends: boolean;
}

const sockets: readonly SocketForm[] = [
  { protocol: 'v5.channel.k8s.io', channels: 'binary', ends: true },
  { protocol: 'v4.channel.k8s.io', channels: 'binary', ends: false },
  { protocol: 'v4.base64.channel.k8s.io', channels: 'base64', ends: false },
];

export const spdy = 'SPDY/3.1';

/** Every transport, the older one first. */
export const transports: readonly string[] = [spdy, ...sockets.map(({ protocol }) => protocol)];

/** The WebSocket form of a transport; undefined for SPDY. Fails for a name that is none. */
export function socketForm(transport: string): SocketForm | undefined {
  if (transport === spdy) return undefined;
  return sockets.find(({ protocol }) => protocol === transport) ?? fail(`no transport ${transport}`);
}

/** The transport that an operation is tried with where any will do: a WebSocket can only begin with GET. */
export const usual = (method: string): string => (method === 'GET' ? 'v4.channel.k8s.io' : spdy);
