// How a target responds to requests without credentials: with a refusal, or as to the anonymous user.
import type { FoundKind } from '../../../matrix/api/index.js';
import type { Client } from '../http/client.js';
import { NoAnswer, type Reply } from '../http/reply.js';
import { prefixOfVersion } from '../kinds/discovered.js';
import { anonymousUser, identify, userNamedIn } from './identity.js';
import type { AnonymousAccess } from './settings.js';

/** A request that every user may send. */
export const anyRequest = { method: 'GET', path: '/api/v1' } as const;
/** A request that needs a permission. */
const guarded = { method: 'GET', path: '/api/v1/nodes' } as const;

/** Requests without credentials: one that every user may send, and one that needs a permission. */
interface Probes {
  readonly any: { readonly method: string; readonly path: string };
  readonly needing: { readonly method: string; readonly path: string };
  /** Whether a success is enough, because the target may have no way to name a user. */
  readonly areEnough: boolean;
}

/**
 * Sends harmless requests without credentials. A success alone does not prove an anonymous user: the target must name
 * that user somewhere, unless the run only reads and cannot ask, or the target has no core kinds: such a target leaves
 * authentication to another server, and names no users. Returns undefined if no response arrives.
 */
export async function findAnonymousAccess(
  client: Client,
  runId: string,
  kinds: readonly FoundKind[] = [],
): Promise<AnonymousAccess | undefined> {
  try {
    const probes = await probesFor(client, kinds);
    const any = await client.send({ ...probes.any, as: 'none' });
    const needing = await client.send({ ...probes.needing, as: 'none' });
    const anonymous = await kindOf(client, runId, { any, needing, areEnough: probes.areEnough });
    return { ...(anonymous && { anonymous }), status: any.status, excerpt: any.excerpt() };
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

/** Returns requests for the core kinds or, for a target without them, for a kind that it lists. */
async function probesFor(client: Client, kinds: readonly FoundKind[]): Promise<Probes> {
  const listed = kinds.find(({ verbs }) => verbs.includes('list'));
  const hasCore = listed === undefined || (await client.send(anyRequest)).status !== 404;
  if (hasCore) return { any: anyRequest, needing: guarded, areEnough: client.target.readOnly === true };
  const list = { method: 'GET', path: `${prefixOfVersion(listed)}/${listed.plural}` };
  return { any: list, needing: list, areEnough: true };
}

interface Answers {
  readonly any: Reply;
  readonly needing: Reply;
  readonly areEnough: boolean;
}

async function kindOf(
  client: Client,
  runId: string,
  { any, needing, areEnough }: Answers,
): Promise<AnonymousAccess['anonymous']> {
  if ([any, needing].some((reply) => userNamedIn(reply) === anonymousUser)) return 'forbidden';
  if (any.status > 299 || needing.status > 299) return undefined;
  if (areEnough) return 'allowed';
  return (await identify(client, {}, runId))?.name === anonymousUser ? 'allowed' : undefined;
}

/** Returns one line for the head of a run and for its report; undefined if the target has no anonymous user. */
export function anonymousNote({ anonymous }: AnonymousAccess): string | undefined {
  if (anonymous === undefined) return undefined;
  const may = anonymous === 'forbidden' ? 'may not do what needs a permission' : 'may do what others may';
  return `anonymous access is on: requests without credentials are from ${anonymousUser}, who ${may}; a credential counts as refused if the response is to that user`;
}
