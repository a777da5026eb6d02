// Client certificates: the common name is the user, the organizations are the groups (Authentication/Mechanisms).
import type { Authenticator, User } from './authenticator.js';
import type { Verify } from './verifiedCertificate.js';

/** Authenticates the certificate of the connection. Rejects one that `verify` refuses, or that names nobody. */
export function clientCertificate(verify: Verify): Authenticator {
  const users = new WeakMap<object, User>();
  return (request) => {
    const shown = verify(request);
    if (shown === undefined) return undefined;
    let user = users.get(shown);
    if (user === undefined) {
      const { commonName: name, organizations: groups } = shown;
      if (name === '') throw new Error('the subject of the certificate has no common name');
      user = { name, groups };
      users.set(shown, user);
    }
    return user;
  };
}
