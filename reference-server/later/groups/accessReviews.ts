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
export const createSubjectAccessReview: MakeHandler = (dependencies) => async (request) => {
  const review = await reviewOf(request, dependencies);
  check(request, review, namesUser);
  return answeredFor(review, dependencies.authorizer);
};

/** Does the same in one namespace, which the attributes must name. */
export const createLocalSubjectAccessReview: MakeHandler = (dependencies) => async (request) => {
  const review = await reviewOf(request, dependencies);
  check(request, review, namesUser, (spec, causes) => {
    const { resourceAttributes, nonResourceAttributes } = spec;
    const namespace = resourceAttributes?.namespace ?? '';
    if (resourceAttributes !== undefined && namespace !== request.path.namespace) {
      causes.invalid('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace');
    }
    if (nonResourceAttributes === undefined) return;
    causes.invalid('spec.nonResourceAttributes', nonResourceAttributes, 'disallowed on this kind of request');
  });
  return answeredFor(review, dependencies.authorizer);
};

function answeredFor(review: DecodedObject, { decide }: Pick<Authorizer, 'decide'>): Answer {
  const spec = part<ReviewSpec>(review, 'spec');
  const { user: name = '', uid, groups = [], extra } = spec;
  const user: User = { name, groups, ...(uid !== undefined && { uid }), ...(extra !== undefined && { extra }) };
  return answered(review, decide(user, attributesOf(spec)));
}

/** Reviews the access of the user of the request. */
export const createSelfSubjectAccessReview: MakeHandler = (dependencies) => async (request) => {
  const { authorizer } = dependencies;
  const review = await reviewOf(request, dependencies);
  check(request, review);
  return answered(review, authorizer.decide(request.user, attributesOf(part<ReviewSpec>(review, 'spec'))));
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

function attributesOf({ resourceAttributes, nonResourceAttributes: path }: ReviewSpec): Attributes {
  if (path !== undefined) return { verb: path.verb ?? '', path: path.path ?? '' };
  const {
    verb = '',
    group = '',
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
  } = resourceAttributes ?? {};
  return { verb, group, resource, subresource, namespace, name };
}

/** A rule of one kind of review. */
type Rule = (spec: ReviewSpec, causes: Causes) => void;

const namesUser: Rule = ({ user = '', groups = [] }, causes) => {
  if (user !== '' || groups.length > 0) return;
  causes.invalid('spec.user', user, 'at least one of user or group must be specified');
};

/** What a review, which is not stored, has no use for. */
const unused = [
  'name',
  'generateName',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'resourceVersion',
] as const;

/** Throws 422 with all mistakes of a review: there is exactly one kind of attributes, and no metadata. */
function check(request: ApiRequest, review: DecodedObject, ...rules: readonly Rule[]): void {
  const causes = new Causes();
  const spec = part<ReviewSpec>(review, 'spec');
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  if (resource !== undefined && path !== undefined) {
    causes.invalid('spec.nonResourceAttributes', path, 'cannot be specified in combination with resourceAttributes');
  } else if (resource === undefined && path === undefined) {
    const which = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    causes.invalid('spec.resourceAttributes', undefined, which);
  }
  for (const rule of rules) rule(spec, causes);
  const { metadata } = review;
  if (unused.some((field) => isSet(metadata[field]))) causes.invalid('metadata', metadata, 'must be empty');
  if (causes.list.length === 0) return;
  const { groupVersion, kind } = resourceOf(request);
  throw invalid({ group: groupVersion.group, kind }, '', causes.list);
}

const isSet = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : (value ?? '') !== '';

const answered = (review: DecodedObject, { allowed, reason }: Decision) => ({
  ...okObject({ ...review, status: { allowed, ...(reason !== '' && { reason }) } }),
  status: 201,
});
