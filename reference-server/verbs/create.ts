// POST on a collection.

import { type ApiRequest, resourceOf } from '../request.js';
import type { DecodedObject } from '../schema/object.js';
import { createBinding } from './bind.js';
import {
  createdStatus,
  decodedBodyOf,
  type Exceptions,
  type MakeHandler,
  storeOf,
  withExceptions,
  writeOptionsOf,
  written,
} from './context.js';
import { createSelfSubjectReview, createTokenReview } from './reviews.js';

/** Makes the handler that stores an object as `sent` returns it. */
export const createAs =
  (sent: (object: DecodedObject, request: ApiRequest) => DecodedObject): MakeHandler =>
  (dependencies) =>
  async (request) => {
    const options = writeOptionsOf(request, dependencies);
    const object = sent(await decodedBodyOf(request), request);
    const entry = await storeOf(request, dependencies).create(request.path.namespace, object, options);
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
