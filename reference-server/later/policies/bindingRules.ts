// The rules of bindings, and of what policies and bindings match.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { validateSelector } from '../../registry/strategies/labelSelector.js';
import type { Causes } from '../../schema/causes.js';
import { dns1123Subdomain, pathSegment } from '../../schema/formats.js';
import type { KubeObject } from '../../schema/object.js';
import { checkRule } from '../webhooks/configurationRules.js';
import { type BindingSpec, bindingSpecOf } from './policy.js';

type MatchResources = ObjectOf<'admissionregistration.v1.MatchResources'>;
type NamedRule = ObjectOf<'admissionregistration.v1.NamedRuleWithOperations'>;

const actions = ['Audit', 'Deny', 'Warn'];
const notFoundActions = ['Deny', 'Allow'];
/** A delete has no object that could change. */
const mutableOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Checks a ValidatingAdmissionPolicyBinding. */
export function checkBinding(binding: KubeObject, causes: Causes): void {
  const spec = bindingSpecOf(binding);
  checkCommon(spec, causes);
  checkActions(spec.validationActions ?? [], 'spec.validationActions', causes);
}

/** Checks a MutatingAdmissionPolicyBinding. */
export function checkMutatingBinding(binding: KubeObject, causes: Causes): void {
  const spec = bindingSpecOf(binding);
  checkCommon(spec, causes);
  checkMutable(spec.matchResources ?? {}, 'spec.matchResources', causes);
}

function checkCommon({ policyName, paramRef, matchResources }: BindingSpec, causes: Causes): void {
  causes.named('spec.policyName', policyName, dns1123Subdomain);
  if (paramRef !== undefined) checkParamRef(paramRef, 'spec.paramRef', causes);
  if (matchResources !== undefined) checkMatch(matchResources, 'spec.matchResources', causes);
}

function checkParamRef(ref: NonNullable<BindingSpec['paramRef']>, field: string, causes: Causes): void {
  const { name = '', selector, parameterNotFoundAction: action = '' } = ref;
  const exclusive = 'name and selector are mutually exclusive';
  if (name !== '') {
    causes.format(`${field}.name`, name, pathSegment);
    if (selector !== undefined) causes.forbidden(`${field}.name`, exclusive);
  }
  if (selector !== undefined) {
    validateSelector(`${field}.selector`, selector, causes);
    if (name !== '') causes.forbidden(`${field}.selector`, exclusive);
  }
  if (name === '' && selector === undefined) causes.required(field, 'one of name or selector must be specified');
  if (action === '') causes.required(`${field}.parameterNotFoundAction`);
  else causes.oneOf(`${field}.parameterNotFoundAction`, action, notFoundActions);
}

function checkActions(given: readonly string[], field: string, causes: Causes): void {
  const seen = new Set<string>();
  for (const [index, action] of given.entries()) {
    causes.oneOf(`${field}[${index}]`, action, actions);
    if (seen.has(action)) causes.duplicate(`${field}[${index}]`, action);
    seen.add(action);
  }
  if (seen.has('Deny') && seen.has('Warn')) {
    const why = 'repeating the same validation failure information in the API response and headers serves no purpose';
    causes.invalid(field, given, `must not contain both Deny and Warn (${why})`);
  }
  if (seen.size === 0) causes.required(field, 'at least one validation action is required');
}

/** Checks what a policy or a binding matches. */
export function checkMatch(match: MatchResources, field: string, causes: Causes): void {
  const { matchPolicy, namespaceSelector, objectSelector, resourceRules = [], excludeResourceRules = [] } = match;
  if (matchPolicy === undefined) causes.required(`${field}.matchPolicy`);
  causes.oneOf(`${field}.matchPolicy`, matchPolicy, ['Equivalent', 'Exact']);
  for (const [name, selector] of Object.entries({ namespaceSelector, objectSelector })) {
    if (selector === undefined) causes.required(`${field}.${name}`);
    else validateSelector(`${field}.${name}`, selector, causes);
  }
  for (const [index, rule] of resourceRules.entries()) checkNamed(rule, `${field}.resourceRules[${index}]`, causes);
  for (const [index, rule] of excludeResourceRules.entries()) {
    checkNamed(rule, `${field}.excludeResourceRules[${index}]`, causes);
  }
}

function checkNamed(rule: NamedRule, field: string, causes: Causes): void {
  const seen = new Set<string>();
  for (const [index, name] of (rule.resourceNames ?? []).entries()) {
    causes.format(`${field}.resourceNames[${index}]`, name, pathSegment);
    if (seen.has(name)) causes.duplicate(`${field}.resourceNames[${index}]`, name);
    seen.add(name);
  }
  checkRule(rule, field, causes);
}

/** Requires operations whose objects can change. */
export function checkMutable({ resourceRules = [] }: MatchResources, field: string, causes: Causes): void {
  for (const operation of resourceRules.flatMap(({ operations = [] }) => operations)) {
    causes.oneOf(`${field}.resourceRules.operations`, operation, mutableOperations);
  }
}
