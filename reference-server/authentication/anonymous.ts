// Requests without credentials as a user of their own, where `--anonymous-auth` allows it.
import { TLSSocket } from 'node:tls';
import type { Authenticator, User } from './authenticator.js';
import { bearerToken } from './authorization.js';

/** The group of everyone who is not authenticated. */
export const unauthenticated = 'system:unauthenticated';

const nobody: User = { name: 'system:anonymous', groups: [unauthenticated] };

/** Accepts who shows nothing at all: a credential that nobody takes stays refused. */
export const anonymous: Authenticator = ({ headers, socket }) => {
  if (headers.authorization !== undefined) return undefined;
  const shown = socket instanceof TLSSocket && socket.getPeerX509Certificate() !== undefined;
  return shown ? undefined : nobody;
};

/**
 * As servers with authorization have it: only a credential that a mechanism of the server could take stays refused. The
 * others (a scheme that nobody knows, a bearer token that is empty, a password where there are none) are not looked at.
 */
export function anonymousUnlessOurs(takesPasswords: boolean): Authenticator {
  return (request) => {
    const { authorization = '' } = request.headers;
    const isOurs = bearerToken(request) !== undefined || (takesPasswords && /^basic /i.test(authorization));
    const shown = request.socket instanceof TLSSocket && request.socket.getPeerX509Certificate() !== undefined;
    return isOurs || shown ? undefined : nobody;
  };
}
