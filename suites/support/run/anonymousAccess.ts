// How a target responds to requests without credentials: with a refusal, or as to the anonymous user.
import type { Client } from '../http/client.js';
import { NoAnswer, type Reply } from '../http/reply.js';
import { anonymousUser, identify, userNamedIn } from './identity.js';
import type { AnonymousAccess } from './settings.js';

/** A request that every user may send. */
export const anyRequest = { method: 'GET', path: '/api/v1' } as const;
/** A request that needs a permission. */
const guarded = { method: 'GET', path: '/api/v1/nodes' } as const;

/**
 * Sends harmless requests without credentials. A success alone does not prove an anonymous user: the target must name
 * that user somewhere, unless the run only reads and cannot ask. Returns undefined if no response arrives.
 */
export async function findAnonymousAccess(client: Client, runId: string): Promise<AnonymousAccess | undefined> {
  try {
    const any = await client.send({ ...anyRequest, as: 'none' });
    const needing = await client.send({ ...guarded, as: 'none' });
    const anonymous = await kindOf(client, runId, any, needing);
    return { ...(anonymous && { anonymous }), status: any.status, excerpt: any.excerpt() };
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

async function kindOf(
  client: Client,
  runId: string,
  any: Reply,
  needing: Reply,
): Promise<AnonymousAccess['anonymous']> {
  if ([any, needing].some((reply) => userNamedIn(reply) === anonymousUser)) return 'forbidden';
  if (any.status > 299 || needing.status > 299) return undefined;
  if (client.target.readOnly) return 'allowed';
  return (await identify(client, {}, runId))?.name === anonymousUser ? 'allowed' : undefined;
}

/** Returns one line for the head of a run and for its report; undefined if the target has no anonymous user. */
export function anonymousNote({ anonymous }: AnonymousAccess): string | undefined {
  if (anonymous === undefined) return undefined;
  const may = anonymous === 'forbidden' ? 'may not do what needs a permission' : 'may do what others may';
  return `anonymous access is on: requests without credentials are from ${anonymousUser}, who ${may}; a credential counts as refused if the response is to that user`;
}
