// For tests of authenticators that ask a remote service: such a service, over TLS, that answers as it is told.
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { issueCertificate, makeServerCertificates } from '../../test-certs/index.js';

/** What the peer was sent. */
export interface PeerCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** The common name of the client's certificate. */
  readonly client: string | undefined;
}

/** An answer, or what the peer does instead of answering. */
export type PeerAnswer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | 'reset'
  | 'silence';

/** An authority, a certificate of the peer, and one that clients show to it. */
export const peerCertificates = await (async () => {
  const { ca, server } = await makeServerCertificates('127.0.0.1');
  const client = await issueCertificate({ subject: { commonName: 'api server' }, issuer: ca, usage: 'client' });
  return { ca, server, client };
})();

/** Starts one on a free port. A body that is no string is sent as JSON. */
export async function startHttpsPeer(answer: (call: PeerCall, count: number) => PeerAnswer | Promise<PeerAnswer>) {
  const calls: PeerCall[] = [];
  const { ca, server } = peerCertificates;
  const listener = createServer({
    cert: server.certificate,
    key: server.key,
    ca: ca.certificate,
    requestCert: true,
    rejectUnauthorized: false,
  });
  listener.on('request', async (request, response) => {
    const socket = request.socket as TLSSocket;
    const client = socket.authorized ? (socket.getPeerCertificate().subject?.CN as string) : undefined;
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const call = { method: request.method ?? '', path: request.url ?? '', body, client };
    calls.push(call);
    const given = await answer(call, calls.length);
    if (given === 'reset') socket.destroy();
    if (typeof given === 'string') return;
    response.writeHead(given.status ?? 200, given.headers);
    response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? {}));
  });
  // clients that refuse this peer break off
  listener.on('tlsClientError', () => {});
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const close = async () => {
    listener.close();
    listener.closeAllConnections();
    await once(listener, 'close');
  };
  return {
    url: `https://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    calls,
    close,
    [Symbol.asyncDispose]: close,
  };
}
