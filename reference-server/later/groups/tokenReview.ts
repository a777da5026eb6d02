// POST of a TokenReview that knows audiences: whom a token is for.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { part } from '../../schema/object.js';
import { boundIssuer } from '../../serviceaccounts/boundTokens.js';
import { type MakeHandler, okObject } from '../../verbs/context.js';
import { infoOf, named, reviewOf, tokenOf } from '../../verbs/reviews.js';

/** Answers for the audiences that the review names, or for this server. The response does not contain the token. */
export const reviewToken: MakeHandler = (dependencies) => async (request) => {
  const review = await reviewOf(request, dependencies);
  const token = tokenOf(review);
  const { audiences = [] } = part<ObjectOf<'authentication.v1.TokenReviewSpec'>>(review, 'spec');
  const asked = audiences.length > 0 ? audiences : [boundIssuer];
  const own = dependencies.boundTokens.audiencesOf(token);
  const shared = own.filter((audience) => asked.includes(audience));
  const user = shared.length > 0 ? await dependencies.bearerOf(token, shared) : undefined;
  const error =
    shared.length > 0
      ? 'invalid bearer token'
      : `token audiences ${JSON.stringify(own)} is invalid for the target audiences ${JSON.stringify(asked)}`;
  const status =
    user === undefined
      ? { authenticated: false, error }
      : { authenticated: true, user: infoOf(user), audiences: shared };
  const spec = audiences.length > 0 ? { audiences } : {};
  return { ...okObject({ ...named(review), spec, status }), status: 201 };
};
