// POST on a collection.

import {
  createLocalSubjectAccessReview,
  createSelfSubjectAccessReview,
  createSelfSubjectRulesReview,
  createSubjectAccessReview,
} from '../later/groups/accessReviews.js';
import { dryRunOf } from '../registry/dryRun.js';
import { resourceOf } from '../request.js';
import { createBinding } from './bind.js';
import { decodedBodyOf, type MakeHandler, ownerOf, storeOf, withExceptions, written } from './context.js';
import { createSelfSubjectReview, createTokenReview } from './reviews.js';

const createObject: MakeHandler = (dependencies) => async (request) => {
  const dryRun = dryRunOf('CreateOptions', request.query.getAll('dryRun'));
  const owner = ownerOf(request, dependencies, 'CreateOptions');
  const object = await decodedBodyOf(request);
  const entry = await storeOf(request, dependencies).create(request.path.namespace, object, { dryRun, ...owner });
  const resource = resourceOf(request);
  return { ...written(request, entry, dependencies), status: resource.modern === true ? 201 : 200 };
};

export const create = withExceptions(createObject, {
  'core/bindings': createBinding,
  'authentication.k8s.io/selfsubjectreviews': createSelfSubjectReview,
  'authentication.k8s.io/tokenreviews': createTokenReview,
  'authentication.k8s.io.v1/tokenreviews': createTokenReview,
  'authorization.k8s.io/localsubjectaccessreviews': createLocalSubjectAccessReview,
  'authorization.k8s.io/selfsubjectaccessreviews': createSelfSubjectAccessReview,
  'authorization.k8s.io/selfsubjectrulesreviews': createSelfSubjectRulesReview,
  'authorization.k8s.io/subjectaccessreviews': createSubjectAccessReview,
});
