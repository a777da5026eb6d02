// Reviews: the user of a token, and the user of the request. Reviews are not stored.
import type { User } from '../authentication/authenticator.js';
import { badRequest } from '../errors.js';
import type { ApiRequest } from '../request.js';
import { type DecodedObject, part } from '../schema/object.js';
import { type Dependencies, decodedBodyOf, type MakeHandler, okObject, writeOptionsOf } from './context.js';

/** The response does not contain the token. */
export const createTokenReview: MakeHandler = (dependencies) => async (request) => {
  const review = await reviewOf(request, dependencies);
  const user = await dependencies.bearerOf(tokenOf(review));
  const status = user === undefined ? { authenticated: false } : { authenticated: true, user: infoOf(user) };
  return okObject({ ...named(review), spec: {}, status });
};

export const createSelfSubjectReview: MakeHandler = (dependencies) => async (request) =>
  okObject({ ...named(await reviewOf(request, dependencies)), status: { userInfo: infoOf(request.user) } });

/** Returns the body of a review. Throws 400 for an invalid one, and 422 for an invalid query. */
export async function reviewOf(request: ApiRequest, dependencies: Dependencies): Promise<DecodedObject> {
  writeOptionsOf(request, dependencies);
  return decodedBodyOf(request);
}

/** Returns the token of a review. Throws 400 if there is none. */
export function tokenOf(review: DecodedObject): string {
  const { token = '' } = part<{ token?: string }>(review, 'spec');
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  return token;
}

/** What an answer keeps of a review, beside its spec. */
export const named = ({ kind, apiVersion }: DecodedObject) => ({ kind, apiVersion, metadata: {} });

export function infoOf({ name, uid, groups, extra }: User) {
  return { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) };
}
