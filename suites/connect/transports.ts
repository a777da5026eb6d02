// The transports of connections: their names, and the form of their messages.

import { fail } from '../client/expect.js';
import type { ChannelForm } from '../client/streams/channels.js';

/** A subprotocol of a WebSocket: how it carries channels, and whether it can close a single channel. */
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

/** All transports, the oldest first. */
export const transports: readonly string[] = [spdy, ...sockets.map(({ protocol }) => protocol)];

/** Returns the WebSocket form of a transport; undefined for SPDY. Throws for an unknown name. */
export function socketForm(transport: string): SocketForm | undefined {
  if (transport === spdy) return undefined;
  return sockets.find(({ protocol }) => protocol === transport) ?? fail(`no transport ${transport}`);
}

/** Returns the default transport for a method: a WebSocket can only begin with GET. */
export const usual = (method: string): string => (method === 'GET' ? 'v4.channel.k8s.io' : spdy);
