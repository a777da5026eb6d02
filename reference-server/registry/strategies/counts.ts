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

/** Checks the same, and that no count of replicas exceeds the whole. */
export function validateReplicaCounts(object: KubeObject, causes: Causes): void {
  validateCounts(object, causes);
  const status = part<Status>(object, 'status');
  const count = (name: string): number => (typeof status[name] === 'number' ? status[name] : 0);
  const within = (name: string, whole: string) => {
    if (count(name) > count(whole))
      causes.invalid(`status.${name}`, count(name), `cannot be greater than status.${whole}`);
  };
  for (const name of ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']) within(name, 'replicas');
  within('availableReplicas', 'readyReplicas');
}
