// HTTPS requests to a remote service: with a time limit, a size limit, and no redirects.
import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { firstOf } from '../../matrix/api/signals.js';
import { OptionError } from '../optionValues.js';
import { encrypted, hostOf } from '../remote/connected.js';
import { askOverKept, textOf } from '../remote/exchange.js';
import { KeptConnections } from '../remote/keptConnections.js';
import { Places } from '../remote/places.js';

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
  /** The most requests at a time: anyone can send tokens. */
  requests: 64,
};
const resets = new Set(['ECONNRESET', 'EPIPE']);

/** Makes the requests of one mechanism, until `stopping` aborts. `patience` is in milliseconds. */
export function createPeer(tls: PeerTls, stopping: AbortSignal, patience = limits.patience): Ask {
  const connections = new KeptConnections();
  const places = new Places(limits.requests);
  stopping.addEventListener('abort', () => connections.destroy(), { once: true });
  // Made once, when it is needed: it reads the certificates.
  let secureContext: SecureContext | undefined;
  return async (url, body) => {
    secureContext ??= contextOf(tls);
    const signal = firstOf(AbortSignal.timeout(patience), stopping);
    const kept = { key: url.host, dial: dialling(url, secureContext, signal) };
    let giveBack: (() => void) | undefined;
    try {
      giveBack = await places.take(signal);
      const response = await askOverKept(connections, kept, { ...questionTo(url, body), signal });
      return { status: response.statusCode ?? 0, text: await textOf(response, limits.answer) };
    } catch (error) {
      if (stopping.aborted) throw new PeerError(url, 'the server stops');
      if (signal.aborted) throw new PeerError(url, `no answer within ${patience} ms`);
      const { code, message } = error as Error & { code?: string };
      if (resets.has(code ?? '')) throw new PeerError(url, 'the connection broke off', true);
      throw new PeerError(url, message || (code ?? 'no answer'));
    } finally {
      giveBack?.();
    }
  };
}

const contextOf = ({ authority, certificate, key }: PeerTls): SecureContext =>
  createSecureContext({
    ...(authority === undefined ? {} : { ca: authority }),
    ...(certificate === undefined || key === undefined ? {} : { cert: certificate, key }),
  });

const dialling = (url: URL, secureContext: SecureContext, signal: AbortSignal) => (): Promise<Socket> =>
  encrypted(hostOf(url), { port: Number(url.port || 443), secureContext, ALPNProtocols: ['http/1.1'] }, signal);

function questionTo(url: URL, body: unknown) {
  const isPost = body !== undefined;
  return {
    method: isPost ? 'POST' : 'GET',
    host: url.host,
    path: url.pathname + url.search,
    headers: { accept: 'application/json', ...(isPost && { 'content-type': 'application/json' }) },
    ...(isPost && { body: JSON.stringify(body) }),
  };
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
