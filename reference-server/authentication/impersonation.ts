// Requests on behalf of another user: this server takes none, and must not answer them as their sender.
import type { IncomingHttpHeaders } from 'node:http';
import { impersonationRefused, type StatusError } from '../errors.js';

/** The refusal of a request that asks to be another user's; undefined for any other. */
export function refusedImpersonation(headers: IncomingHttpHeaders): StatusError | undefined {
  for (const name in headers) if (name.startsWith('impersonate-')) return impersonationRefused(name);
  return undefined;
}
