// The consequences for clients if a requirement of the chapter admission is violated.
import type { Breaks } from './types.js';

export const admission = [
  [['limit-range-defaults'], 'Pods run without limits in a namespace where an administrator has set defaults.'],
  [['limit-range-limits'], 'One Pod takes more than its namespace allows, and its neighbours starve.'],
  [['limit-range-within', 'quota-within'], 'A Pod that fits is refused, and a deployment stops.'],
  [['quota-status', 'quota-used'], 'Users and dashboards cannot see how much of the quota is left.'],
  [['quota-enforced', 'quota-update', 'quota-unsaid'], 'A namespace takes more than its share of the cluster.'],
  [['quota-released'], 'A namespace stays full after its objects are deleted, and nothing can be created in it.'],
  [['quota-concurrent'], 'A quota can be exceeded by sending several requests at once.'],
  [['quota-scope'], 'A quota for short-lived Pods also blocks the long-running ones.'],
] as const satisfies Breaks;
