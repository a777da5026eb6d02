// The batch group: a row per resource of `/apis/batch/v1`.
import { groupVersion } from './groupVersion.js';
import { collection, object, resource, status, watches } from './resource.js';

const batchV1 = groupVersion('batch', 'v1');

export const batch = [
  resource(batchV1, {
    plural: 'jobs',
    kind: 'Job',
    categories: ['all'],
    stated: ['listAll', ...collection, ...object, ...status, ...watches],
  }),
];
