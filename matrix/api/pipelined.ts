// Requests that a client sends before it has the response to an earlier one.
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Returns the response that writes to a connection of a server, or undefined if there is none. Node.js reads requests
 * ahead, and calls the listeners of upgrades and errors although the response to an earlier request is open: other bytes
 * would mix with it, and a second response cannot be assigned. By this field Node.js itself decides whether it may write.
 */
export const openResponse = (socket: Duplex): ServerResponse | undefined =>
  (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
