// Which webhooks a request concerns: rules, equivalent resources, selectors and conditions.
import type { Resource } from '../../../matrix/api/index.js';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { forbidden } from '../../errors.js';
import type { Store } from '../../registry/store.js';
import type { KubeObject } from '../../schema/object.js';
import { matcherOf } from '../../selectors/labels.js';
import { reportError, StatusError } from '../../statusError.js';
import { conditionsHold, type Evaluate } from './conditions.js';
import type { Webhook } from './configurationRules.js';
import { requestOf } from './reviews.js';
import { areEquivalent, type Subject } from './subject.js';

type Rule = ObjectOf<'admissionregistration.v1.RuleWithOperations'>;

/** What the matching needs to know of the cluster. */
export interface Surroundings {
  readonly namespaces: Pick<Store, 'find'>;
  readonly evaluate: Evaluate;
  /** The resources that the server has now. */
  resources(): readonly Resource[];
}

/** Returns the resource in whose version a webhook wants to see a request; undefined if the request does not concern it. */
export async function resourceFor(
  webhook: Webhook,
  subject: Subject,
  object: KubeObject | undefined,
  surroundings: Surroundings,
): Promise<Resource | undefined> {
  const { rules = [], matchPolicy, namespaceSelector = {}, objectSelector = {} } = webhook;
  const resource = ruledResource(rules, subject, matchPolicy === 'Equivalent' ? surroundings.resources() : []);
  if (resource === undefined) return undefined;
  if (!(await isInNamespace(namespaceSelector, subject, object, surroundings))) return undefined;
  if (!isSelected(objectSelector, [object, subject.before])) return undefined;
  return meetsConditions(webhook, surroundings.evaluate, subject, object, resource) ? resource : undefined;
}

function ruledResource(rules: readonly Rule[], subject: Subject, resources: readonly Resource[]): Resource | undefined {
  const isRuled = (resource: Resource) => rules.some((rule) => matches(rule, subject, resource));
  if (isRuled(subject.resource)) return subject.resource;
  const others = resources.filter((other) => other !== subject.resource && areEquivalent(other, subject.resource));
  return others.find(isRuled);
}

const has = (list: readonly string[] | undefined, value: string): boolean =>
  list?.some((one) => one === '*' || one === value) === true;

function matches(rule: Rule, { operation, subresource, namespace }: Subject, resource: Resource): boolean {
  const { group, version } = resource.groupVersion;
  return (
    isInScope(rule.scope, resource, namespace) &&
    has(rule.operations, operation) &&
    has(rule.apiGroups, group) &&
    has(rule.apiVersions, version) &&
    rule.resources?.some((text) => isNamed(text, resource.plural, subresource)) === true
  );
}

/** A namespace is cluster-scoped, though its requests have it. */
function isInScope(scope = '*', { plural, groupVersion }: Resource, namespace: string): boolean {
  if (scope === '*') return true;
  const isNamespaced = namespace !== '' && !(plural === 'namespaces' && groupVersion.group === '');
  return scope === (isNamespaced ? 'Namespaced' : 'Cluster');
}

function isNamed(text: string, plural: string, subresource: string): boolean {
  const slash = text.indexOf('/');
  const [resource, of] = slash === -1 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
  return (resource === '*' || resource === plural) && (of === '*' || of === subresource);
}

const isEmpty = ({ matchLabels = {}, matchExpressions = [] }: ObjectOf<'LabelSelector'>): boolean =>
  Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;

async function isInNamespace(
  selector: ObjectOf<'LabelSelector'>,
  { operation, resource, subresource, namespace }: Subject,
  object: KubeObject | undefined,
  { namespaces }: Surroundings,
): Promise<boolean> {
  if (isEmpty(selector)) return true;
  const isNamespace = resource.plural === 'namespaces' && resource.groupVersion.group === '';
  if (namespace === '' && !isNamespace) return true;
  const matches = matcherOf(selector);
  // The stored namespace does not have the labels that the request gives it.
  if (isNamespace && subresource === '' && object !== undefined && operation !== 'DELETE') {
    return matches(object.metadata.labels);
  }
  const found = await namespaces.find({ namespace: undefined, name: namespace });
  if (found === undefined) {
    const details = { name: namespace, kind: 'namespaces' };
    throw new StatusError(404, 'NotFound', `namespaces ${JSON.stringify(namespace)} not found`, details);
  }
  return matches(found.value.metadata.labels);
}

function isSelected(selector: ObjectOf<'LabelSelector'>, objects: readonly (KubeObject | undefined)[]): boolean {
  if (isEmpty(selector)) return true;
  const matches = matcherOf(selector);
  return objects.some((object) => object !== undefined && matches(object.metadata?.labels));
}

function meetsConditions(
  { name, matchConditions = [], failurePolicy }: Webhook,
  evaluate: Evaluate,
  subject: Subject,
  object: KubeObject | undefined,
  resource: Resource,
): boolean {
  if (matchConditions.length === 0) return true;
  const request = requestOf(subject, resource, object);
  try {
    return conditionsHold(evaluate, matchConditions, request);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (failurePolicy === 'Ignore') {
      reportError(new Error(`the conditions of the webhook ${name} cannot be evaluated: ${why}`));
      return false;
    }
    throw forbidden(subject.resource, subject.name, why);
  }
}
