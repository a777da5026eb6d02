// Combines mechanisms: the first success ends the evaluation (Authentication/General rules, 2).
import type { IncomingMessage } from 'node:http';
import { unauthorized } from '../errors.js';
import { unauthenticated } from './anonymous.js';
import type { Authenticator, User } from './authenticator.js';

export interface NamedAuthenticator {
  readonly name: string;
  readonly authenticate: Authenticator;
}

/** Receives each rejection, by mechanism. Reasons never reach the client. */
export type RejectionLog = (mechanism: string, reason: string) => void;

/** The group of all authenticated users. */
const authenticated = 'system:authenticated';

/**
 * Combines mechanisms. A mechanism that rejects or fails does not end the evaluation, because a later one may accept
 * the credential. The returned function throws 401 if no mechanism succeeds. It returns a promise only if a mechanism
 * does.
 */
export function union(
  mechanisms: readonly NamedAuthenticator[],
  onRejection: RejectionLog = () => {},
): (request: IncomingMessage, audiences?: readonly string[]) => User | Promise<User> {
  const attempt = (
    { name, authenticate }: NamedAuthenticator,
    request: IncomingMessage,
    audiences: readonly string[] | undefined,
  ) => {
    const reject = (error: unknown) => {
      onRejection(name, error instanceof Error ? error.message : String(error));
      return undefined;
    };
    try {
      const user = authenticate(request, audiences);
      return user instanceof Promise ? user.catch(reject) : user;
    } catch (error) {
      return reject(error);
    }
  };
  const goOn = async (
    first: Promise<User | undefined>,
    request: IncomingMessage,
    audiences: readonly string[] | undefined,
    from: number,
  ): Promise<User> => {
    let user = await first;
    for (let index = from; user === undefined && index < mechanisms.length; index++) {
      user = await attempt(mechanisms[index] as NamedAuthenticator, request, audiences);
    }
    if (user === undefined) throw unauthorized();
    return withGroup(user);
  };
  return (request, audiences) => {
    for (let index = 0; index < mechanisms.length; index++) {
      const user = attempt(mechanisms[index] as NamedAuthenticator, request, audiences);
      if (user instanceof Promise) return goOn(user, request, audiences, index + 1);
      if (user !== undefined) return withGroup(user);
    }
    throw unauthorized();
  };
}

/** Users with the group of all authenticated users. Most mechanisms return the same user for each request. */
const grouped = new WeakMap<User, User>();

function withGroup(user: User): User {
  const known = grouped.get(user);
  if (known !== undefined) return known;
  const { groups } = user;
  const isComplete = groups.includes(authenticated) || groups.includes(unauthenticated);
  const complete = isComplete ? user : { ...user, groups: [...groups, authenticated] };
  grouped.set(user, complete);
  return complete;
}
