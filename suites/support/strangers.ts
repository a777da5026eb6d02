// How a target answers who shows no credentials: with a refusal, or as the anonymous user.
import type { Client } from './client.js';
import { anonymousUser, identify, userNamedIn } from './identity.js';
import { NoAnswer, type Reply } from './reply.js';

/** A request that every user may send. */
export const anyRequest = { method: 'GET', path: '/api/v1' } as const;
/** One that needs a permission. */
const guarded = { method: 'GET', path: '/api/v1/nodes' } as const;

/** What a target answers to requests without credentials. */
export interface Strangers {
  /** Whether they are requests of the anonymous user: `forbidden` what needs a permission, or `allowed` it. */
  readonly anonymous?: 'forbidden' | 'allowed';
  /** Status and message of its answer to what every user may ask for. */
  readonly status: number;
  readonly excerpt: string;
}

/**
 * Asks without credentials for what is harmless. A success alone does not make the anonymous user: the target has to
 * name that user somewhere, unless the run only reads and cannot ask. Undefined where no answer comes.
 */
export async function findStrangers(client: Client, runId: string): Promise<Strangers | undefined> {
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

async function kindOf(client: Client, runId: string, any: Reply, needing: Reply): Promise<Strangers['anonymous']> {
  if ([any, needing].some((reply) => userNamedIn(reply) === anonymousUser)) return 'forbidden';
  if (any.status > 299 || needing.status > 299) return undefined;
  if (client.target.readOnly) return 'allowed';
  return (await identify(client, {}, runId))?.name === anonymousUser ? 'allowed' : undefined;
}

/** One line for the head of a run and for its report; undefined where the target has no anonymous user. */
export function anonymousNote({ anonymous }: Strangers): string | undefined {
  if (anonymous === undefined) return undefined;
  const may = anonymous === 'forbidden' ? 'may not do what needs a permission' : 'may do what others may';
  return `anonymous access is on: requests without credentials are from ${anonymousUser}, who ${may}; a credential counts as refused if the response is to that user`;
}
