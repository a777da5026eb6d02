// Whether a response refuses the user: by authentication or by an authorizer. Admission and quotas return 403 too.
import { at } from './json.js';
import type { Reply } from './reply.js';

/** The words of an authorizer about a user. */
const authorizers = /\buser "[^"]*" cannot\b/i;
/** Causes that do not depend on the user: the request would be refused for every user. */
const otherCauses =
  /is forbidden: (?!user )|quota|exceeded|admission|service ?account|webhook|denied the request|violates|not allowed/i;

/** Reports whether the response refuses the credentials (401) or the user's permissions (403, no other cause). */
export function isDenied(reply: Reply): boolean {
  if (reply.status === 401) return true;
  if (reply.status !== 403) return false;
  const message = at(reply.tryValue(), 'message');
  const text = typeof message === 'string' ? message : reply.bytes.toString('utf8', 0, 2_000);
  return authorizers.test(text) || !otherCauses.test(text);
}
