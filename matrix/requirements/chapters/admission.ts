// Admission: the effect of the objects of a namespace on a write that is valid in itself.
import type { Chapter } from '../types.js';

const source = ['Other rules/3'] as const;

export const admission = {
  // Limit ranges
  'limit-range-defaults': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: "A Pod without limits or requests gets the defaults of the namespace's LimitRange.",
    subjects: 'limitRangeDefaults',
  },
  'limit-range-limits': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: "A Pod or claim beyond the namespace's LimitRange is refused with 403 and not created.",
    subjects: 'limitRangeLimits',
  },
  'limit-range-within': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: "A Pod or claim within the namespace's LimitRange is created.",
    subjects: 'limitRangeLimits',
  },
  // Quotas
  'quota-status': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'The status of a new ResourceQuota shows the hard limits of its spec and what was in use before it.',
    subjects: 'quotaStatus',
    feature: 'quota-controller',
  },
  'quota-enforced': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: "An object beyond the namespace's ResourceQuota is refused with 403 and not created.",
    subjects: 'quotaLimits',
  },
  'quota-within': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: "An object within the namespace's ResourceQuota is created.",
    subjects: 'quotaLimits',
  },
  'quota-used': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'The status of a ResourceQuota shows what is in use once an object is created.',
    subjects: 'quotaLimits',
  },
  'quota-released': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'The status of a ResourceQuota follows deletes: what a deleted object used is available again.',
    subjects: 'quotaLimits',
    feature: 'quota-controller',
  },
  'quota-concurrent': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'Creates at the same time never exceed the ResourceQuota.',
    subjects: 'quotaRaces',
  },
  'quota-update': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'An update beyond the ResourceQuota is refused with 403 and changes nothing.',
    subjects: 'quotaUpdates',
  },
  'quota-unsaid': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A Pod that does not declare how much it uses of a limited resource is refused with 403 and not created.',
    subjects: 'quotaUnsaid',
  },
  'quota-scope': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A ResourceQuota with a scope limits the Pods in that scope and no others.',
    subjects: 'quotaScopes',
  },
} as const satisfies Chapter;
