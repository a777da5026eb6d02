// Reads the Authorization header: a scheme in any case, one space, the credentials.
import type { IncomingMessage } from 'node:http';

/** The credentials of a request with `Authorization: Basic`. */
export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Returns the bearer token of a request, or undefined. As on real servers, the token ends at the next space, two spaces
 * after the scheme leave no token, and the first of two headers counts.
 */
export function bearerToken(request: IncomingMessage): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  const end = header.indexOf(' ', 7);
  const token = end === -1 ? header.slice(7) : header.slice(7, end);
  return token === '' ? undefined : token;
}

/**
 * Returns the basic credentials of a request, or undefined. They are padded base64 of UTF-8. The first colon ends the
 * name; the password may have more colons. Throws if the credentials are malformed.
 */
export function basicCredentials(request: IncomingMessage): BasicCredentials | undefined {
  const header = request.headers.authorization;
  if (header === undefined || header.slice(0, 6).toLowerCase() !== 'basic ') return undefined;
  const text = decoded(header.slice(6));
  const colon = text.indexOf(':');
  if (colon === -1) throw new Error('the basic credentials have no colon');
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(credentials: string): string {
  if (!base64.test(credentials)) throw new Error('the basic credentials are not base64');
  try {
    return utf8.decode(Buffer.from(credentials, 'base64'));
  } catch {
    throw new Error('the basic credentials are not UTF-8');
  }
}
