// PUT of an object, its status, or the finalizers of a namespace.

import { invalid } from '../errors.js';
import { dryRunOf } from '../registry/dryRun.js';
import { cheapChange, type Store } from '../registry/store.js';
import type { Part } from '../registry/update.js';
import type { ObjectChange } from '../registry/writing.js';
import { type ApiRequest, objectKeyOf, resourceOf } from '../request.js';
import { Causes } from '../schema/causes.js';
import type { DecodedObject } from '../schema/object.js';
import { StatusError } from '../statusError.js';
import { decodedBodyOf, type MakeHandler, ownerOf, storeOf, written } from './context.js';

export const replacePart =
  (part: Part): MakeHandler =>
  (dependencies) =>
  async (request) => {
    const dryRun = dryRunOf('UpdateOptions', request.query.getAll('dryRun'));
    const options = { dryRun, ...ownerOf(request, dependencies, 'UpdateOptions', part) };
    const store = storeOf(request, dependencies);
    const key = objectKeyOf(request);
    const object = await decodedBodyOf(request);
    try {
      const entry = await store.update(key, changeTo(object, request, store), { ...options, part });
      return written(request, entry, dependencies);
    } catch (error) {
      const absent = error instanceof StatusError && error.code === 404 && store.createsOnReplace;
      if (!absent || part !== 'main' || object.metadata.name !== key.name) throw error;
      return written(request, await store.create(key.namespace, unversioned(object), options), dependencies);
    }
  };

export const replace = replacePart('main');
export const replaceStatus = replacePart('status');
export const finalize = replacePart('finalize');

/** The change to the given object, regardless of the current one. */
const changeTo = (object: DecodedObject, request: ApiRequest, { needsRevision }: Store): ObjectChange => ({
  ...cheapChange(() => {
    if (needsRevision && !object.metadata.resourceVersion) throw withoutRevision(request, object);
    return object;
  }),
  isLong: request.body?.isLong === true,
});

function withoutRevision(request: ApiRequest, { metadata }: DecodedObject): StatusError {
  const { groupVersion, plural } = resourceOf(request);
  const causes = new Causes();
  causes.invalid('metadata.resourceVersion', 0, 'must be specified for an update');
  return invalid({ group: groupVersion.group, kind: plural }, metadata.name ?? '', causes.list);
}

/** Drops the resourceVersion: a new object has none, but clients may send that of a deleted one. */
function unversioned(object: DecodedObject): DecodedObject {
  const { resourceVersion: _resourceVersion, ...metadata } = object.metadata;
  return { ...object, metadata };
}
