// The token that a page of a list ends with: where the next page begins, and of which state it is.
import { badRequest, expired, type StatusError } from '../errors.js';

export interface Continuation {
  /** The key of the last object that the client has. */
  readonly after: string;
  /** The revision of the state that the pages are of; undefined for the newest, whatever the pages before were of. */
  readonly revision: number | undefined;
}

/** What stands for the newest state in a token. */
const newest = -1;

/** Clients pass it back as it is. */
export function continueToken({ after, revision = newest }: Continuation): string {
  return Buffer.from(JSON.stringify({ v: 1, rv: revision, after })).toString('base64url');
}

/** Reads a token of a list whose keys have the prefix. Throws 400. */
export function parseContinueToken(token: string, prefix: string): Continuation {
  const { v, rv, after } = fieldsOf(token);
  if (v !== 1) throw invalidToken(`server does not recognize this encoded version ${JSON.stringify(v ?? '')}`);
  if (!Number.isSafeInteger(rv) || rv === 0) throw invalidToken('incorrect encoded start resourceVersion (version 1)');
  if (typeof after !== 'string' || !after.startsWith(prefix)) throw invalidToken('it belongs to another list');
  return { after, revision: (rv as number) < 0 ? undefined : (rv as number) };
}

/** 410 for pages whose state is no longer in history, with a token that goes on from the same key in the newest one. */
export const continueExpired = ({ after }: Continuation): StatusError =>
  expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    continueToken({ after, revision: undefined }),
  );

function fieldsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Told below.
  }
  throw badRequest('invalid continue token: continue key is not valid');
}

const invalidToken = (why: string): StatusError =>
  badRequest(`invalid continue token: continue key is not valid: ${why}`);
