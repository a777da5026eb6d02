// PUT of an object, its status, or the finalizers of a namespace.

import { cheapChange } from '../registry/store.js';
import type { Part } from '../registry/strategy.js';
import { requireName } from '../registry/update.js';
import { objectKeyOf, resourceOf } from '../request.js';
import type { DecodedObject } from '../schema/object.js';
import { StatusError } from '../statusError.js';
import {
  createdStatus,
  decodedBodyOf,
  type MakeHandler,
  requireRightToCreate,
  storeOf,
  writeOptionsOf,
  written,
} from './context.js';

export const replacePart =
  (part: Part): MakeHandler =>
  (dependencies) =>
  async (request) => {
    const options = writeOptionsOf(request, dependencies, part);
    const store = storeOf(request, dependencies);
    const key = objectKeyOf(request);
    const object = await decodedBodyOf(request);
    requireName(object.metadata, key.name);
    const change = { ...cheapChange(() => object), isLong: request.body?.isLong === true };
    try {
      const entry = await store.update(key, change, { ...options, part });
      return written(request, entry, dependencies);
    } catch (error) {
      const absent = error instanceof StatusError && error.code === 404 && store.createsOnReplace;
      if (!absent || part !== 'main') throw error;
      requireRightToCreate(request, dependencies);
      const entry = await store.create(key.namespace, unversioned(object), options);
      return { ...written(request, entry, dependencies), status: createdStatus(resourceOf(request)) };
    }
  };

export const replace = replacePart('main');
export const replaceStatus = replacePart('status');
export const finalize = replacePart('finalize');

/** Drops the resourceVersion: a new object has none, but clients may send that of a deleted one. */
function unversioned(object: DecodedObject): DecodedObject {
  const { resourceVersion: _resourceVersion, ...metadata } = object.metadata;
  return { ...object, metadata };
}
