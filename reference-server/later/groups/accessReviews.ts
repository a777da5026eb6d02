// Reviews of access: whether a user may send a request. Reviews are not stored.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { User } from '../../authentication/authenticator.js';
import type { Attributes } from '../../authorization/attributes.js';
import type { Authorizer, Decision } from '../../authorization/authorizer.js';
import { badRequest, invalid } from '../../errors.js';
import { type Answer, type ApiRequest, resourceOf } from '../../request.js';
import { Causes } from '../../schema/causes.js';
import { type DecodedObject, part } from '../../schema/object.js';
import { type MakeHandler, okObject } from '../../verbs/context.js';
import { reviewOf } from '../../verbs/reviews.js';

type ReviewSpec = ObjectOf<'authorization.v1.SubjectAccessReviewSpec'>;

/** Reviews the access of the user that the review names. */
export const createSubjectAccessReview: MakeHandler = (dependencies) => async (request) =>
  answeredFor(request, await reviewOf(request, dependencies), dependencies.authorizer);

/** Does the same in one namespace, which the attributes must name. */
export const createLocalSubjectAccessReview: MakeHandler = (dependencies) => async (request) => {
  const { authorizer } = dependencies;
  const review = await reviewOf(request, dependencies);
  const { namespace = '' } = part<ReviewSpec>(review, 'spec').resourceAttributes ?? {};
  if (namespace === request.path.namespace) return answeredFor(request, review, authorizer);
  throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
};

/** Answers a review for the user that it names. Throws 422 if it names none. */
function answeredFor(request: ApiRequest, review: DecodedObject, { decide }: Pick<Authorizer, 'decide'>): Answer {
  const spec = part<ReviewSpec>(review, 'spec');
  const { user: name = '', uid, groups = [], extra } = spec;
  if (name === '' && groups.length === 0) {
    refuse(request, (causes) => causes.required('spec.user', 'at least one of user or group must be specified'));
  }
  const user: User = { name, groups, ...(uid !== undefined && { uid }), ...(extra !== undefined && { extra }) };
  return answered(review, decide(user, attributesOf(request, spec)));
}

/** Reviews the access of the user of the request. */
export const createSelfSubjectAccessReview: MakeHandler = (dependencies) => async (request) => {
  const { authorizer } = dependencies;
  const review = await reviewOf(request, dependencies);
  return answered(review, authorizer.decide(request.user, attributesOf(request, part<ReviewSpec>(review, 'spec'))));
};

/** What an authorizer lists that allows everything. */
const everything = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
};

/** Lists what the user of the request may do. */
export const createSelfSubjectRulesReview: MakeHandler = (dependencies) => async (request) => {
  const { authorizer } = dependencies;
  const review = await reviewOf(request, dependencies);
  const { namespace = '' } = part<ObjectOf<'authorization.v1.SelfSubjectRulesReviewSpec'>>(review, 'spec');
  if (namespace === '') throw badRequest('no namespace on request');
  const status = authorizer.rulesOf?.(request.user, namespace) ?? everything;
  return { ...okObject({ ...review, spec: part(review, 'spec'), status }), status: 201 };
};

/** Returns the attributes of a review. Throws 422 unless there is exactly one kind of them. */
function attributesOf(request: ApiRequest, spec: ReviewSpec): Attributes {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  if ((resource === undefined) === (path === undefined)) {
    const which = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    refuse(request, (causes) => causes.invalid('spec.resourceAttributes', undefined, which));
  }
  if (path !== undefined) return { verb: path.verb ?? '', path: path.path ?? '' };
  const { verb = '', group = '', resource: plural = '', subresource = '', namespace = '', name = '' } = resource ?? {};
  return { verb, group, resource: plural, subresource, namespace, name };
}

function refuse(request: ApiRequest, add: (causes: Causes) => void): never {
  const { groupVersion, kind } = resourceOf(request);
  const causes = new Causes();
  add(causes);
  throw invalid({ group: groupVersion.group, kind }, '', causes.list);
}

const answered = (review: DecodedObject, { allowed, reason }: Decision) => ({
  ...okObject({ ...review, status: { allowed, ...(reason !== '' && { reason }) } }),
  status: 201,
});
