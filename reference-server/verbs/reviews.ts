// Reviews: who a token stands for, and who is asking. Nothing of them is stored.
import type { User } from '../authentication/authenticator.js';
import { badRequest } from '../errors.js';
import { dryRunOf } from '../registry/dryRun.js';
import type { ApiRequest } from '../request.js';
import { type Draft, part } from '../schema/object.js';
import { draftOf, type MakeHandler, okObject } from './context.js';

/** The answer never holds the token. */
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

function reviewOf(request: ApiRequest): Promise<Draft> {
  dryRunOf('CreateOptions', request.query.getAll('dryRun'));
  return draftOf(request);
}

const named = ({ kind, apiVersion }: Draft) => ({ kind, apiVersion, metadata: {} });

function infoOf({ name, uid, groups, extra }: User) {
  return { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) };
}
