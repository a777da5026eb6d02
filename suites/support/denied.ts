// Whether a refusal is about who asks: authentication, or an authorizer. Admission and quotas answer 403 too.
import { at } from './json.js';
import type { Reply } from './reply.js';

/** What an authorizer says of a user. */
const authorizers = /\buser "[^"]*" cannot\b/i;
/** A cause that is none of the user's: what is refused would be refused to everybody. */
const otherCauses =
  /is forbidden: (?!user )|quota|exceeded|admission|service ?account|webhook|denied the request|violates|not allowed/i;

/** Whether the answer refuses its credentials (401), or what their user may do (403 without another cause). */
export function isDenied(reply: Reply): boolean {
  if (reply.status === 401) return true;
  if (reply.status !== 403) return false;
  const message = at(reply.tryValue(), 'message');
  const text = typeof message === 'string' ? message : reply.bytes.toString('utf8', 0, 2_000);
  return authorizers.test(text) || !otherCauses.test(text);
}
