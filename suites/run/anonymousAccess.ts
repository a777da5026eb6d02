// How a target responds to requests without credentials: with a refusal, or as to the anonymous user.
import type { FoundKind } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { NoAnswer, type Reply } from '../client/reply.js';
import { prefixOfVersion } from '../objects/kinds/discovered.js';
import { anonymousUser, identify, userNamedIn } from './identity.js';
import type { AnonymousAccess } from './settings.js';

/** A request that every user may send. */
export const anyRequest = { method: 'GET', path: '/api/v1' } as const;
/** A request that needs a permission. */
const guarded = { method: 'GET', path: '/api/v1/nodes' } as const;

/**
 * Sends harmless requests without credentials. A success alone does not prove an anonymous user: the target must name
 * that user somewhere, unless the run only reads and cannot ask. `instead`: a kind of a target that has no core kinds.
 * Such a target leaves authentication to another server and names no users, so that a success is enough. Returns
 * undefined if no response arrives.
 */
export async function findAnonymousAccess(
  client: Client,
  runId: string,
  instead?: FoundKind,
): Promise<AnonymousAccess | undefined> {
  const send = (call: { readonly method: string; readonly path: string }) => client.send({ ...call, as: 'none' });
  try {
    const any = await send(instead === undefined ? anyRequest : { method: 'GET', path: listPathOf(instead) });
    const needing = instead === undefined ? await send(guarded) : any;
    const areEnough = instead !== undefined || client.target.readOnly === true;
    const anonymous = await kindOf([any, needing], async () => areEnough || (await isNamed(client, runId)));
    return { ...(anonymous && { anonymous }), status: any.status, excerpt: any.excerpt() };
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

const listPathOf = (kind: FoundKind): string => `${prefixOfVersion(kind)}/${kind.plural}`;

async function kindOf(
  replies: readonly Reply[],
  isProven: () => Promise<boolean>,
): Promise<AnonymousAccess['anonymous']> {
  if (replies.some((reply) => userNamedIn(reply) === anonymousUser)) return 'forbidden';
  if (replies.some(({ status }) => status > 299)) return undefined;
  return (await isProven()) ? 'allowed' : undefined;
}

/** Reports whether the target names the anonymous user for a request without credentials. */
const isNamed = async (client: Client, runId: string): Promise<boolean> =>
  (await identify(client, {}, runId))?.name === anonymousUser;

/** Returns one line for the head of a run and for its report; undefined if the target has no anonymous user. */
export function anonymousNote({ anonymous }: AnonymousAccess): string | undefined {
  if (anonymous === undefined) return undefined;
  const may = anonymous === 'forbidden' ? 'may not do what needs a permission' : 'may do what others may';
  return `anonymous access is on: requests without credentials are from ${anonymousUser}, who ${may}; a credential counts as refused if the response is to that user`;
}
