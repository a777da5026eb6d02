// Requests on behalf of another user (`kubectl --as`): the interface has none.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { User } from '../authentication/authenticator.js';
import { impersonationRefused } from '../errors.js';
import type { StatusError } from '../statusError.js';

/** Returns the user that a request of a sender is for. Throws 400 or 403 if there is none, or the sender may not send it. */
export type Impersonate = (request: Pick<IncomingMessage, 'headers' | 'headersDistinct'>, sender: User) => User;

/** What the headers begin with that ask for another user. */
export const impersonationPrefix = 'impersonate-';

/** Returns the first header that asks for another user. */
export function firstImpersonationIn(headers: IncomingHttpHeaders): string | undefined {
  for (const name in headers) if (name.startsWith(impersonationPrefix)) return name;
  return undefined;
}

/**
 * Returns the refusal of a request on behalf of another user, or undefined for any other request: a server that knows no
 * such requests must not serve them as requests of their sender.
 */
export function refusedImpersonation(headers: IncomingHttpHeaders): StatusError | undefined {
  const name = firstImpersonationIn(headers);
  return name === undefined ? undefined : impersonationRefused(name);
}
