// A remote service over TLS with configurable responses, for tests of authenticators.
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { freePort } from '../../matrix/api/freePort.js';
import { issueCertificate, makeServerCertificates } from '../../test-certs/index.js';

/** A request to the service. */
export interface PeerCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** The common name of the client's certificate. */
  readonly client: string | undefined;
}

/** A response, or another behaviour. */
export type PeerAnswer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | 'reset'
  | 'silence';

/** An authority, a certificate of the service, and a client certificate. */
export const peerCertificates = await (async () => {
  const { ca, server } = await makeServerCertificates('127.0.0.1');
  const client = await issueCertificate({ subject: { commonName: 'api server' }, issuer: ca, usage: 'client' });
  return { ca, server, client };
})();

/** Starts a service on a free port. A body that is not a string is sent as JSON. */
export async function startHttpsPeer(answer: (call: PeerCall, count: number) => PeerAnswer | Promise<PeerAnswer>) {
  const calls: PeerCall[] = [];
  let connections = 0;
  const { ca, server } = peerCertificates;
  const listener = createServer({
    cert: server.certificate,
    key: server.key,
    ca: ca.certificate,
    requestCert: true,
    rejectUnauthorized: false,
    // A client may ask again at the moment when an idle connection would end.
    keepAliveTimeout: 0,
  });
  listener.on('request', async (request, response) => {
    const socket = request.socket as TLSSocket;
    const client = socket.authorized ? (socket.getPeerCertificate().subject?.CN as string) : undefined;
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const call = { method: request.method ?? '', path: request.url ?? '', body, client };
    calls.push(call);
    const answered = await answer(call, calls.length);
    if (answered === 'reset') socket.destroy();
    if (typeof answered === 'string') return;
    response.writeHead(answered.status ?? 200, answered.headers);
    response.end(typeof answered.body === 'string' ? answered.body : JSON.stringify(answered.body ?? {}));
  });
  listener.on('secureConnection', () => {
    connections += 1;
  });
  // Clients that refuse the service break the connection.
  listener.on('tlsClientError', () => {});
  // Tests connect after its close too, when no other process may have the port.
  listener.listen(await freePort(), '127.0.0.1');
  await once(listener, 'listening');
  const close = async () => {
    listener.close();
    listener.closeAllConnections();
    await once(listener, 'close');
  };
  return {
    url: `https://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    calls,
    /** How many connections there were. */
    connections: () => connections,
    close,
    [Symbol.asyncDispose]: close,
  };
}
