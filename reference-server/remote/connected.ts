// Waits for connections to other servers.
import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';

/** Resolves with a socket after its event. Destroys the socket, and rejects, if an error or the signal comes first. */
export async function connected<Made extends Socket>(socket: Made, event: string, signal: AbortSignal): Promise<Made> {
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Connects to a host over TLS: to a port, or over the socket in the options. Rejects like `connected`. */
export function encrypted(host: string, options: ConnectionOptions, signal: AbortSignal): Promise<Socket> {
  const names = isIP(host) > 0 ? { host } : { host, servername: host };
  return connected(connect({ ...names, ...options }), 'secureConnect', signal);
}

/** Returns the host of a URL. An IPv6 address has brackets only in the URL. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
