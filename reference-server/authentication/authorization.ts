// Reads the Authorization header: a scheme in any case, one space, the credentials.
import type { IncomingMessage } from 'node:http';

/**
 * The bearer token of a request, or undefined where it carries none. As servers read it: the token ends at the next
 * space, and two spaces after the scheme leave no token. Of two headers the first counts.
 */
export function bearerToken(request: IncomingMessage): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  const end = header.indexOf(' ', 7);
  const token = end === -1 ? header.slice(7) : header.slice(7, end);
  return token === '' ? undefined : token;
}
