// What others import: the reference server, inside their own process. The types here need those of no other package.
/// <reference lib="esnext.disposable" preserve="true" />
import type { RemoteAuthenticationOptions } from '../reference-server/authentication/remoteOptions.js';
import { OptionError } from '../reference-server/optionError.js';
import { renderKubeconfig } from './kubeconfig.js';

export { OptionError };

/** Somebody who may come in with a token. */
export interface TokenUser {
  readonly token: string;
  readonly user: {
    readonly name: string;
    readonly uid?: string;
    /** `system:masters` for an administrator. */
    readonly groups: readonly string[];
  };
}

/** What a server is started with; everything has a default. Files are PEM unless they say otherwise. */
export interface StartOptions extends RemoteAuthenticationOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly bindAddress?: string;
  /** PEM texts; made, with an authority of its own, where absent. `ca` is what clients should trust. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly ca?: string };
  /** Nodes that run the pods, as simulated programs; none by default: pods stay as they were written. */
  readonly nodes?: number;
  /** Where what is written is kept (needs the optional package `lmdb`); in memory only where absent. */
  readonly dataDir?: string;
  /** The name in the media type of protobuf; `kubernetes` by default. */
  readonly vendor?: string;
  /** Static tokens. Where there are none, here or in the file, a random one is made for an administrator. */
  readonly tokens?: readonly TokenUser[];
  /** A CSV file of static tokens: token, user, uid, groups. */
  readonly tokenAuthFile?: string;
  /** A CSV file of static passwords: password, user, uid, groups. */
  readonly basicAuthFile?: string;
  /** The authorities that client certificates are verified with. */
  readonly clientCaFile?: string;
  /** The private key that signs service account tokens; made where absent. */
  readonly serviceAccountKeyFile?: string;
  /** Lets requests without credentials in, as `system:anonymous`; false by default. */
  readonly anonymousAuth?: boolean;
  /** Group versions to enable, such as `authentication.k8s.io/v1beta1=true`. */
  readonly runtimeConfig?: string;
  /** Features that the server does not have, by name; none by default. */
  readonly without?: readonly string[];
  /** `RBAC`: what the roles of a fresh cluster give; everybody may do everything by default. */
  readonly authorizationMode?: 'AlwaysAllow' | 'RBAC';
  /** How much later every request is dealt with, in milliseconds, up to 10000; 0 by default. */
  readonly latency?: number;
  /** The path below which the whole API is, such as `/k8s/c1`; it is part of `url`. */
  readonly basePath?: string;
  /** The first such request ends this process with code 70: `PUT /api/v1/namespaces/*\/configmaps/*`. */
  readonly crashOn?: string;
  /** Told of each refused credential: the mechanism and the reason, never the credential. */
  readonly onRejection?: (mechanism: string, reason: string) => void;
}

/** A server that runs in this process. `await using` closes it. */
export interface StartedServer {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /** PEM: what clients should trust. */
  readonly ca: string;
  /** The first of the tokens, or the one that was made. */
  readonly token: string;
  /** The text of a kubeconfig with all of this. */
  readonly kubeconfig: string;
  /** Stops within a second; what is in memory only is gone. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the reference server in this process. Throws OptionError for options that cannot be used, with one line that
 * says what to do.
 */
export async function startServer(options: StartOptions = {}): Promise<StartedServer> {
  const { nodes = 0, ...rest } = options;
  const { port: wanted = 0 } = rest;
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535)
    throw new OptionError('port: give a whole number from 0 to 65535');
  const { mostNodes, newEgressSocket, startNodes } = await import('./serveNodes.js');
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > mostNodes)
    throw new OptionError(`nodes: give a whole number from 0 to ${mostNodes}`);
  const egressProxy = nodes > 0 ? newEgressSocket() : undefined;
  const reference = await import('../reference-server/index.js');
  const server = await reference.startServer({ ...rest, ...(egressProxy === undefined ? {} : { egressProxy }) });
  const { url, port, caCertificate: ca, token } = server;
  let stopNodes = async () => {};
  const close = async (): Promise<void> => {
    await stopNodes();
    await server.close();
  };
  try {
    if (token === undefined) throw new OptionError('tokenAuthFile holds no token: write one into it, or give tokens');
    if (egressProxy !== undefined) stopNodes = await startNodes(server, nodes, egressProxy);
    const kubeconfig = renderKubeconfig({ url, caCertificate: ca, token });
    return { url, port, ca, token, kubeconfig, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
