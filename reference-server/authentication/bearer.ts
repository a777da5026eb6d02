// Asks every mechanism about a token that came another way than in a header.
import type { IncomingMessage } from 'node:http';
import { StatusError } from '../errors.js';
import type { User } from './authenticator.js';
import type { union } from './union.js';

/** Who a bearer token stands for; undefined where no mechanism takes it. */
export type BearerOf = (token: string) => Promise<User | undefined>;

/** Asks as a request with the token in its header would be asked about. */
export function bearerOf(authenticate: ReturnType<typeof union>): BearerOf {
  return async (token) => {
    // no header carries it, and what comes before the space is another token
    if (/\s/.test(token)) return undefined;
    try {
      return await authenticate({ headers: { authorization: `Bearer ${token}` } } as IncomingMessage);
    } catch (error) {
      if (error instanceof StatusError && error.code === 401) return undefined;
      throw error;
    }
  };
}
