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

export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

/**
 * The basic credentials of a request, or undefined where it carries none: UTF-8, and the first colon ends the name.
 * Throws where they are no base64 or have no colon. Of two headers the first counts.
 */
export function basicCredentials(request: IncomingMessage): BasicCredentials | undefined {
  const header = request.headers.authorization;
  if (header === undefined || header.slice(0, 6).toLowerCase() !== 'basic ') return undefined;
  const encoded = header.slice(6).trim();
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded)) {
    throw new Error('the basic credentials are no base64');
  }
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) throw new Error('the basic credentials have no colon');
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
