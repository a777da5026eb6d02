// PATCH of an object and of its status: applied to whatever is there when it is written.

import type { Verb } from '../../matrix/api/index.js';
import { patchOf } from '../patch/index.js';
import { dryRunOf } from '../registry/dryRun.js';
import type { Part } from '../registry/update.js';
import { viewOf } from '../registry/views.js';
import { expectedBody, type MakeHandler, ok, placeOf, resourceOf, storeOf } from './context.js';

const patchPart =
  (part: Part): MakeHandler =>
  (dependencies) =>
  async (request) => {
    const resource = resourceOf(request);
    const patch = patchOf(
      request.body,
      expectedBody(resource, request.operation.verb as Verb),
      dependencies.registry.lacks,
    );
    const dryRun = dryRunOf('PatchOptions', request.query.getAll('dryRun'));
    return ok(viewOf(resource, await storeOf(request, dependencies).update(placeOf(request), patch, { dryRun, part })));
  };

export const patch = patchPart('main');
export const patchStatus = patchPart('status');
