// Admission: the effect of the objects of a namespace on a write that is valid in itself.
import type { Chapter } from '../requirements/types.js';

export const admission = {
  // Limit ranges
  'limit-range-defaults': {
    level: 'recommended',
    rule: '11.8',
    text: "A Pod without limits or requests gets the defaults of the namespace's LimitRange.",
    subjects: 'limitRangeDefaults',
    breaks: 'Pods run without limits in a namespace where an administrator has set defaults.',
  },
  'limit-range-limits': {
    level: 'recommended',
    rule: '11.8',
    text: "A Pod or claim beyond one of the namespace's LimitRanges is refused with 403 and not created.",
    subjects: 'limitRangeLimits',
    breaks: 'One Pod takes more than its namespace allows, and its neighbours starve.',
  },
  'limit-range-within': {
    level: 'recommended',
    rule: '11.8',
    text: "A Pod or claim within the namespace's LimitRange, as it was last written, is created.",
    subjects: 'limitRangeLimits',
    breaks: 'A Pod that fits is refused, and a deployment stops.',
  },
  // Quotas
  'quota-status': {
    level: 'recommended',
    rule: '11.9',
    text: 'The status of a new ResourceQuota shows the hard limits of its spec and what was in use before it.',
    subjects: 'quotaStatus',
    feature: 'quota-controller',
    breaks: 'Users and dashboards cannot see how much of the quota is left.',
  },
  'quota-enforced': {
    level: 'recommended',
    rule: '11.9',
    text: "An object beyond the namespace's ResourceQuota is refused with 403 and not created.",
    subjects: 'quotaLimits',
    breaks: 'A namespace takes more than its share of the cluster.',
  },
  'quota-within': {
    level: 'recommended',
    rule: '11.9',
    text: "An object within the namespace's ResourceQuota is created.",
    subjects: 'quotaLimits',
    breaks: 'A Pod that fits is refused, and a deployment stops.',
  },
  'quota-used': {
    level: 'recommended',
    rule: '11.9',
    text: 'The status of a ResourceQuota shows what is in use once an object is created.',
    subjects: 'quotaLimits',
    breaks: 'Users and dashboards cannot see how much of the quota is left.',
  },
  'quota-released': {
    level: 'recommended',
    rule: '11.9',
    text: 'The status of a ResourceQuota follows deletes, and the end of Pods: what a deleted object or a finished Pod used is available again.',
    subjects: 'quotaLimits',
    feature: 'quota-controller',
    breaks: 'A namespace stays full after its objects are deleted, and nothing can be created in it.',
  },
  'quota-concurrent': {
    level: 'recommended',
    rule: '11.9',
    text: 'Creates at the same time never exceed the ResourceQuota.',
    subjects: 'quotaRaces',
    breaks: 'A quota can be exceeded by sending several requests at once.',
  },
  'quota-update': {
    level: 'recommended',
    rule: '11.9',
    text: 'An update beyond the ResourceQuota is refused with 403 and changes nothing, until the quota is raised.',
    subjects: 'quotaUpdates',
    breaks: 'A namespace takes more than its share of the cluster.',
  },
  'quota-unsaid': {
    level: 'recommended',
    rule: '11.9',
    text: 'A Pod that does not declare how much it uses of a limited resource is refused with 403 and not created.',
    subjects: 'quotaUnsaid',
    breaks: 'A namespace takes more than its share of the cluster.',
  },
  'quota-scope': {
    level: 'recommended',
    rule: '11.9',
    text: 'A ResourceQuota with a scope, beside another one, limits the Pods in that scope and no others.',
    subjects: 'quotaScopes',
    breaks: 'A quota for short-lived Pods also blocks the long-running ones.',
  },
} as const satisfies Chapter;
