// Sends a stream over a WebSocket: an empty message, then one for each piece, and a closing handshake at the end.
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Upgrade } from './locals.js';
import { acceptWebSocket, checkHandshake, normalClosure, offeredProtocols } from './webSocket.js';

/** The subprotocols, and whether their messages are base64 text. */
const protocols: ReadonlyMap<string, boolean> = new Map([
  ['binary.k8s.io', false],
  ['base64.binary.k8s.io', true],
]);

/**
 * Completes the handshake, with the first subprotocol offered that is known, and sends the stream. Responds with 403 if
 * none that a client offers is known, as kube-apiserver does. Throws 400 for an invalid handshake.
 */
export async function serveStreamSocket(upgrade: Upgrade, response: ServerResponse, stream: Readable): Promise<void> {
  try {
    checkHandshake(response.req);
    const offered = offeredProtocols(response.req);
    const protocol = offered.find((name) => protocols.has(name));
    if (protocol === undefined && offered.length > 0) {
      response.writeHead(403).end();
      return;
    }
    const isText = protocols.get(protocol ?? '') ?? false;
    const webSocket = await acceptWebSocket(upgrade, response, protocol);
    webSocket.once('close', () => stream.destroy());
    const send = (piece: Buffer) =>
      new Promise<void>((resolve, reject) => {
        webSocket.send(isText ? piece.toString('base64') : piece, { binary: !isText }, (error) =>
          error ? reject(error) : resolve(),
        );
      });
    try {
      await send(Buffer.alloc(0));
      for await (const piece of stream as AsyncIterable<Buffer>) await send(piece);
      webSocket.close(normalClosure);
    } catch {
      webSocket.terminate();
    }
  } finally {
    stream.destroy();
  }
}
