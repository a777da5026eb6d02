// Requests of programs over the virtual network.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { firstOf } from '../../matrix/api/signals.js';
import { type Process, ProgramError, timeLimit } from '../kernel/process.js';
import { portOf, sendHttp } from '../network/httpClient.js';
import { ConnectionRefused } from '../network/virtualNetwork.js';
import { dial, UnknownHost } from './resolver.js';

/** The most redirects that a client follows. */
const mostRedirects = 20;

export interface Request {
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Buffer;
  readonly follows: boolean;
  /** The seconds that all may take; by default, any. */
  readonly seconds?: number;
}

/** What a client of HTTP could not do. */
type Trouble = 'name' | 'refused' | 'time' | 'other';

/** A request that has no response. */
export class Failed extends Error {
  override readonly name = 'Failed';

  constructor(
    readonly trouble: Trouble,
    readonly url: URL,
    message: string,
  ) {
    super(message);
  }
}

/** Sends a request, and hands its response over. Rejects with Failed. */
export async function exchange(
  process: Process,
  target: string,
  { method, headers, body, follows, seconds }: Request,
  receive: (response: IncomingMessage, url: URL) => Promise<void>,
): Promise<void> {
  const limit = seconds === undefined ? undefined : timeLimit(seconds * 1000);
  const signal = limit === undefined ? process.signal : firstOf(process.signal, limit);
  let url = urlOf(target);
  try {
    for (let followed = 0; ; followed++) {
      const connection = await within(signal, dial(process, url.hostname.replace(/^\[|\]$/g, ''), portOf(url)));
      const response = await sendHttp(connection, { url, method, headers, signal, ...(body && { body }) });
      const { location } = response.headers;
      const { statusCode = 0 } = response;
      if (!follows || location === undefined || statusCode < 300 || statusCode >= 400) {
        return await receive(response, url);
      }
      response.destroy();
      if (followed >= mostRedirects) throw new Failed('other', url, 'too many redirects');
      url = new URL(location, url);
    }
  } catch (error) {
    process.signal.throwIfAborted();
    if (error instanceof Failed || error instanceof ProgramError) throw error;
    if (limit?.aborted) throw new Failed('time', url, 'timed out');
    const trouble = error instanceof UnknownHost ? 'name' : error instanceof ConnectionRefused ? 'refused' : 'other';
    throw new Failed(trouble, url, error instanceof Error ? error.message : String(error));
  }
}

/** Resolves with a value, or rejects at the signal. A connection that comes too late is closed. */
export async function within(signal: AbortSignal, connecting: Promise<Duplex>): Promise<Duplex> {
  signal.throwIfAborted();
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  late.catch(() => {});
  try {
    return await Promise.race([connecting, late]);
  } catch (error) {
    connecting.then(
      (connection) => connection.destroy(),
      () => {},
    );
    throw error;
  }
}

/** Throws ProgramError for what is no URL of HTTP. */
function urlOf(text: string): URL {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(whole)) throw new ProgramError(`bad address '${text}'`);
  const url = new URL(whole);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new ProgramError(`${url.protocol} is not supported`);
  return url;
}
