// PUT of an object, its status, or the finalizers of a namespace.

import { dryRunOf } from '../registry/dryRun.js';
import type { Change } from '../registry/stages.js';
import { atOnce } from '../registry/store.js';
import type { Part } from '../registry/update.js';
import { type ApiRequest, objectKeyOf, resourceOf } from '../request.js';
import type { DecodedObject } from '../schema/object.js';
import { StatusError } from '../statusError.js';
import { viewOf } from '../versions/views.js';
import { decodedBodyOf, type MakeHandler, ok, ownerOf, storeOf } from './context.js';

const replacePart =
  (part: Part): MakeHandler =>
  (dependencies) =>
  async (request) => {
    const dryRun = dryRunOf('UpdateOptions', request.query.getAll('dryRun'));
    const options = { dryRun, ...ownerOf(request, dependencies, 'UpdateOptions', part) };
    const store = storeOf(request, dependencies);
    const key = objectKeyOf(request);
    const object = await decodedBodyOf(request);
    const resource = resourceOf(request);
    try {
      return ok(viewOf(resource, await store.update(key, changeTo(object, request), { ...options, part })));
    } catch (error) {
      const absent = error instanceof StatusError && error.code === 404 && store.createsOnReplace;
      if (!absent || part !== 'main' || object.metadata.name !== key.name) throw error;
      return ok(viewOf(resource, await store.create(key.namespace, unversioned(object), options)));
    }
  };

export const replace = replacePart('main');
export const replaceStatus = replacePart('status');
export const finalize = replacePart('finalize');

/** The change to the given object, regardless of the current one. */
const changeTo = (object: DecodedObject, { body }: ApiRequest): Change => ({
  ...atOnce(() => object),
  isLong: body?.isLong === true,
});

/** Drops the resourceVersion: a new object has none, but clients may send that of a deleted one. */
function unversioned(object: DecodedObject): DecodedObject {
  const { resourceVersion: _resourceVersion, ...metadata } = object.metadata;
  return { ...object, metadata };
}
