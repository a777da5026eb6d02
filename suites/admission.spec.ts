// Admission: the effect of the limit ranges and quotas of a namespace on a write.
import { defaulted, limited } from './admission/limitRanges.js';
import { refused } from './admission/objects.js';
import {
  quotaFilled,
  quotaOfExisting,
  quotaOutgrown,
  quotaRaced,
  quotaScoped,
  quotaUnsaid,
} from './admission/quotas.js';
import { equal, fail, holds, success } from './support/http/expect.js';
import { at } from './support/http/json.js';
import { defineChapter } from './support/run/chapter.js';

defineChapter(
  'admission',
  {
    limitRangeDefaults: ({ variant }, { sandbox }) => defaulted(sandbox, variant),
    limitRangeLimits: ({ variant }, { sandbox }) => limited(sandbox, variant),
    quotaStatus: (_, { sandbox }) => quotaOfExisting(sandbox),
    quotaLimits: ({ variant }, { sandbox }) => quotaFilled(sandbox, variant),
    quotaRaces: ({ variant }, { sandbox }) => quotaRaced(sandbox, variant),
    quotaUpdates: (_, { sandbox }) => quotaOutgrown(sandbox),
    quotaUnsaid: ({ variant }, { sandbox }) => quotaUnsaid(sandbox, variant),
    quotaScopes: ({ variant }, { sandbox }) => quotaScoped(sandbox, variant),
  },
  {
    'limit-range-defaults': ({ request, read, containers }) => {
      for (const [index, resources] of containers.entries()) {
        const found = at(read, 'spec', 'containers', index, 'resources');
        holds(found, resources, `${request}, then read: resources of container ${index}`);
      }
    },
    'limit-range-limits': ({ over, overCount }) => refused(over, overCount),
    'limit-range-within': ({ made }) => success(made),
    'quota-status': ({ status }) => {
      const expected = { hard: { persistentvolumeclaims: '5' }, used: { persistentvolumeclaims: '1' } };
      holds(status, expected, 'status of a new quota');
    },
    'quota-enforced': ({ over, overCount }) => refused(over, overCount),
    'quota-within': ({ made }) => success(made),
    'quota-used': ({ name, expected, afterCreate }) =>
      equal(afterCreate, expected, `status.used of ${name} after a create`),
    'quota-released': ({ name, made, afterDelete: { shown, actual } }) => {
      success(made);
      equal(shown, actual, `status.used of ${name} after the delete`);
    },
    'quota-concurrent': ({ places, made, there }) => {
      if (made > places) fail(`${made} creates succeeded where the quota has room for ${places}`);
      equal(there, made, 'objects after as many creates succeeded');
    },
    'quota-update': ({ reply, type }) => {
      refused(reply, 0);
      equal(type, 'ClusterIP', 'spec.type after the refused update');
    },
    'quota-unsaid': ({ reply, count }) => refused(reply, count),
    'quota-scope': ({ made, over, overCount }) => {
      success(made);
      refused(over, overCount);
    },
  },
);
