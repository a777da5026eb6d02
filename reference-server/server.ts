// The reference server: the API with its own listening socket.
import type { Addon } from './addons.js';
import { createApp } from './app.js';
import { readAuthorities } from './authentication/pem.js';
import { mountBelow, readBasePath } from './edge/basePath.js';
import { listen } from './edge/listen.js';
import { checkTls, makeTls, type ServerTls } from './edge/tls.js';
import type { AppOptions } from './options.js';

export interface ServerOptions extends Omit<AppOptions, 'clientCertificates' | 'clientAuthorities' | 'rootCa'> {
  /** 0, the default, chooses a free port. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly bindAddress?: string;
  /** Generated with a certificate authority by default. */
  readonly tls?: ServerTls;
  /** `--client-ca-file`: PEM, the certificate authorities of client certificates. */
  readonly clientCaFile?: string;
  /** `--base-path`: the path prefix of the whole API, such as `/k8s/c1`; none by default. */
  readonly basePath?: string;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** PEM: the certificate authority that clients should trust. */
  readonly caCertificate: string;
  /** A token for clients: the generated one if no tokens are given, otherwise the first of the given tokens. */
  readonly token?: string;
  /** Stops within one second. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server, as `createApp` starts the API. Throws like it. */
export async function startServer(options: ServerOptions = {}, addons: readonly Addon[] = []): Promise<RunningServer> {
  const { port: wanted = 0, bindAddress = '127.0.0.1', clientCaFile } = options;
  const basePath = readBasePath(options.basePath ?? '');
  const tls = options.tls === undefined ? await makeTls(bindAddress) : checkTls(options.tls);
  const clientCa = clientCaFile === undefined ? undefined : await readAuthorities('--client-ca-file', clientCaFile);
  const ofClients =
    clientCa === undefined
      ? { clientCertificates: 'issued' as const }
      : { clientCertificates: true, clientAuthorities: clientCa };
  const api = await createApp({ ...options, rootCa: tls.ca, ...ofClients }, addons);
  const { clientAuthorities, proxyAuthorities } = api;
  const app = basePath === '' ? api : mountBelow(basePath, api);
  const listener = await listen({
    app,
    upgrade: api.upgrade,
    tls,
    port: wanted,
    bindAddress,
    clientCa: clientAuthorities,
    proxyCa: proxyAuthorities,
  }).catch(async (error) => {
    await api.close();
    throw error;
  });
  const { port } = listener;
  await api.listening({
    host: hostOf(bindAddress).replace(/[[\]]/g, ''),
    port,
    ...(clientAuthorities !== undefined && { clientCa: clientAuthorities }),
  });
  const close = async () => {
    const closed = listener.close();
    await api.close();
    await closed;
  };
  return {
    url: `https://${hostOf(bindAddress)}:${port}${basePath}`,
    port,
    caCertificate: tls.ca,
    ...(api.token !== undefined && { token: api.token }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the host of a URL that reaches a bound address from this machine. */
function hostOf(bindAddress: string): string {
  if (bindAddress === '0.0.0.0') return '127.0.0.1';
  if (bindAddress === '::') return '[::1]';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}
