// The kinds of policies: their defaults, and how they differ from others.
import { resourceId } from '../../../matrix/api/index.js';
import { laterResources } from '../../../matrix/api/modern/resources.js';
import type { Strategy } from '../../registry/strategy.js';
import type { FieldDefaults } from '../../schema/defaults.js';
import { checkBinding, checkMutatingBinding } from './bindingRules.js';
import { mutatingIds, validatingIds } from './policy.js';
import { checkMutatingPolicy, checkPolicy } from './policyRules.js';

export const policyDefaults: FieldDefaults = {
  'admissionregistration.v1.ValidatingAdmissionPolicySpec': { failurePolicy: 'Fail' },
  'admissionregistration.v1.MutatingAdmissionPolicySpec': { failurePolicy: 'Fail' },
  'admissionregistration.v1.MatchResources': {
    matchPolicy: 'Equivalent',
    namespaceSelector: () => ({}),
    objectSelector: () => ({}),
  },
  'admissionregistration.v1.NamedRuleWithOperations': { scope: '*' },
};

const common: Strategy = { generation: true, needsRevision: true };

const strategies: Readonly<Record<string, Strategy>> = {
  [validatingIds.policies]: { ...common, validate: checkPolicy },
  [validatingIds.bindings]: { ...common, validate: checkBinding },
  [mutatingIds.policies]: { ...common, validate: checkMutatingPolicy },
  [mutatingIds.bindings]: { ...common, validate: checkMutatingBinding },
};

export const policyKinds = laterResources.flatMap((resource) => {
  const strategy = strategies[resourceId(resource)];
  return strategy === undefined ? [] : [{ resource, strategy }];
});
