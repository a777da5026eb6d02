// Policies of admission as code reads them: their resources and their specs.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { type KubeObject, part } from '../../schema/object.js';

const group = 'admissionregistration.k8s.io';

/** The resources of a kind of policies, as `group/plural`. */
export interface PolicyIds {
  readonly policies: string;
  readonly bindings: string;
}

export const validatingIds: PolicyIds = {
  policies: `${group}/validatingadmissionpolicies`,
  bindings: `${group}/validatingadmissionpolicybindings`,
};
export const mutatingIds: PolicyIds = {
  policies: `${group}/mutatingadmissionpolicies`,
  bindings: `${group}/mutatingadmissionpolicybindings`,
};

export type ParamKind = ObjectOf<'admissionregistration.v1.ParamKind'>;
type Validating = ObjectOf<'admissionregistration.v1.ValidatingAdmissionPolicySpec'>;
type Mutating = ObjectOf<'admissionregistration.v1.MutatingAdmissionPolicySpec'>;

/** The spec of a policy of either kind: the fields of the other kind are absent. */
export type PolicySpec = Validating & Mutating;
export type BindingSpec = Partial<ObjectOf<'admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec'>>;

export const policySpecOf = (policy: KubeObject): PolicySpec => part<PolicySpec>(policy, 'spec');
export const bindingSpecOf = (binding: KubeObject): BindingSpec => part<BindingSpec>(binding, 'spec');
