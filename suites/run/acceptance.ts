// Whether the target accepted a request as a request of a known user. No other file decides this from a response.

import type { Call } from '../client/calls.js';
import { fail, status, Unchecked } from '../client/expect.js';
import { at } from '../client/json.js';
import type { RawAnswer } from '../client/rawRequest.js';
import type { Reply } from '../client/reply.js';
import type { Credential } from '../requirements/index.js';
import { anyRequest } from './anonymousAccess.js';
import type { Context } from './context.js';
import { anonymousUser, identify, type UserIdentity, userNamedIn } from './identity.js';

/**
 * `accepted`: as a user. `refused`: not authenticated, or forbidden to the anonymous user. `anonymous`: allowed to the
 * anonymous user. `forbidden`: a 403 that names no user. `failed`: a server error. `unknown`: the user of the request
 * is not observable.
 */
type Standing = 'accepted' | 'refused' | 'anonymous' | 'forbidden' | 'failed' | 'unknown';

/** The standings that the responses do not show themselves, as found by `learn`. */
const found = new WeakMap<Reply, Standing>();

function standing(reply: Reply): Standing {
  if (reply.status === 401) return 'refused';
  const named = userNamedIn(reply);
  if (named !== undefined) return named === anonymousUser ? 'refused' : 'accepted';
  const known = found.get(reply);
  if (known !== undefined) return known;
  if (reply.status === 403) return 'forbidden';
  if (reply.status >= 500) return 'failed';
  // every user may send this request, so any client error is a refusal of the credential
  return isAny(reply) && reply.status >= 400 ? 'refused' : 'accepted';
}

const isAny = ({ request }: Reply): boolean => request === `${anyRequest.method} ${anyRequest.path}`;

/** Finds out how the target took a request if the response does not show it. `identityOf` asks the target. */
async function learn(
  { run }: Pick<Context, 'run'>,
  reply: Reply,
  identityOf: () => Promise<UserIdentity | undefined>,
): Promise<Reply> {
  const { anonymousAccess } = run;
  if (anonymousAccess === undefined || userNamedIn(reply) !== undefined) return reply;
  const isSame = reply.status === anonymousAccess.status && reply.excerpt() === anonymousAccess.excerpt;
  if (anonymousAccess.anonymous === undefined) {
    if (isSame && reply.status > 399) found.set(reply, 'refused');
  } else if (isAny(reply) ? reply.status < 300 && anonymousAccess.status < 300 : isOfAnybody(reply)) {
    const identity = await identityOf();
    found.set(reply, identity === undefined ? 'unknown' : identity.name === anonymousUser ? 'anonymous' : 'accepted');
  }
  return reply;
}

type Asking = Pick<Context, 'client' | 'run'>;

/** Reports whether the anonymous user may get such a response. */
const isOfAnybody = ({ status }: Reply): boolean => ![401, 403].includes(status) && status < 500;

/** Returns the response after the target was asked for the user of that credential. */
export function identified(context: Asking, credential: Credential | 'none', reply: Reply): Promise<Reply> {
  const as = credential === 'none' ? {} : credential;
  return learn(context, reply, () => identify(context.client, as, context.run.runId));
}

/** Returns the response to a request whose credential cannot be sent again, so the target is not asked. */
export async function unidentified<T extends Reply | undefined>(context: Pick<Context, 'run'>, reply: T): Promise<T> {
  if (reply !== undefined) await learn(context, reply, async () => undefined);
  return reply;
}

/** Does the same as `unidentified` for the response to a raw request. */
export async function unidentifiedRaw(context: Pick<Context, 'run'>, answer: RawAnswer): Promise<RawAnswer> {
  await unidentified(context, answer.reply);
  return answer;
}

/** The identities of credentials that are sent several times. */
const identities = new WeakMap<Asking, Map<string, Promise<UserIdentity | undefined>>>();

/** Does the same as `identified` for a credential that is valid for the whole run: asks the target once. */
export function identifiedOnce(context: Asking, credential: Credential | 'none', reply: Reply): Promise<Reply> {
  const as = credential === 'none' ? {} : credential;
  const known = identities.get(context) ?? new Map<string, Promise<UserIdentity | undefined>>();
  identities.set(context, known);
  return learn(context, reply, () => {
    const key = JSON.stringify(as);
    const asked = known.get(key) ?? identify(context.client, as, context.run.runId);
    known.set(key, asked);
    return asked;
  });
}

/** Returns the standing that a response shows. Throws Unchecked if the response shows none. */
function knownStanding(reply: Reply): Standing {
  const took = standing(reply);
  if (took === 'unknown')
    throw new Unchecked(
      'not-supported',
      'identity not observable: the target accepts anonymous users, and nothing shows as which user the request was accepted',
    );
  return took;
}

const refusals: readonly Standing[] = ['refused', 'anonymous'];

/** Reports whether a request was not refused, as far as the response shows it. */
export const wasAccepted = (reply: Reply): boolean => !refusals.includes(standing(reply));

/** Throws Failure unless the request was accepted as a request of a user. */
export function accepted(reply: Reply | undefined): void {
  if (reply === undefined) fail('a valid certificate was not accepted: the connection ended without a response');
  if (refusals.includes(knownStanding(reply)))
    fail(`${reply.request}: a valid credential was not accepted: ${reply.status} ${reply.excerpt()}`);
}

/** Throws Failure if the request was accepted. Any other response passes, and no response passes too. */
export function notAccepted(reply: Reply | undefined): void {
  if (reply !== undefined && knownStanding(reply) === 'accepted')
    fail(`${reply.request}: accepted, with ${reply.status} ${reply.excerpt()}`);
}

/** Throws Failure unless the request was refused by a client error, or the connection was refused. */
export function rejected(reply: Reply | undefined): void {
  notAccepted(reply);
  if (reply !== undefined && reply.status >= 500)
    fail(`${reply.request}: expected a client error (4xx), got ${reply.status} ${reply.excerpt()}`);
}

/**
 * Does the same as `rejected` for a request that the anonymous user may not send. Throws Unchecked if the target allows
 * the request to that user.
 */
export function rejectedForAnonymous(reply: Reply): void {
  if (knownStanding(reply) === 'anonymous')
    throw new Unchecked('not-supported', 'the target accepts anonymous users: they may send this request');
  rejected(reply);
}

/** Throws Failure unless the request was refused with 401, or with a 403 for the anonymous user. */
export function unauthorized(reply: Reply): void {
  rejectedForAnonymous(reply);
  if (userNamedIn(reply) !== anonymousUser) status(reply, 401);
}

/**
 * Returns the response to an operation with a credential that is not valid. Throws Unchecked if the target does not
 * serve the operation to the user of the run either: that is a matter of `surface.served`.
 */
export async function refusalOf(context: Asking, call: Call, as: Credential | 'none'): Promise<Reply> {
  const reply = await context.client.send({ ...call, as });
  if (!isUnserved(reply)) return await identifiedOnce(context, as, reply);
  const own = await context.client.send(call);
  if (isUnserved(own)) throw new Unchecked('skipped', `${own.request}: not served: ${own.status} ${own.excerpt()}`);
  // hidden from everybody who is not known
  found.set(reply, 'refused');
  return reply;
}

/** Reports whether a response says that nothing is served there: a 405, or a 404 that names no object. */
function isUnserved(reply: Reply): boolean {
  if (reply.status !== 404) return reply.status === 405;
  return at(reply.tryValue(), 'details', 'name') === undefined && !reply.bytes.includes('" not found');
}
