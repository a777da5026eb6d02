// Whether the target accepted a request as that of a user whom it knows: judged here alone, by what its answer says.
import type { Credential } from '../../matrix/requirements/index.js';
import { fail, status, Unjudged } from './expect.js';
import { anonymousUser, type Identity, identify, userNamedIn } from './identity.js';
import type { RawAnswer } from './rawRequest.js';
import type { Reply } from './reply.js';
import { anyRequest } from './strangers.js';
import type { Context } from './worker.js';

/**
 * `accepted`: as a user. `refused`: as nobody, or the anonymous user is forbidden it. `anonymous`: as the anonymous
 * user, who may do it. `forbidden`: a 403 that names no user. `failed`: the target had trouble of its own. `unknown`:
 * nothing tells whose the request was taken for.
 */
type Standing = 'accepted' | 'refused' | 'anonymous' | 'forbidden' | 'failed' | 'unknown';

/** What was found out of answers that do not say it themselves. */
const found = new WeakMap<Reply, Standing>();

function standing(reply: Reply): Standing {
  if (reply.status === 401) return 'refused';
  const named = userNamedIn(reply);
  if (named !== undefined) return named === anonymousUser ? 'refused' : 'accepted';
  const known = found.get(reply);
  if (known !== undefined) return known;
  if (reply.status === 403) return 'forbidden';
  if (reply.status >= 500) return 'failed';
  // what every user may ask for is refused for no other reason
  return isAny(reply) && reply.status >= 400 ? 'refused' : 'accepted';
}

const isAny = ({ request }: Reply): boolean => request === `${anyRequest.method} ${anyRequest.path}`;

/** Finds out how the target took a request, where its answer does not say it. `identityOf` asks the target. */
async function learn(
  { run }: Pick<Context, 'run'>,
  reply: Reply,
  identityOf: () => Promise<Identity | undefined>,
): Promise<Reply> {
  const { strangers } = run;
  if (strangers === undefined || userNamedIn(reply) !== undefined) return reply;
  const isSame = reply.status === strangers.status && reply.excerpt() === strangers.excerpt;
  if (strangers.anonymous === undefined) {
    if (isSame && reply.status > 399) found.set(reply, 'refused');
  } else if (isAny(reply) ? reply.status < 300 && strangers.status < 300 : isOfAnybody(reply)) {
    const identity = await identityOf();
    found.set(reply, identity === undefined ? 'unknown' : identity.name === anonymousUser ? 'anonymous' : 'accepted');
  }
  return reply;
}

/** Who asks, in which run. */
type Asking = Pick<Context, 'client' | 'run'>;

/** Whether the anonymous user may get such an answer. */
const isOfAnybody = ({ status }: Reply): boolean => ![401, 403].includes(status) && status < 500;

/** The same answer, once it is known whose the request with that credential was taken for. */
export function told(context: Asking, credential: Credential | 'none', reply: Reply): Promise<Reply> {
  const as = credential === 'none' ? {} : credential;
  return learn(context, reply, () => identify(context.client, as, context.run.runId));
}

/** The same answer, to a request whose credential cannot be shown again. */
export async function toldNothing<T extends Reply | undefined>(context: Pick<Context, 'run'>, reply: T): Promise<T> {
  if (reply !== undefined) await learn(context, reply, async () => undefined);
  return reply;
}

/** The same of an answer to a raw request. */
export async function toldRaw(context: Pick<Context, 'run'>, answer: RawAnswer): Promise<RawAnswer> {
  await toldNothing(context, answer.reply);
  return answer;
}

/** Identities of credentials that are shown again and again. */
const identities = new WeakMap<Asking, Map<string, Promise<Identity | undefined>>>();

/** The same for a credential that lasts as long as the run: the target is asked once. */
export function toldOnce(context: Asking, credential: Credential | 'none', reply: Reply): Promise<Reply> {
  const as = credential === 'none' ? {} : credential;
  const known = identities.get(context) ?? new Map<string, Promise<Identity | undefined>>();
  identities.set(context, known);
  return learn(context, reply, () => {
    const key = JSON.stringify(as);
    const asked = known.get(key) ?? identify(context.client, as, context.run.runId);
    known.set(key, asked);
    return asked;
  });
}

/** The standing of what can be judged. Throws Unjudged where nothing tells it. */
function judged(reply: Reply): Standing {
  const took = standing(reply);
  if (took === 'unknown')
    throw new Unjudged(
      'not-supported',
      'identity not observable: the target lets anonymous users in, and nothing tells whose the request was taken for',
    );
  return took;
}

const refusals: readonly Standing[] = ['refused', 'anonymous'];

/** Whether an answer is to a request that was not refused, as far as it can be told. */
export const wasLetIn = (reply: Reply): boolean => !refusals.includes(standing(reply));

/** The request was accepted as that of a user. */
export function letIn(reply: Reply): void {
  if (refusals.includes(judged(reply)))
    fail(`${reply.request}: a valid credential was not accepted: ${reply.status} ${reply.excerpt()}`);
}

/** The request was not accepted, whatever the target had to say instead; no answer says so too. */
export function notAccepted(reply: Reply | undefined): void {
  if (reply !== undefined && judged(reply) === 'accepted')
    fail(`${reply.request}: accepted, with ${reply.status} ${reply.excerpt()}`);
}

/** The request was refused by a client error, or the connection was. */
export function keptOut(reply: Reply | undefined): void {
  notAccepted(reply);
  if (reply !== undefined && reply.status >= 500)
    fail(`${reply.request}: expected a client error (4xx), got ${reply.status} ${reply.excerpt()}`);
}

/** The same of a request that the anonymous user may not send. Throws Unjudged where the target allows it to that user. */
export function keptOutWhole(reply: Reply): void {
  if (judged(reply) === 'anonymous')
    throw new Unjudged('not-supported', 'the target lets anonymous users in: it allows the request to them');
  keptOut(reply);
}

/** A request that is refused is answered with 401, or with a 403 that says that the anonymous user may not send it. */
export function unauthorized(reply: Reply): void {
  keptOutWhole(reply);
  if (userNamedIn(reply) !== anonymousUser) status(reply, 401);
}
