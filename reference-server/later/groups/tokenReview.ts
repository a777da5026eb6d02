// POST of a TokenReview that knows audiences: whom a token is for.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { part } from '../../schema/object.js';
import { boundIssuer } from '../../serviceaccounts/boundTokens.js';
import { type Dependencies, type MakeHandler, okObject } from '../../verbs/context.js';
import { infoOf, named, reviewOf, tokenOf } from '../../verbs/reviews.js';

/** Answers for the audiences that the review names, or for this server. The response does not contain the token. */
export const reviewToken: MakeHandler = (dependencies) => async (request) => {
  const review = await reviewOf(request, dependencies);
  const { audiences = [] } = part<ObjectOf<'authentication.v1.TokenReviewSpec'>>(review, 'spec');
  const asked = audiences.length > 0 ? audiences : [boundIssuer];
  const spec = audiences.length > 0 ? { audiences } : {};
  const status = await statusOf(tokenOf(review), asked, dependencies);
  return { ...okObject({ ...named(review), spec, status }), status: 201 };
};

async function statusOf(token: string, asked: readonly string[], { boundTokens, bearerOf }: Dependencies) {
  const refused = (error: string) => ({ authenticated: false, error });
  const own = boundTokens.audiencesOf(token);
  const shared = own.filter((audience) => asked.includes(audience));
  if (shared.length === 0) {
    return refused(
      `token audiences ${JSON.stringify(own)} is invalid for the target audiences ${JSON.stringify(asked)}`,
    );
  }
  const user = await bearerOf(token, shared);
  if (user === undefined) return refused('invalid bearer token');
  return { authenticated: true, user: infoOf(user), audiences: shared };
}
