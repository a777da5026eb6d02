// Accepts requests without credentials as the anonymous user, if `--anonymous-auth` allows it.
import { TLSSocket } from 'node:tls';
import type { Authenticator, User } from './authenticator.js';
import { bearerToken } from './authorization.js';

/** The group of all unauthenticated users. */
export const unauthenticated = 'system:unauthenticated';

const anonymousUser: User = { name: 'system:anonymous', groups: [unauthenticated] };

/** Accepts requests without any credential. A credential that no mechanism accepts is still refused. */
export const anonymous: Authenticator = ({ headers, socket }) => {
  if (headers.authorization !== undefined) return undefined;
  const shown = socket instanceof TLSSocket && socket.getPeerX509Certificate() !== undefined;
  return shown ? undefined : anonymousUser;
};

/**
 * Accepts more requests, as servers with authorization do: a request is anonymous unless its credential is of a kind
 * that the server accepts. An unknown scheme, an empty bearer token, or a password for a server without passwords is
 * ignored.
 */
export function anonymousUnlessOurs(takesPasswords: boolean): Authenticator {
  return (request) => {
    const { authorization = '' } = request.headers;
    const isOurs = bearerToken(request) !== undefined || (takesPasswords && /^basic /i.test(authorization));
    const shown = request.socket instanceof TLSSocket && request.socket.getPeerX509Certificate() !== undefined;
    return isOurs || shown ? undefined : anonymousUser;
  };
}
