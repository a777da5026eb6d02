// Which webhooks and policies a request concerns: rules, equivalent resources, selectors and conditions.
import type { Resource } from '../../../matrix/api/index.js';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Decide } from '../../authorization/authorizer.js';
import { forbidden } from '../../errors.js';
import type { Store } from '../../registry/store.js';
import type { KubeObject } from '../../schema/object.js';
import { matcherOf } from '../../selectors/labels.js';
import { reportError, StatusError } from '../../statusError.js';
import type { Authorize } from '../cel/functions/authorizer.js';
import { authorizeAs } from './authorize.js';
import { conditionsHold, type Evaluate } from './conditions.js';
import type { Webhook } from './configurationRules.js';
import { requestOf } from './reviews.js';
import { areEquivalent, type Subject } from './subject.js';

type Rule = ObjectOf<'admissionregistration.v1.NamedRuleWithOperations'>;

/** What the matching needs to know of the cluster. */
export interface Surroundings {
  readonly namespaces: Pick<Store, 'find'>;
  /** The resources that the server has now. */
  resources(): readonly Resource[];
}

/** The requests that a webhook or a policy concerns. */
export interface Criteria {
  /** The requests; all if absent. */
  readonly rules?: readonly Rule[];
  /** The requests among them that it does not concern. */
  readonly excluded?: readonly Rule[];
  readonly matchPolicy?: string;
  readonly namespaceSelector?: ObjectOf<'LabelSelector'>;
  readonly objectSelector?: ObjectOf<'LabelSelector'>;
}

/** What the conditions of webhooks need. */
export interface Evaluating {
  readonly evaluate: Evaluate;
  /** Returns the authorizer. */
  decide(): Decide;
}

/** Returns the resource in whose version a webhook wants to see a request; undefined if the request does not concern it. */
export async function resourceFor(
  webhook: Webhook,
  subject: Subject,
  object: KubeObject | undefined,
  surroundings: Surroundings,
  { evaluate, decide }: Evaluating,
): Promise<Resource | undefined> {
  const resource = await matchedResource({ rules: [], ...webhook }, subject, object, surroundings);
  if (resource === undefined) return undefined;
  const authorize = authorizeAs(decide(), subject.origin.user);
  return meetsConditions(webhook, evaluate, authorize, subject, object, resource) ? resource : undefined;
}

/**
 * Returns the resource in whose version a request matches; undefined if it does not. Throws 404 if the selector needs a
 * namespace that is not there.
 */
export async function matchedResource(
  { rules, excluded = [], matchPolicy, namespaceSelector = {}, objectSelector = {} }: Criteria,
  subject: Subject,
  object: KubeObject | undefined,
  surroundings: Surroundings,
): Promise<Resource | undefined> {
  const resources = matchPolicy === 'Equivalent' ? surroundings.resources() : [];
  const resource = rules === undefined ? subject.resource : ruledResource(rules, subject, resources);
  if (resource === undefined || ruledResource(excluded, subject, resources) !== undefined) return undefined;
  if (!(await isInNamespace(namespaceSelector, subject, object, surroundings))) return undefined;
  const objects = [object, subject.before].filter((one) => one !== undefined);
  if (!isSelected(objectSelector, objects)) return undefined;
  if (resource !== subject.resource) await subject.prepare?.(objects, resource);
  return resource;
}

function ruledResource(rules: readonly Rule[], subject: Subject, resources: readonly Resource[]): Resource | undefined {
  const isRuled = (resource: Resource) => rules.some((rule) => matches(rule, subject, resource));
  if (isRuled(subject.resource)) return subject.resource;
  const others = resources.filter((other) => other !== subject.resource && areEquivalent(other, subject.resource));
  return others.find(isRuled);
}

const has = (list: readonly string[] | undefined, value: string): boolean =>
  list?.some((one) => one === '*' || one === value) === true;

function matches(rule: Rule, { operation, subresource, namespace, name }: Subject, resource: Resource): boolean {
  const { group, version } = resource.groupVersion;
  const { resourceNames = [] } = rule;
  return (
    isInScope(rule.scope, resource, namespace) &&
    has(rule.operations, operation) &&
    has(rule.apiGroups, group) &&
    has(rule.apiVersions, version) &&
    rule.resources?.some((text) => isNamed(text, resource.plural, subresource)) === true &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  );
}

/** A namespace is cluster-scoped, though its requests have it. */
function isInScope(scope: string | undefined, resource: Resource, namespace: string): boolean {
  if (scope === undefined || scope === '*') return true;
  const isNamespaced = namespace !== '' && !isNamespaces(resource);
  return scope === (isNamespaced ? 'Namespaced' : 'Cluster');
}

function isNamed(text: string, plural: string, subresource: string): boolean {
  const slash = text.indexOf('/');
  const [resource, of] = slash === -1 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
  return (resource === '*' || resource === plural) && (of === '*' || of === subresource);
}

const isEmpty = ({ matchLabels = {}, matchExpressions = [] }: ObjectOf<'LabelSelector'>): boolean =>
  Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;

/** Reports whether a resource is that of namespaces, whose requests have the namespace itself. */
export const isNamespaces = ({ plural, groupVersion }: Resource): boolean =>
  plural === 'namespaces' && groupVersion.group === '';

async function isInNamespace(
  selector: ObjectOf<'LabelSelector'>,
  { operation, resource, subresource, namespace }: Subject,
  object: KubeObject | undefined,
  { namespaces }: Surroundings,
): Promise<boolean> {
  if (isEmpty(selector)) return true;
  const isNamespace = isNamespaces(resource);
  if (namespace === '' && !isNamespace) return true;
  const matches = matcherOf(selector);
  // The stored namespace does not have the labels that the request gives it.
  if (isNamespace && subresource === '' && object !== undefined && operation !== 'DELETE') {
    return matches(object.metadata.labels);
  }
  return matches((await namespaceNamed(namespace, namespaces)).metadata.labels);
}

/** Returns a namespace. Throws 404 if it is absent. */
export async function namespaceNamed(name: string, namespaces: Pick<Store, 'find'>): Promise<KubeObject> {
  const found = await namespaces.find({ namespace: undefined, name });
  if (found !== undefined) return found.value;
  const details = { name, kind: 'namespaces' };
  throw new StatusError(404, 'NotFound', `namespaces ${JSON.stringify(name)} not found`, details);
}

function isSelected(selector: ObjectOf<'LabelSelector'>, objects: readonly KubeObject[]): boolean {
  if (isEmpty(selector)) return true;
  const matches = matcherOf(selector);
  return objects.some((object) => matches(object.metadata?.labels));
}

function meetsConditions(
  { name, matchConditions = [], failurePolicy }: Webhook,
  evaluate: Evaluate,
  authorize: Authorize,
  subject: Subject,
  object: KubeObject | undefined,
  resource: Resource,
): boolean {
  if (matchConditions.length === 0) return true;
  const request = requestOf(subject, resource, object);
  try {
    return conditionsHold(evaluate, matchConditions, authorize, request);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (failurePolicy === 'Ignore') {
      reportError(new Error(`the conditions of the webhook ${name} cannot be evaluated: ${why}`));
      return false;
    }
    throw forbidden(subject.resource, subject.name, why);
  }
}
