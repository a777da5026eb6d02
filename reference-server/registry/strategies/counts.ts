// The counts of a status: none is below zero, and no part is more than the whole.
import { type KubeObject, part } from '../../schema/object.js';
import type { Causes } from '../causes.js';

type Status = Readonly<Record<string, unknown>>;

/** Checks every number of a status. */
export function validateCounts(object: KubeObject, causes: Causes): void {
  for (const [name, count] of Object.entries(part<Status>(object, 'status'))) {
    if (typeof count === 'number') causes.notNegative(`status.${name}`, count);
  }
}

/** Same, for the replicas of a controller. */
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
