// POST on a collection.

import { dryRunOf } from '../registry/dryRun.js';
import { resourceOf } from '../request.js';
import { viewOf } from '../versions/views.js';
import { createBinding } from './bind.js';
import { decodedBodyOf, type MakeHandler, ok, storeOf, withExceptions } from './context.js';
import { createSelfSubjectReview, createTokenReview } from './reviews.js';

const createObject: MakeHandler = (dependencies) => async (request) => {
  const dryRun = dryRunOf('CreateOptions', request.query.getAll('dryRun'));
  const object = await decodedBodyOf(request);
  const entry = await storeOf(request, dependencies).create(request.path.namespace, object, { dryRun });
  return ok(viewOf(resourceOf(request), entry));
};

export const create = withExceptions(createObject, {
  'core/bindings': createBinding,
  'authentication.k8s.io/selfsubjectreviews': createSelfSubjectReview,
  'authentication.k8s.io/tokenreviews': createTokenReview,
});
