// The rules of policies: what they match, and expressions that compile.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { dns1035Label, dns1123Subdomain, qualifiedName } from '../../schema/formats.js';
import type { KubeObject } from '../../schema/object.js';
import type { Names } from '../cel/admission.js';
import { Composition } from '../cel/composition.js';
import { checkConditions, checkExpression } from '../webhooks/configurationRules.js';
import { checkMatch, checkMutable } from './bindingRules.js';
import { type ParamKind, type PolicySpec, policySpecOf } from './policy.js';

const failurePolicies = ['Fail', 'Ignore'];
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const mostAnnotations = 20;
const longestAnnotation = 5 * 1024;

/** Checks a ValidatingAdmissionPolicy. */
export function checkPolicy({ metadata, ...policy }: KubeObject, causes: Causes): void {
  const spec = policySpecOf({ metadata, ...policy });
  const composition = checkCommon(spec, causes);
  const { validations = [], auditAnnotations = [] } = spec;
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const why = 'validations or auditAnnotations must contain at least one item';
    for (const name of ['validations', 'auditAnnotations']) causes.required(`spec.${name}`, why);
  }
  for (const [index, validation] of validations.entries()) {
    checkValidation(validation, composition.known, `spec.validations[${index}]`, causes);
  }
  if (auditAnnotations.length > mostAnnotations) {
    const why = `must not have more than ${mostAnnotations} auditAnnotations`;
    causes.invalid('spec.auditAnnotations', auditAnnotations, why);
  }
  const keys = new Set<string>();
  for (const [index, annotation] of auditAnnotations.entries()) {
    const at = `spec.auditAnnotations[${index}]`;
    checkAnnotation(annotation, metadata.name ?? '', composition.known, at, causes);
    if (keys.has(annotation.key)) causes.duplicate(`${at}.key`, annotation.key);
    keys.add(annotation.key);
  }
}

/** Checks a MutatingAdmissionPolicy. */
export function checkMutatingPolicy(policy: KubeObject, causes: Causes): void {
  const spec = policySpecOf(policy);
  const { mutations = [], reinvocationPolicy = '' } = spec;
  const composition = checkCommon(spec, causes);
  checkMutable(spec.matchConstraints ?? {}, 'spec.matchConstraints', causes);
  if (mutations.length === 0) causes.required('spec.mutations', 'mutations must contain at least one item');
  const names = { ...composition.known, patches: true };
  for (const [index, mutation] of mutations.entries()) {
    checkMutation(mutation, names, `spec.mutations[${index}]`, causes);
  }
  if (reinvocationPolicy === '') causes.required('spec.reinvocationPolicy');
  else causes.oneOf('spec.reinvocationPolicy', reinvocationPolicy, ['IfNeeded', 'Never']);
}

/** Checks what both kinds have. Returns the variables. */
function checkCommon(spec: PolicySpec, causes: Causes): Composition {
  const { failurePolicy, paramKind, matchConstraints, matchConditions = [], variables = [] } = spec;
  if (failurePolicy === undefined) causes.required('spec.failurePolicy');
  causes.oneOf('spec.failurePolicy', failurePolicy, failurePolicies);
  if (paramKind !== undefined) checkParamKind(paramKind, 'spec.paramKind', causes);
  if (matchConstraints === undefined) causes.required('spec.matchConstraints');
  else {
    checkMatch(matchConstraints, 'spec.matchConstraints', causes);
    if ((matchConstraints.resourceRules ?? []).length === 0) causes.required('spec.matchConstraints.resourceRules');
  }
  const names = { params: paramKind !== undefined };
  checkConditions(matchConditions, 'spec.matchConditions', causes, names);
  const composition = new Composition(names);
  for (const [index, variable] of variables.entries()) {
    checkVariable(variable, composition, `spec.variables[${index}]`, causes);
  }
  return composition;
}

function checkParamKind({ apiVersion = '', kind = '' }: ParamKind, field: string, causes: Causes): void {
  const [version = '', group = '', ...more] = apiVersion.split('/').reverse();
  if (apiVersion === '') causes.required(`${field}.apiVersion`);
  else if (more.length > 0) {
    causes.invalid(`${field}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  } else {
    const groupProblems = group === '' ? [] : dns1123Subdomain(group);
    if (groupProblems.length > 0) causes.invalid(`${field}.apiVersion`, group, groupProblems.join(','));
    const versionProblems = version === '' ? ['version must be specified'] : dns1035Label(version);
    if (versionProblems.length > 0) {
      causes.invalid(`${field}.apiVersion`, version === '' ? apiVersion : version, versionProblems.join(','));
    }
  }
  const problems = dns1035Label(kind.toLowerCase());
  if (kind === '') causes.required(`${field}.kind`);
  else if (problems.length > 0) {
    causes.invalid(`${field}.kind`, kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`);
  }
}

