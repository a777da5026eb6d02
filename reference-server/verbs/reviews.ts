// Reviews: the user of a token, and the user of the request. Reviews are not stored.
import type { User } from '../authentication/authenticator.js';
import { badRequest } from '../errors.js';
import { dryRunOf } from '../registry/dryRun.js';
import type { ApiRequest } from '../request.js';
import { type DecodedObject, part } from '../schema/object.js';
import { decodedBodyOf, type MakeHandler, okObject } from './context.js';

/** The response does not contain the token. */
export const createTokenReview: MakeHandler =
  ({ bearerOf }) =>
  async (request) => {
    const review = await reviewOf(request);
    const { token = '' } = part<{ token?: string }>(review, 'spec');
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const user = await bearerOf(token);
    const status = user === undefined ? { authenticated: false } : { authenticated: true, user: infoOf(user) };
    return okObject({ ...named(review), spec: {}, status });
  };

export const createSelfSubjectReview: MakeHandler = () => async (request) =>
  okObject({ ...named(await reviewOf(request)), status: { userInfo: infoOf(request.user) } });

/** Returns the body of a review. Throws 400 for an invalid one. */
export function reviewOf(request: ApiRequest): Promise<DecodedObject> {
  dryRunOf('CreateOptions', request.query.getAll('dryRun'));
  return decodedBodyOf(request);
}

const named = ({ kind, apiVersion }: DecodedObject) => ({ kind, apiVersion, metadata: {} });

function infoOf({ name, uid, groups, extra }: User) {
  return { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) };
}
