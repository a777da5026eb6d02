// Requests without credentials as a user of their own, where `--anonymous-auth` allows it.
import { TLSSocket } from 'node:tls';
import type { Authenticator, User } from './authenticator.js';

/** The group of everyone who is not authenticated. */
export const unauthenticated = 'system:unauthenticated';

const nobody: User = { name: 'system:anonymous', groups: [unauthenticated] };

/** Lets in who shows nothing at all: a credential that nobody takes stays refused. */
export const anonymous: Authenticator = ({ headers, socket }) => {
  if (headers.authorization !== undefined) return undefined;
  const shown = socket instanceof TLSSocket && socket.getPeerX509Certificate() !== undefined;
  return shown ? undefined : nobody;
};
