// Checks the expressions of validating policies against the types of the kinds that they match, and warns in the status.
import type { Resource } from '../../../matrix/api/index.js';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Controller } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, part } from '../../schema/object.js';
import { unlessGone } from '../../statusError.js';
import { admissionExpression, type Names } from '../cel/admission.js';
import { Composition } from '../cel/composition.js';
import type { Type } from '../cel/types.js';
import { PolicyFailure } from './compiled.js';
import { typeOfResource } from './kindTypes.js';
import { type Objects, paramResource } from './params.js';
import { type PolicySpec, policySpecOf, validatingIds } from './policy.js';

type Status = ObjectOf<'admissionregistration.v1.ValidatingAdmissionPolicyStatus'>;

/** The most kinds that one policy is checked for. */
const mostKinds = 10;

/** The controller that writes the status of validating policies. */
export const typeCheckController = (policies: Store, objects: Objects): Controller => ({
  name: 'validatingadmissionpolicy-status',
  resource: validatingIds.policies,
  async reconcile(policy) {
    const { name = '', uid, generation = 0 } = policy.metadata;
    if (generation <= (part<Status>(policy, 'status').observedGeneration ?? 0)) return undefined;
    const expressionWarnings = warningsOf(policySpecOf(policy), objects);
    const typeChecking = expressionWarnings.length > 0 ? { expressionWarnings } : {};
    const withStatus = (current: KubeObject): KubeObject =>
      current.metadata.uid === uid && current.metadata.generation === generation
        ? { ...current, status: { ...part<Status>(current, 'status'), observedGeneration: generation, typeChecking } }
        : current;
    await policies.updateInternally({ namespace: undefined, name }, withStatus, { part: 'status' }).catch(unlessGone);
    return undefined;
  },
});

function warningsOf(spec: PolicySpec, objects: Objects): readonly object[] {
  const kinds = kindsIn(spec, objects.resources());
  if (kinds.length === 0) return [];
  const paramsType = paramsTypeOf(spec, objects);
  const check = (fieldRef: string, expression: string): readonly object[] => {
    const issues = kinds.flatMap((kind) => issuesOf(expression, spec, kind, paramsType));
    return issues.length === 0 ? [] : [{ fieldRef, warning: issues.join('\n') }];
  };
  return (spec.validations ?? []).flatMap(({ expression, messageExpression = '' }, index) => {
    const at = `spec.validations[${index}]`;
    return [
      ...check(`${at}.expression`, expression),
      ...(messageExpression === '' ? [] : check(`${at}.messageExpression`, messageExpression)),
    ];
  });
}

interface CheckedKind {
  /** In the words of real servers: `apps/v1, Kind=Deployment`. */
  readonly name: string;
  readonly objectType: Type;
}

/** Returns the kinds that the rules name one by one, in order. */
function kindsIn({ matchConstraints }: PolicySpec, resources: readonly Resource[]): readonly CheckedKind[] {
  const found = new Set<Resource>();
  for (const { apiGroups = [], apiVersions = [], resources: named = [] } of matchConstraints?.resourceRules ?? []) {
    if (apiGroups.includes('*') || apiVersions.includes('*')) continue;
    const plurals = named.filter((name) => !/[*/]/.test(name));
    const matching = resources.filter(
      ({ groupVersion: { group, version }, plural }) =>
        apiGroups.includes(group) && apiVersions.includes(version) && plurals.includes(plural),
    );
    for (const resource of matching.slice(0, mostKinds)) found.add(resource);
  }
  return [...found]
    .flatMap((resource) => {
      const { group, version } = resource.groupVersion;
      const objectType = typeOfResource(resource);
      return objectType === undefined ? [] : [{ name: `${group}/${version}, Kind=${resource.kind}`, objectType }];
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function paramsTypeOf({ paramKind }: PolicySpec, objects: Objects): Type | undefined {
  if (paramKind === undefined) return undefined;
  try {
    return typeOfResource(paramResource(paramKind, objects));
  } catch (error) {
    if (error instanceof PolicyFailure) return undefined;
    throw error;
  }
}

/** Returns what is wrong with an expression for the objects of a kind; none if it fits them. */
function issuesOf(
  expression: string,
  { variables = [], paramKind }: PolicySpec,
  { name, objectType }: CheckedKind,
  paramsType: Type | undefined,
): readonly string[] {
  const names: Names = { params: paramKind !== undefined, objectType, ...(paramsType && { paramsType }) };
  const composition = new Composition(names);
  for (const variable of variables) composition.add(variable);
  try {
    admissionExpression(expression, [], composition.known);
    return [];
  } catch (error) {
    const issues = error instanceof Error ? error.message.replace(/^compilation failed: /, '') : String(error);
    return [`${name}: ${issues}\n`];
  }
}
