// The exports for users: the reference server in their own process. The types depend on no other package.
/// <reference lib="esnext.disposable" preserve="true" />
import type { TestControls } from '../reference-server/later/control/surface.js';
import { OptionError } from '../reference-server/optionValues.js';
import { renderKubeconfig } from './kubeconfig/write.js';
import { wrongNode } from './nodeVersion.js';
import type { AppOptions, StartOptions } from './optionTypes.js';

export type {
  ClockMove,
  Delay,
  Failure,
  FileUrl,
  LoadOptions,
  MoveOptions,
  RecordedRequest,
  RecordMatch,
  RequestJournal,
  RequestMatch,
  Rule,
  Snapshot,
  TestClock,
  TestControls,
  TestObject,
  WaitOptions,
  WatchCut,
} from '../reference-server/later/control/surface.js';
export type { AppOptions, StartOptions, TokenUser } from './optionTypes.js';
export { OptionError };

/**
 * The API as an Express application: `app.use(api)`, `app.use('/k8s', api)`, or `http.createServer(api)`. It responds
 * to every request that reaches it, even if only with 401 or 404, so mount other routes before it or outside its path.
 * It reads bodies itself, so mount body parsers after it.
 */
export interface Api {
  (request: unknown, response: unknown, next?: (error?: unknown) => void): void;
  /** The first of the tokens, or the generated one; absent if the token file has none. */
  readonly token?: string;
  /**
   * Serves exec, attach, port-forward, proxies and watches over WebSocket: `server.on('upgrade', api.upgrade)`. These
   * requests pass through the application that the API is mounted in, like other requests.
   */
  readonly upgrade: (request: unknown, socket: unknown, head: unknown) => void;
  /** Ends watches and streams, waits up to a second for other requests, then stops controllers and storage. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the API for your own http or https server. Throws OptionError for an invalid option; its message is one line
 * that says what to do.
 */
export async function createApp(options: AppOptions = {}): Promise<Api> {
  const [reference, { storageOf }, { inOptions, requireOptions }] = await loadServer();
  requireOptions('createApp', options);
  try {
    // Not every user has the types of Express and Node.js.
    return (await reference.createFullApp({ ...options, ...storageOf(options) })) as unknown as Api;
  } catch (error) {
    throw inOptions(error);
  }
}

/**
 * The server is loaded when it starts: the types are enough for most imports of this module. Throws OptionError on a
 * Node.js that is too old, with the words of the command line.
 */
async function loadServer() {
  const wrong = wrongNode();
  if (wrong !== undefined) throw new OptionError(wrong);
  return await Promise.all([
    import('../reference-server/later/index.js'),
    import('../reference-server/storages/index.js'),
    import('./options.js'),
  ]);
}

/** A server in this process, and what tests do to it. `await using` closes it. */
export interface StartedServer extends TestControls {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /** PEM: the certificate authority that clients should trust. */
  readonly ca: string;
  /** The first of the tokens, or the generated one. */
  readonly token: string;
  readonly kubeconfig: string;
  /** Stops within a second. Objects that are only in memory are lost. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the reference server in this process. Throws OptionError for an invalid option; its message is one line that
 * says what to do.
 */
export async function startServer(options: StartOptions = {}): Promise<StartedServer> {
  const [reference, { storageOf }, { inOptions, requireOptions }] = await loadServer();
  requireOptions('startServer', options);
  const { nodes = 0, requests = true, ...rest } = options;
  const { componentTokens, newEgressSocket, startNodes } = await import('./serveNodes.js');
  const egressProxy = nodes > 0 ? newEgressSocket() : undefined;
  const ofComponents = componentTokens(nodes);
  const server = await reference
    .startFullServer({
      // The webhooks of a test are beside it.
      allowLoopbackWebhooks: true,
      ...rest,
      ...storageOf(rest),
      requests,
      componentTokens: ofComponents,
      ...(egressProxy === undefined ? {} : { egressProxy }),
    })
    .catch((error: unknown) => {
      throw inOptions(error);
    });
  const { url, port, caCertificate: ca, token, controls } = server;
  let stopNodes = async () => {};
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      controls?.end();
      await stopNodes();
      await server.close();
    })();
    return closed;
  };
  try {
    if (token === undefined) throw new OptionError('tokenAuthFile holds no token: write one into it, or give tokens');
    if (egressProxy !== undefined) {
      const running = await startNodes(server, nodes, egressProxy, ofComponents);
      stopNodes = running.stop;
      await running.registered();
    }
    if (controls === undefined) throw new Error('the server was started without its own handlers');
    const { markStart, end: _end, ...tests } = controls;
    await markStart();
    const kubeconfig = renderKubeconfig({ url, caCertificate: ca, token });
    return { ...tests, url, port, ca, token, kubeconfig, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
