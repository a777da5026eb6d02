// Credentials that expire while they are in use.
import { Unchecked } from '../client/expect.js';
import type { Reply } from '../client/reply.js';
import { eventually } from '../objects/eventually.js';
import { wasAccepted } from './acceptance.js';
import type { Context } from './context.js';
import { sendUnwelcome } from './credentialChecks.js';

/** Seconds that a credential is valid: short, and long for a target that is too slow to answer in the short time. */
const lifetimes = [4, 40] as const;
/** Milliseconds between two uses of a valid credential, which keep its connection open. */
const between = 1_000;
/** Milliseconds until an expired credential must be refused: servers cache users, and allow for clocks that differ. */
const timeout = 90_000;

/** The response to a credential while it was valid, and the last response after it had expired. */
export interface Outlived {
  readonly before: Reply | undefined;
  readonly after: Reply | undefined;
}

/**
 * Uses a credential until it has expired, and from then until it is refused. `make` returns what a request carries that
 * is valid until a time in seconds since 1970. Throws Unchecked if the target is too slow.
 */
export async function outlive(
  context: Context,
  make: (exp: number) => Promise<Parameters<typeof sendUnwelcome>[0]>,
): Promise<Outlived> {
  for (const lifetime of lifetimes) {
    const exp = Math.floor(Date.now() / 1000) + lifetime;
    const carried = await make(exp);
    const ask = () => sendUnwelcome(carried, context);
    const before = await ask();
    if ((before === undefined || !wasAccepted(before)) && Date.now() / 1000 >= exp) continue;
    for (let left = lifetime * 1000; left > 0; left = exp * 1000 - Date.now()) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, between)));
      await ask();
    }
    const isRefused = (reply: Reply | undefined): boolean => reply === undefined || !wasAccepted(reply);
    return { before, after: await eventually(ask, isRefused, context.run.timeout ?? timeout) };
  }
  throw new Unchecked('skipped', `no response came within the ${lifetimes[1]} seconds that a credential was valid`);
}
