// The continue token of a page: the key after which the next page begins, and the revision of the list.
import { badRequest, expired } from '../errors.js';
import type { StatusError } from '../statusError.js';

export interface Continuation {
  /** The key of the last object on earlier pages. */
  readonly after: string;
  /** The revision of the list; undefined means the newest revision, regardless of earlier pages. */
  readonly revision: number | undefined;
}

/** The revision in a token that means the newest revision. */
const newest = -1;

/** Returns the token, which clients pass back unchanged. */
export function continueToken({ after, revision = newest }: Continuation): string {
  return Buffer.from(JSON.stringify({ v: 1, rv: revision, after })).toString('base64url');
}

/**
 * Parses a continue token of a list whose keys have the prefix. Throws 400 for an invalid token or a token of another
 * list.
 */
export function parseContinueToken(token: string, prefix: string): Continuation {
  const { v, rv, after } = fieldsOf(token);
  if (v !== 1) throw invalidToken(`server does not recognize this encoded version ${v ?? ''}`);
  if (!Number.isSafeInteger(rv) || rv === 0) throw invalidToken('incorrect encoded start resourceVersion (version 1)');
  if (typeof after !== 'string' || !after.startsWith(prefix)) throw invalidToken('it belongs to another list');
  return { after, revision: (rv as number) < 0 ? undefined : (rv as number) };
}

/**
 * The 410 for a page whose revision is no longer in history, with a token that continues after the same key at the
 * newest revision.
 */
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
    // The error follows below.
  }
  throw invalidToken(`illegal base64 data at input byte ${Math.max(0, token.search(/[^\w-]/))}`);
}

const invalidToken = (why: string): StatusError =>
  badRequest(`invalid continue token: continue key is not valid: ${why}`);
