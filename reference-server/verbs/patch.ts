// PATCH of an object or its status. The patch applies to the current object at the time of the write.

import type { Verb } from '../../matrix/api/index.js';
import type { Part } from '../registry/strategy.js';
import { objectKeyOf, resourceOf } from '../request.js';
import {
  expectedBody,
  type MakeHandler,
  patchIn,
  registeredPatch,
  storeOf,
  writeOptionsOf,
  written,
} from './context.js';

export const patchPart =
  (part: Part): MakeHandler =>
  (dependencies) =>
  async (request) => {
    const answer = registeredPatch(request, dependencies, part);
    if (answer !== undefined) return answer;
    const options = { part, ...writeOptionsOf(request, dependencies, part) };
    const resource = resourceOf(request);
    const patch = patchIn(request, expectedBody(resource, request.operation.verb as Verb), dependencies);
    const entry = await storeOf(request, dependencies).update(objectKeyOf(request), patch, options);
    return written(request, entry, dependencies);
  };

export const patch = patchPart('main');
export const patchStatus = patchPart('status');
