// The counts of a status: none is negative, and no part exceeds the whole.
import { isNumeric } from '../../exactJson.js';
import type { Causes } from '../../schema/causes.js';
import { type KubeObject, part } from '../../schema/object.js';

type Status = Readonly<Record<string, unknown>>;

/** Checks that no number of a status is negative. */
export function validateCounts(object: KubeObject, causes: Causes): void {
  for (const [name, count] of Object.entries(part<Status>(object, 'status'))) {
    if (isNumeric(count)) causes.notNegative(`status.${name}`, count);
  }
}

/** Returns a function that checks the same, and that none of the named counts of replicas exceeds the whole. */
export const replicaCounts =
  (...names: readonly string[]) =>
  (object: KubeObject, _current: KubeObject, causes: Causes): void => {
    validateCounts(object, causes);
    const status = part<Status>(object, 'status');
    const within = (name: string, whole: string) => {
      const [count, most] = [status[name], status[whole] ?? 0];
      if (typeof count === 'number' && typeof most === 'number' && count > most)
        causes.invalid(`status.${name}`, count, `cannot be greater than status.${whole}`);
    };
    for (const name of names) within(name, 'replicas');
    within('availableReplicas', 'readyReplicas');
  };
