// `--watch-cache=false`: what clients see of a server that reads everything from its storage.
import type { Verb } from '../../matrix/api/index.js';
import type { Handler } from '../request.js';
import { StatusError } from '../statusError.js';

/** The reads that a watch cache serves on other servers. */
const cached = ['list', 'listAll', 'read'] as const;

/**
 * Returns handlers whose errors about a future resourceVersion name no time to retry: only a cache, which is behind the
 * storage, reaches it soon.
 */
export function uncached(handlers: Readonly<Record<Verb, Handler>>): Readonly<Record<Verb, Handler>> {
  const own = cached.map((verb) => [verb, withoutRetry(handlers[verb])] as const);
  return { ...handlers, ...Object.fromEntries(own) };
}

const withoutRetry =
  (handler: Handler): Handler =>
  async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 504 || error.details === undefined) throw error;
      const { retryAfterSeconds: _retry, ...details } = error.details;
      throw new StatusError(error.code, error.reason, error.message, details);
    }
  };
