// Requests on behalf of another user (`kubectl --as`): the sender needs the right to send them.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { User } from '../authentication/authenticator.js';
import { badRequest, forbiddenResource, impersonationRefused, type ResourceAttributes } from '../errors.js';
import type { StatusError } from '../statusError.js';
import type { Allows } from './authorizer.js';

type Headers = Pick<IncomingMessage, 'headers' | 'headersDistinct'>;

const prefix = 'impersonate-';
const extraPrefix = `${prefix}extra-`;
const authenticated = 'system:authenticated';
const serviceAccount = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** Returns the first header that asks for another user. */
function firstHeaderIn(headers: IncomingHttpHeaders): string | undefined {
  for (const name in headers) if (name.startsWith(prefix)) return name;
  return undefined;
}

/**
 * Returns the refusal of a request on behalf of another user, or undefined for any other request: a server that knows no
 * such requests must not serve them as requests of their sender.
 */
export function refusedImpersonation(headers: IncomingHttpHeaders): StatusError | undefined {
  const name = firstHeaderIn(headers);
  return name === undefined ? undefined : impersonationRefused(name);
}

/**
 * Returns the user that a request is for: the sender, or the user that its headers name. Throws 400 if they name no
 * user, and 403 if the sender may not send the request for another user, one of the groups, or with some extra.
 */
export function effectiveUser(request: Headers, sender: User, allows: Allows): User {
  if (firstHeaderIn(request.headers) === undefined) return sender;
  // A header that occurs more than once, with its values apart: the name of a group may contain a comma.
  const headers = request.headersDistinct;
  const name = headers['impersonate-user']?.[0];
  if (!name) {
    const names = Object.keys(headers).filter((header) => header.startsWith(prefix));
    throw badRequest(`requested ${names.join(', ')} without impersonating a user: add the header Impersonate-User`);
  }
  const uid = headers['impersonate-uid']?.[0];
  const given = headers['impersonate-group'] ?? [];
  const extra = extraOf(headers);
  const may = (attributes: Pick<ResourceAttributes, 'resource' | 'name'> & Partial<ResourceAttributes>): void => {
    const asked = { verb: 'impersonate', group: '', subresource: '', namespace: '', ...attributes };
    if (!allows(sender, asked)) throw forbiddenResource(sender.name, asked);
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
  const isAnonymous = name === 'system:anonymous';
  return {
    name,
    groups: isAnonymous || groups.includes(authenticated) ? groups : [...groups, authenticated],
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
