// How late the controllers of a target are: asked when a case has waited in vain, because they may be stopped, or change
// their leader, at any time.
import { Prerequisite } from '../client/expect.js';
import { pathTo } from '../client/paths.js';
import { eventually } from './eventually.js';
import { byId, namespaces } from './related.js';
import type { Sandbox } from './sandbox.js';

const accounts = byId('core/serviceaccounts');

/** How many times the timeout of a run the controllers may be away before a case is given up. */
const patience = 3;

/** The sandboxes whose target has controllers: one of them has created the account of a namespace. */
const controlled = new WeakSet<Sandbox>();

/**
 * Waits for the work of a controller, as `eventually` does with the timeout of the run. If it does not come, asks the
 * controllers for something else: the account of a new namespace. If that is late too, the controllers were away: they
 * are waited for, and get their time again. Throws Prerequisite if they stay away. A target that never had the account
 * of a namespace has no such controllers, and gets no more time.
 */
export async function whenControlled<T>(
  sandbox: Sandbox,
  look: () => Promise<T>,
  settled: (seen: T) => boolean,
): Promise<T> {
  const first = await eventually(look, settled, sandbox.timeout);
  if (settled(first) || !sandbox.hasNamespaces || !(await hadControllers(sandbox))) return first;
  await comeBack(sandbox);
  return eventually(look, settled, sandbox.timeout);
}

/** Reports whether a controller has ever created the account of the sandbox's own namespace. */
async function hadControllers(sandbox: Sandbox): Promise<boolean> {
  if (!controlled.has(sandbox) && (await hasAccount(sandbox, await sandbox.namespace()))) controlled.add(sandbox);
  return controlled.has(sandbox);
}

async function hasAccount({ client }: Sandbox, namespace: string): Promise<boolean> {
  const path = pathTo(accounts, 'read', namespace, 'default');
  return (await client.send({ method: 'GET', path })).status === 200;
}

/** Waits until a controller creates the account of a new namespace. */
async function comeBack(sandbox: Sandbox): Promise<void> {
  const { name } = await sandbox.make(namespaces);
  const isBack = await eventually(
    () => hasAccount(sandbox, name),
    (has) => has,
    patience * sandbox.timeout,
  );
  if (isBack) return;
  throw new Prerequisite(
    `the controllers of the target do not act: for ${(patience * sandbox.timeout) / 1000} s, namespace ${name} gets no account`,
  );
}
