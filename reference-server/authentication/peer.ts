// A remote service that an authenticator asks over HTTPS: in bounded time, for a bounded answer, following nothing.
import { Agent } from 'undici';
import { OptionError } from '../optionError.js';

/** All PEM. Without an authority those of the system are trusted. */
export interface PeerTls {
  readonly authority?: string;
  readonly certificate?: string;
  readonly key?: string;
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Asks once: a GET, or a POST of `body` as JSON. Rejects with a PeerError; redirects are answers like any other. */
export type Ask = (url: URL, body?: unknown) => Promise<Reply>;

/** No answer, or none that can be used. Its message names the peer and the reason, nothing that was sent. */
export class PeerError extends Error {
  override readonly name = 'PeerError';
  /** The connection broke: asked again, the peer may answer. */
  readonly reset: boolean;

  constructor(url: URL, reason: string, reset = false) {
    super(`${url.origin}: ${reason}`);
    this.reset = reset;
  }
}

const limits = {
  /** Milliseconds until the answer must be there. */
  patience: 5_000,
  /** Bytes of an answer. */
  answer: 256 * 1024,
  /** Connections at a time. */
  connections: 64,
};
const resets = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Connects to the peers that one mechanism asks, until `stopping` aborts. `patience` is in milliseconds. */
export function createPeer(tls: PeerTls, stopping: AbortSignal, patience = limits.patience): Ask {
  const { authority, certificate, key } = tls;
  const agent = new Agent({
    connections: limits.connections,
    // a connection each: a kept one may be closed by the peer, a resumed session shows it no certificate
    pipelining: 0,
    connect: {
      timeout: patience,
      maxCachedSessions: 0,
      ...(authority === undefined ? {} : { ca: authority }),
      ...(certificate === undefined || key === undefined ? {} : { cert: certificate, key }),
    },
  });
  stopping.addEventListener('abort', () => void agent.destroy(), { once: true });
  return async (url, body) => {
    const signal = AbortSignal.timeout(patience);
    try {
      const response = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        signal,
        headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) }),
      });
      return { status: response.statusCode, text: await bounded(response.body) };
    } catch (error) {
      if (signal.aborted) throw new PeerError(url, `no answer within ${patience} ms`);
      const { code, message } = error as Error & { code?: string };
      if (resets.has(code ?? '')) throw new PeerError(url, 'the connection broke off', true);
      throw new PeerError(url, message || (code ?? 'no answer'));
    }
  };
}

/** The URL of a peer. Throws an OptionError unless it is an https one; the error does not quote it. */
export function httpsUrl(where: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:')
    throw new OptionError(`${where} is no https URL: give one like https://host:port/path`);
  if (url.username !== '' || url.password !== '') throw new OptionError(`${where}: a URL takes no user and password`);
  if (url.search !== '' || url.hash !== '') throw new OptionError(`${where}: a URL takes no ? and no # here`);
  return url;
}

/** The JSON object of an answer. Rejects anything else with a reason that quotes nothing of it. */
export function jsonObject(text: string): Record<string, unknown> {
  const value = parse(text);
  if (!isObject(value)) throw new Error('the answer is no JSON object');
  return value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function bounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limits.answer) throw new Error(`an answer of more than ${limits.answer} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
