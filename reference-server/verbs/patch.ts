// PATCH of an object or its status. The patch applies to the current object at the time of the write.

import type { Verb } from '../../matrix/api/index.js';
import { dryRunOf } from '../registry/dryRun.js';
import type { Part } from '../registry/update.js';
import { objectKeyOf, resourceOf } from '../request.js';
import { expectedBody, type MakeHandler, patchIn, storeOf, written } from './context.js';

const patchPart =
  (part: Part): MakeHandler =>
  (dependencies) =>
  async (request) => {
    const resource = resourceOf(request);
    const patch = patchIn(request, expectedBody(resource, request.operation.verb as Verb), dependencies);
    const dryRun = dryRunOf('PatchOptions', request.query.getAll('dryRun'));
    const entry = await storeOf(request, dependencies).update(objectKeyOf(request), patch, { dryRun, part });
    return written(request, entry, dependencies);
  };

export const patch = patchPart('main');
export const patchStatus = patchPart('status');