/** The words of the language, which no variable can be called by. */
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

function checkVariable(
  { name, expression }: ObjectOf<'admissionregistration.v1.Variable'>,
  composition: Composition,
  field: string,
  causes: Causes,
): void {
  if (name.trim() === '') causes.required(`${field}.name`, 'name is not specified');
  else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || reserved.has(name)) {
    causes.invalid(`${field}.name`, name, 'must be a valid CEL identifier');
  }
  if (expression.trim() === '') {
    causes.required(`${field}.expression`, 'expression is not specified');
    return;
  }
  const refused = composition.add({ name, expression });
  if (refused !== undefined) causes.invalid(`${field}.expression`, expression, refused.message);
}

const hasLines = (text: string): boolean => /[\r\n]/.test(text);

function checkValidation(
  validation: ObjectOf<'admissionregistration.v1.Validation'>,
  names: Names,
  field: string,
  causes: Causes,
): void {
  const { expression, message = '', messageExpression = '', reason } = validation;
  if (expression.trim() === '') causes.required(`${field}.expression`, 'expression is not specified');
  else checkExpression(expression, ['bool'], names, `${field}.expression`, causes);
  if (messageExpression !== '') {
    const at = `${field}.messageExpression`;
    if (messageExpression.trim() === '') causes.invalid(at, messageExpression, 'must be non-empty if specified');
    else checkExpression(messageExpression, ['string'], { ...names, authorizer: false }, at, causes);
  }
  if (message !== '' && message.trim() === '') {
    causes.invalid(`${field}.message`, message, 'message must be non-empty if specified');
  } else if (hasLines(message.trim())) {
    causes.invalid(`${field}.message`, message, 'message must not contain line breaks');
  }
  causes.oneOf(`${field}.reason`, reason, reasons);
}

function checkAnnotation(
  { key, valueExpression }: ObjectOf<'admissionregistration.v1.AuditAnnotation'>,
  policy: string,
  names: Names,
  field: string,
  causes: Causes,
): void {
  if (policy === '') causes.invalid(`${field}.key`, key, 'requires metadata.name be non-empty');
  else causes.format(`${field}.key`, `${policy}/${key}`, qualifiedName);
  const at = `${field}.valueExpression`;
  const trimmed = valueExpression.trim();
  if (trimmed === '') causes.required(at, 'valueExpression is not specified');
  else if (Buffer.byteLength(trimmed) > longestAnnotation) {
    causes.required(at, `must not exceed ${longestAnnotation} bytes in length`);
  } else checkExpression(trimmed, ['string', 'null_type'], names, at, causes);
}

function checkMutation(
  { patchType, jsonPatch, applyConfiguration }: ObjectOf<'admissionregistration.v1.Mutation'>,
  names: Names,
  field: string,
  causes: Causes,
): void {
  const given = { JSONPatch: jsonPatch, ApplyConfiguration: applyConfiguration };
  if (patchType !== 'JSONPatch' && patchType !== 'ApplyConfiguration') {
    if (patchType === '') causes.required(`${field}.patchType`);
    else causes.notSupported(`${field}.patchType`, patchType, ['ApplyConfiguration', 'JSONPatch']);
    return;
  }
  const other = patchType === 'JSONPatch' ? 'ApplyConfiguration' : 'JSONPatch';
  const at = `${field}.${fieldOf[patchType]}`;
  const { expression } = given[patchType] ?? {};
  if (given[patchType] === undefined) causes.required(at, `must be specified when patchType is ${patchType}`);
  else if ((expression ?? '').trim() === '') causes.required(`${at}.expression`);
  else checkExpression((expression ?? '').trim(), [resultOf[patchType]], names, `${at}.expression`, causes);
  if (given[other] !== undefined) {
    const why = `must not be specified when patchType is ${patchType}`;
    causes.invalid(`${field}.${fieldOf[other]}`, `{${fieldOf[other]}}`, why);
  }
}

const fieldOf = { JSONPatch: 'jsonPatch', ApplyConfiguration: 'applyConfiguration' } as const;
const resultOf = { JSONPatch: 'list(JSONPatch)', ApplyConfiguration: 'Object' } as const;
