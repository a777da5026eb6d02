// PATCH of an object or its status. The patch applies to the current object at the time of the write.

import type { Verb } from '../../matrix/api/index.js';
import { isApply } from '../later/managedfields/manager.js';
import { applyOf } from '../later/managedfields/request.js';
import { dryRunOf } from '../registry/dryRun.js';
import type { Part } from '../registry/update.js';
import { type Answer, type ApiRequest, objectKeyOf, resourceOf } from '../request.js';
import { type Dependencies, expectedBody, type MakeHandler, ownerOf, patchIn, storeOf, written } from './context.js';

const patchPart =
  (part: Part): MakeHandler =>
  (dependencies) =>
  async (request) => {
    if (isApply(request) && storeOf(request, dependencies).isApplicable) return applyPart(part, request, dependencies);
    const resource = resourceOf(request);
    const patch = patchIn(request, expectedBody(resource, request.operation.verb as Verb), dependencies);
    const dryRun = dryRunOf('PatchOptions', request.query.getAll('dryRun'));
    const owner = ownerOf(request, dependencies, 'PatchOptions', part);
    const options = { dryRun, part, ...owner };
    const entry = await storeOf(request, dependencies).update(objectKeyOf(request), patch, options);
    return written(request, entry, dependencies);
  };

export const patch = patchPart('main');
export const patchStatus = patchPart('status');
export const patchEphemeral = patchPart('ephemeralcontainers');

async function applyPart(part: Part, request: ApiRequest, dependencies: Dependencies): Promise<Answer> {
  const apply = applyOf(request, part === 'main' ? undefined : part);
  const dryRun = dryRunOf('PatchOptions', request.query.getAll('dryRun'));
  const { entry, isNew } = await storeOf(request, dependencies).apply(objectKeyOf(request), apply, { dryRun, part });
  return { ...written(request, entry, dependencies), status: isNew ? 201 : 200 };
}
