// PUT: of an object, of its status, of a namespace's finalizers.
import { StatusError } from '../errors.js';
import { dryRunOf } from '../registry/dryRun.js';
import { atOnce, type Change } from '../registry/store.js';
import type { Part } from '../registry/update.js';
import { viewOf } from '../registry/views.js';
import type { ApiRequest } from '../request.js';
import type { Draft } from '../schema/object.js';
import { draftOf, type MakeHandler, ok, placeOf, resourceOf, storeOf } from './context.js';

const replacePart =
  (part: Part): MakeHandler =>
  (dependencies) =>
  async (request) => {
    const dryRun = dryRunOf('UpdateOptions', request.query.getAll('dryRun'));
    const store = storeOf(request, dependencies);
    const place = placeOf(request);
    const draft = await draftOf(request);
    const resource = resourceOf(request);
    try {
      return ok(viewOf(resource, await store.update(place, changeTo(draft, request), { dryRun, part })));
    } catch (error) {
      const absent = error instanceof StatusError && error.code === 404 && store.createsOnReplace;
      if (!absent || part !== 'main' || draft.metadata.name !== place.name) throw error;
      return ok(viewOf(resource, await store.create(place.namespace, unversioned(draft), { dryRun })));
    }
  };

export const replace = replacePart('main');
export const replaceStatus = replacePart('status');
export const finalize = replacePart('finalize');

/** The change to what was given, whatever is there. */
const changeTo = (draft: Draft, { body }: ApiRequest): Change => ({
  ...atOnce(() => draft),
  isLong: body?.isLong === true,
});

/** A new object has no version yet, whatever the client remembers of an old one. */
function unversioned(draft: Draft): Draft {
  const { resourceVersion: _resourceVersion, ...metadata } = draft.metadata;
  return { ...draft, metadata };
}
