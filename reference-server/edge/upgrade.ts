// Passes Upgrade requests through the same middleware as other requests.
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Application, Express, Request, Response } from 'express';
import { openResponse } from '../../matrix/api/pipelined.js';
import type { Upgrade } from './locals.js';

/** A listener of the `upgrade` event of a server. */
export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

type Mounted = Application & { readonly parent?: Mounted };

const outermost = (app: Mounted): Application => (app.parent === undefined ? app : outermost(app.parent));

/**
 * Passes an Upgrade request to the outermost application. Node.js makes no response object for it, so this function
 * does. The connection ends if an earlier response on it is open: it cannot switch the protocol in the middle of one.
 */
export function upgradeThrough(api: Express): UpgradeListener {
  return (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (openResponse(socket) !== undefined) return void socket.destroy();
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.on('finish', () => socket.end());
    const upgrade: Upgrade = { socket, head };
    outermost(api)(request as Request, Object.assign(response, { locals: { upgrade } }) as unknown as Response);
  };
}
