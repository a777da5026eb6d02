// Which policies a request concerns, with which bindings and parameters, and what their expressions are asked.
import type { Resource } from '../../../matrix/api/index.js';
import type { Decide } from '../../authorization/authorizer.js';
import type { KubeObject } from '../../schema/object.js';
import { StatusError } from '../../statusError.js';
import type { Asked } from '../cel/admission.js';
import { authorizeAs } from '../webhooks/authorize.js';
import {
  type Criteria,
  isNamespaces,
  matchedResource,
  namespaceNamed,
  type Surroundings,
} from '../webhooks/matching.js';
import { requestOf } from '../webhooks/reviews.js';
import type { Subject } from '../webhooks/subject.js';
import { PolicyFailure } from './compiled.js';
import { type Objects, paramResource, paramsOf } from './params.js';
import type { BindingSpec } from './policy.js';
import type { Binding, BoundPolicy } from './registered.js';

/** What policies need to know of the cluster. */
export interface Cluster extends Surroundings, Objects {
  decide(): Decide;
}

/** A policy that a request concerns, with one parameter of a binding. */
export interface Invocation {
  readonly policy: BoundPolicy;
  readonly binding: Binding;
  /** The resource in whose version the policy sees the request. */
  readonly resource: Resource;
  readonly params: KubeObject | undefined;
}

/** Why a policy or one of its bindings cannot decide. */
export interface Misconfigured {
  readonly policy: BoundPolicy;
  readonly binding?: Binding;
  readonly why: string;
}

/** Returns the policies that a request concerns, and those that cannot tell. */
export async function invocationsOf(
  policies: readonly BoundPolicy[],
  subject: Subject,
  object: KubeObject | undefined,
  cluster: Cluster,
): Promise<readonly (Invocation | Misconfigured)[]> {
  const found: (Invocation | Misconfigured)[] = [];
  for (const policy of policies) {
    const resource = await attempted('policy', async () => {
      const matched = await matchedResource(criteriaOf(policy.spec.matchConstraints ?? {}), subject, object, cluster);
      if (matched !== undefined && policy.spec.paramKind) paramResource(policy.spec.paramKind, cluster);
      return matched;
    });
    if (typeof resource === 'string') found.push({ policy, why: resource });
    else if (resource !== undefined) await addBindings(policy, resource);
  }
  return found;

  async function addBindings(policy: BoundPolicy, resource: Resource): Promise<void> {
    for (const binding of policy.bindings) {
      const all = await attempted('binding', () => boundParams(policy, binding, subject, object, cluster));
      if (typeof all === 'string') found.push({ policy, binding, why: all });
      else for (const params of all) found.push({ policy, binding, resource, params });
    }
  }
}

/** Returns the parameters with which a binding applies to a request; none if it does not. */
async function boundParams(
  { spec: { paramKind } }: BoundPolicy,
  { spec }: Binding,
  subject: Subject,
  object: KubeObject | undefined,
  cluster: Cluster,
): Promise<readonly (KubeObject | undefined)[]> {
  const { matchResources } = spec;
  if (matchResources !== undefined) {
    const matched = await matchedResource(criteriaOf(matchResources), subject, object, cluster);
    if (matched === undefined) return [];
  }
  const resource = paramKind && paramResource(paramKind, cluster);
  return paramsOf(resource, spec, subject.namespace, cluster);
}

function criteriaOf(match: NonNullable<BindingSpec['matchResources']>): Criteria {
  const { resourceRules: rules = [], excludeResourceRules: excluded = [], ...criteria } = match;
  return { ...criteria, ...(rules.length > 0 && { rules }), excluded };
}

/** Returns the result, or why there is none. */
async function attempted<Result>(what: string, work: () => Promise<Result>): Promise<Result | string> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PolicyFailure || error instanceof StatusError)) throw error;
    return `failed to configure ${what}: ${error.message}`;
  }
}

/** Returns the namespace of a request as expressions see it; undefined for requests without one. Throws 404. */
export async function namespaceOf(
  { namespace, resource }: Subject,
  { namespaces }: Cluster,
): Promise<object | undefined> {
  if (namespace === '' || isNamespaces(resource)) return undefined;
  const { metadata, spec, status } = await namespaceNamed(namespace, namespaces);
  const { managedFields: _owners, selfLink: _link, ownerReferences: _references, ...shown } = metadata;
  return { metadata: shown, spec, status };
}

/** Returns what the expressions of an invocation are asked about an object. */
export function askedBy(
  { resource, params }: Invocation,
  subject: Subject,
  object: KubeObject | undefined,
  namespaceObject: object | undefined,
  decide: Decide,
): Asked {
  const { uid: _uid, object: shown, oldObject, ...request } = requestOf(subject, resource, object);
  const authorize = authorizeAs(decide, subject.origin.user);
  return { request, object: shown, oldObject, namespaceObject, params, authorize };
}
