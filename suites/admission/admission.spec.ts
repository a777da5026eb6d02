// Admission: the effect of the limit ranges and quotas of a namespace on a write.

import { equal, fail, holds, success } from '../client/expect.js';
import { at } from '../client/json.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import { defaulted, limited } from './limitRanges.js';
import { refusedByAdmission } from './objects.js';
import { quotaFilled, quotaOfExisting, quotaOutgrown, quotaRaced, quotaScoped, quotaUnsaid } from './quotas.js';

defineChapter('admission', [
  group({
    subjects: 'limitRangeDefaults',
    setup: ({ variant }, { sandbox }) => defaulted(sandbox, variant),
    checks: {
      'limit-range-defaults': ({ request, read, containers }) => {
        for (const [index, resources] of containers.entries()) {
          const found = at(read, 'spec', 'containers', index, 'resources');
          holds(found, resources, `${request}, then read: resources of container ${index}`);
        }
      },
    },
  }),
  group({
    subjects: 'limitRangeLimits',
    setup: ({ variant }, { sandbox }) => limited(sandbox, variant),
    checks: {
      'limit-range-limits': ({ over, overCount }) => refusedByAdmission(over, overCount),
      'limit-range-within': ({ made, later }) => {
        success(made);
        success(later);
      },
    },
  }),
  group({
    subjects: 'quotaStatus',
    setup: (_, { sandbox }) => quotaOfExisting(sandbox),
    checks: {
      'quota-status': ({ status }) => {
        const expected = { hard: { persistentvolumeclaims: '5' }, used: { persistentvolumeclaims: '1' } };
        holds(status, expected, 'status of a new quota');
      },
    },
  }),
  group({
    subjects: 'quotaLimits',
    setup: ({ variant }, { sandbox }) => quotaFilled(sandbox, variant),
    checks: {
      'quota-enforced': ({ over, overCount }) => refusedByAdmission(over, overCount),
      'quota-within': ({ made }) => success(made),
      'quota-used': ({ name, expected, afterCreate }) =>
        equal(afterCreate, expected, `status.used of ${name} after a create`),
      'quota-released': ({ name, made, ended, afterDelete: { shown, actual } }) => {
        success(made);
        if (ended !== undefined) {
          equal(ended.after.shown, ended.after.actual, `status.used of ${name} after the end of the Pod`);
          success(ended.next);
        }
        equal(shown, actual, `status.used of ${name} after the delete`);
      },
    },
  }),
  group({
    subjects: 'quotaRaces',
    setup: ({ variant }, { sandbox }) => quotaRaced(sandbox, variant),
    checks: {
      'quota-concurrent': ({ places, made, there }) => {
        if (made > places) fail(`${made} creates succeeded where the quota has room for ${places}`);
        equal(there, made, 'objects after as many creates succeeded');
      },
    },
  }),
  group({
    subjects: 'quotaUpdates',
    setup: (_, { sandbox }) => quotaOutgrown(sandbox),
    checks: {
      'quota-update': ({ reply, type, fits }) => {
        refusedByAdmission(reply, 0);
        equal(type, 'ClusterIP', 'spec.type after the refused update');
        success(fits);
      },
    },
  }),
  group({
    subjects: 'quotaUnsaid',
    setup: ({ variant }, { sandbox }) => quotaUnsaid(sandbox, variant),
    checks: { 'quota-unsaid': ({ reply, count }) => refusedByAdmission(reply, count) },
  }),
  group({
    subjects: 'quotaScopes',
    setup: ({ variant }, { sandbox }) => quotaScoped(sandbox, variant),
    checks: {
      'quota-scope': ({ made, over, overCount }) => {
        success(made);
        refusedByAdmission(over, overCount);
      },
    },
  }),
]);
