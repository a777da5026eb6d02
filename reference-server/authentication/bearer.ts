// Authenticates a bearer token that is not in a header, with every mechanism.
import type { IncomingMessage } from 'node:http';
import { StatusError } from '../statusError.js';
import type { User } from './authenticator.js';
import type { union } from './union.js';

/** Returns the user of a bearer token, for audiences as an authenticator takes them; undefined if none accepts it. */
export type BearerOf = (token: string, audiences?: readonly string[]) => Promise<User | undefined>;

/** Makes a function that authenticates a token as if a request header had it. */
export function bearerOf(authenticate: ReturnType<typeof union>): BearerOf {
  return async (token, audiences) => {
    // In a header, a token ends at white space, so the header would carry another token.
    if (/\s/.test(token)) return undefined;
    try {
      return await authenticate({ headers: { authorization: `Bearer ${token}` } } as IncomingMessage, audiences);
    } catch (error) {
      if (error instanceof StatusError && error.code === 401) return undefined;
      throw error;
    }
  };
}
