// Requests on behalf of another user (`kubectl --as`): the sender needs the right to send them.
import type { IncomingMessage } from 'node:http';
import { unauthenticated } from '../authentication/anonymous.js';
import type { User } from '../authentication/authenticator.js';
import { type Decide, refusalBy } from '../authorization/authorizer.js';
import { firstImpersonationIn, impersonationPrefix } from '../authorization/impersonation.js';
import { badRequest, type ResourceAttributes } from '../errors.js';

type Headers = Pick<IncomingMessage, 'headers' | 'headersDistinct'>;

const extraPrefix = `${impersonationPrefix}extra-`;
const authenticated = 'system:authenticated';
const anonymousName = 'system:anonymous';
const serviceAccount = /^system:serviceaccount:([^:]+):([^:]+)$/;

/**
 * Returns the user that a request is for: the sender, or the user that its headers name. Throws 400 if they name no
 * user, and 403 if the sender may not send the request for another user, one of the groups, or with some extra.
 */
export function effectiveUser(request: Headers, sender: User, decide: Decide): User {
  if (firstImpersonationIn(request.headers) === undefined) return sender;
  // A header that occurs more than once, with its values apart: the name of a group may contain a comma.
  const headers = request.headersDistinct;
  const name = headers['impersonate-user']?.[0];
  if (!name) {
    const names = Object.keys(headers).filter((header) => header.startsWith(impersonationPrefix));
    throw badRequest(`requested ${names.join(', ')} without impersonating a user: add the header Impersonate-User`);
  }
  const uid = headers['impersonate-uid']?.[0];
  const given = headers['impersonate-group'] ?? [];
  const extra = extraOf(headers);
  const may = (attributes: Pick<ResourceAttributes, 'resource' | 'name'> & Partial<ResourceAttributes>): void => {
    const asked = { verb: 'impersonate', group: '', subresource: '', namespace: '', ...attributes };
    const refused = refusalBy(decide, sender, asked);
    if (refused !== undefined) throw refused;
  };
  const [, namespace, account] = serviceAccount.exec(name) ?? [];
  if (namespace !== undefined && account !== undefined) may({ resource: 'serviceaccounts', name: account, namespace });
  else may({ resource: 'users', name });
  for (const group of given) may({ resource: 'groups', name: group });
  const group = 'authentication.k8s.io';
  if (uid) may({ resource: 'uids', name: uid, group });
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) may({ resource: 'userextras', subresource: key, name: value, group });
  }
  const usual = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  const groups = given.length > 0 ? given : usual;
  const isSaid = groups.includes(authenticated) || groups.includes(unauthenticated);
  const all = name === anonymousName ? unauthenticated : authenticated;
  return {
    name,
    groups: isSaid ? groups : [...groups, all],
    ...(uid && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Returns the values by key; a key is encoded as in a URL. Throws 400 for a key that cannot be decoded. */
function extraOf(headers: Headers['headersDistinct']): Readonly<Record<string, readonly string[]>> {
  const entries = Object.entries(headers).flatMap(([name, values = []]): [string, string[]][] => {
    if (!name.startsWith(extraPrefix)) return [];
    try {
      return [[decodeURIComponent(name.slice(extraPrefix.length)), values]];
    } catch {
      throw badRequest(`the header ${name} cannot be decoded`);
    }
  });
  return Object.fromEntries(entries);
}
