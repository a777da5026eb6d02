// HTTPS requests to a remote service: with a time limit, a size limit, and no redirects.
import { createSecureContext } from 'node:tls';
import type { Agent } from 'undici';
import { OptionError } from '../optionValues.js';

/** PEM texts. The default authorities are those of the system. */
export interface PeerTls {
  readonly authority?: string;
  readonly certificate?: string;
  readonly key?: string;
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends one request: a GET, or a POST with `body` as JSON. Returns redirects like any other response. Rejects with a
 * PeerError.
 */
export type Ask = (url: URL, body?: unknown) => Promise<Reply>;

/** The request failed. The message names the service and the reason, and quotes nothing that was sent. */
export class PeerError extends Error {
  override readonly name = 'PeerError';
  /** Whether the connection broke, so that a second request may succeed. */
  readonly reset: boolean;

  constructor(url: URL, reason: string, reset = false) {
    super(`${url.origin}: ${reason}`);
    this.reset = reset;
  }
}

const limits = {
  /** The time limit of a request, in milliseconds. */
  patience: 5_000,
  /** The size limit of a response, in bytes. */
  answer: 256 * 1024,
  /** The most concurrent connections. */
  connections: 64,
};
const resets = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Makes the requests of one mechanism, until `stopping` aborts. `patience` is in milliseconds. */
export function createPeer(tls: PeerTls, stopping: AbortSignal, patience = limits.patience): Ask {
  let made: Promise<Agent> | undefined;
  stopping.addEventListener('abort', () => void made?.then((agent) => agent.destroy()), { once: true });
  return async (url, body) => {
    made ??= makeAgent(tls, patience);
    const agent = await made;
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

/** Makes the connections. Loads the library on first use, so that servers start faster. */
async function makeAgent({ authority, certificate, key }: PeerTls, timeout: number): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({
    connections: limits.connections,
    // One connection for each request: the service may close an idle connection, and a resumed session has no
    // certificate.
    pipelining: 0,
    connect: {
      timeout,
      maxCachedSessions: 0,
      // Made once: each connection would otherwise read the certificates again.
      secureContext: createSecureContext({
        ...(authority === undefined ? {} : { ca: authority }),
        ...(certificate === undefined || key === undefined ? {} : { cert: certificate, key }),
      }),
    },
  });
}

/** Parses the https URL of a service. Throws an OptionError that does not quote it if it is not valid. */
export function httpsUrl(where: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:')
    throw new OptionError(`${where} is not an https URL: give one like https://host:port/path`);
  if (url.username !== '' || url.password !== '') throw new OptionError(`${where}: a URL takes no user and password`);
  if (url.search !== '' || url.hash !== '') throw new OptionError(`${where}: a URL takes no ? and no # here`);
  return url;
}

/** Parses a response as a JSON object. Throws an error that does not quote the response if it is not an object. */
export function jsonObject(text: string): Record<string, unknown> {
  const value = parse(text);
  if (!isObject(value)) throw new Error('the answer is not a JSON object');
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
