// Requests on behalf of another user. The server refuses them, because it must not serve them as requests of their
// sender.
import type { IncomingHttpHeaders } from 'node:http';
import { impersonationRefused } from '../errors.js';
import type { StatusError } from '../statusError.js';

/** Returns the refusal of a request on behalf of another user, or undefined for any other request. */
export function refusedImpersonation(headers: IncomingHttpHeaders): StatusError | undefined {
  for (const name in headers) if (name.startsWith('impersonate-')) return impersonationRefused(name);
  return undefined;
}
