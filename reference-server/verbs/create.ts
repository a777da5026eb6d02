// POST on a collection.

import { dryRunOf } from '../registry/dryRun.js';
import { type ApiRequest, resourceOf } from '../request.js';
import type { DecodedObject } from '../schema/object.js';
import { createBinding } from './bind.js';
import {
  createdStatus,
  decodedBodyOf,
  type Exceptions,
  type MakeHandler,
  ownerOf,
  storeOf,
  withExceptions,
  written,
} from './context.js';
import { createSelfSubjectReview, createTokenReview } from './reviews.js';

/** Makes the handler that stores an object as `sent` returns it. */
export const createAs =
  (sent: (object: DecodedObject, request: ApiRequest) => DecodedObject): MakeHandler =>
  (dependencies) =>
  async (request) => {
    const dryRun = dryRunOf('CreateOptions', request.query.getAll('dryRun'));
    const owner = ownerOf(request, dependencies, 'CreateOptions');
    const object = sent(await decodedBodyOf(request), request);
    const entry = await storeOf(request, dependencies).create(request.path.namespace, object, { dryRun, ...owner });
    return { ...written(request, entry, dependencies), status: createdStatus(resourceOf(request)) };
  };

const createObject = createAs((object) => object);

const own: Exceptions = {
  'core/bindings': createBinding,
  'authentication.k8s.io/selfsubjectreviews': createSelfSubjectReview,
  'authentication.k8s.io/tokenreviews': createTokenReview,
};

export const create: MakeHandler = (dependencies) => {
  const registered = (dependencies.registered ?? []).map(({ creates }) => creates);
  return withExceptions(createObject, Object.assign({}, own, ...registered))(dependencies);
};
