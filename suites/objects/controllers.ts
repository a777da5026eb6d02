// How late the controllers of a target are: asked when a case has waited in vain, because they may be stopped, or change
// their leader, at any time.
import { Prerequisite } from '../client/expect.js';
import { pathTo } from '../client/paths.js';
import { runningTime } from '../client/runningTime.js';
import type { FeatureName, NotSupported } from '../requirements/index.js';
import { eventually } from './eventually.js';
import { byId, namespaces } from './related.js';
import type { Sandbox } from './sandbox.js';

const accounts = byId('core/serviceaccounts');

/** How many times the timeout of a run the controllers may be away before a case is given up. */
const patience = 3;
/** The parts of that timeout after each of which the controllers are asked: a stop in between is shorter than a part. */
const parts = 4;
/** How many times the timeout of a run controllers may take to try again what they could not complete. */
const backOff = 4;
/** Milliseconds within which an answer is never late. */
const prompt = 1_000;

/** The sandboxes whose target has controllers: one of them has created the account of a namespace. */
const controlled = new WeakSet<Sandbox>();

/**
 * Waits for the work of a controller, as `eventually` does with the timeout of the run. If it does not come, asks the
 * controllers again and again for something else: the account of a new namespace. The work gets its time once more, in
 * which they answered at once all along; if they did not always, the time after which they try it again. Throws
 * Prerequisite if they stay away, or come and go. A target that never had the account of a namespace has no such
 * controllers, and gets no more time.
 */
export async function whenControlled<T>(
  sandbox: Sandbox,
  look: () => Promise<T>,
  settled: (seen: T) => boolean,
): Promise<T> {
  let last = await eventually(look, settled, sandbox.timeout);
  if (settled(last) || !sandbox.hasNamespaces || !(await hadControllers(sandbox))) return last;
  const part = sandbox.timeout / parts;
  const end = runningTime() + 2 * patience * sandbox.timeout;
  let needed = sandbox.timeout;
  for (let since = runningTime(); runningTime() - since < needed; ) {
    const isLate = (await comeBack(sandbox)) >= Math.max(part, prompt);
    if (isLate) [since, needed] = [runningTime(), backOff * sandbox.timeout];
    last = await eventually(look, settled, part);
    if (settled(last)) return last;
    if (isLate && runningTime() > end)
      throw new Prerequisite('the controllers of the target come and go: what they must do is not awaited any longer');
  }
  return last;
}

/** Does the same for the work of one controller; looks only once if the target is known to run without it. */
export function whenControlledBy<T>(
  sandbox: Sandbox,
  controller: FeatureName,
  look: () => Promise<T>,
  settled: (seen: T) => boolean,
): Promise<T> {
  return absenceOf(sandbox, controller) === undefined ? whenControlled(sandbox, look, settled) : look();
}

/** Returns the known absence of a controller; undefined if the target may have it. */
export function absenceOf({ client }: Sandbox, controller: FeatureName): NotSupported | undefined {
  return client.target.notSupported.find(({ capability }) => capability === `feature:${controller}`);
}

/**
 * Reports whether a controller has ever created the account of a namespace: of `default`, because the controllers may be
 * away since the sandbox has its own, or of that one.
 */
export async function hadControllers(sandbox: Sandbox): Promise<boolean> {
  for (const namespace of ['default', await sandbox.namespace()])
    if (!controlled.has(sandbox) && (await hasAccount(sandbox, namespace))) controlled.add(sandbox);
  return controlled.has(sandbox);
}

async function hasAccount({ client }: Sandbox, namespace: string): Promise<boolean> {
  const path = pathTo(accounts, 'read', namespace, 'default');
  return (await client.send({ method: 'GET', path })).status === 200;
}

/** Waits until a controller creates the account of a new namespace. Returns the milliseconds that it took. */
async function comeBack(sandbox: Sandbox): Promise<number> {
  const { name } = await sandbox.make(namespaces);
  const began = runningTime();
  const isBack = await eventually(
    () => hasAccount(sandbox, name),
    (has) => has,
    patience * sandbox.timeout,
  );
  if (isBack) return runningTime() - began;
  throw new Prerequisite(
    `the controllers of the target do not act: for ${(patience * sandbox.timeout) / 1000} s, namespace ${name} gets no account`,
  );
}
