// The approval of definitions in groups that Kubernetes protects, which an annotation states.
import type { DefinitionCondition } from './definition.js';

export const approvalAnnotation = 'api-approved.kubernetes.io';

export type Approval = 'approved' | 'bypassed' | 'missing' | 'invalid';

type Annotations = Readonly<Record<string, string>>;

/** Returns what the annotation says; undefined for a group that needs no approval. */
export function approvalOf(group: string, annotations: Annotations): Approval | undefined {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return undefined;
  const text = annotations[approvalAnnotation];
  if (text === undefined || text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  return URL.canParse(text) && new URL(text).host !== '' ? 'approved' : 'invalid';
}

const conditions: Readonly<Record<Approval, readonly [status: 'True' | 'False', reason: string]>> = {
  approved: ['True', 'ApprovedAnnotation'],
  bypassed: ['False', 'UnapprovedAnnotation'],
  missing: ['False', 'MissingAnnotation'],
  invalid: ['False', 'InvalidAnnotation'],
};

/** Returns the condition that says whether a definition is approved, if its group needs it. */
export function approvalCondition(group: string, annotations: Annotations): DefinitionCondition | undefined {
  const approval = approvalOf(group, annotations);
  if (approval === undefined) return undefined;
  const text = annotations[approvalAnnotation] ?? '';
  const [status, reason] = conditions[approval];
  const message =
    approval === 'missing'
      ? `protected groups must have approval annotation "${approvalAnnotation}", see https://github.com/kubernetes/enhancements/pull/1111`
      : `${approval === 'approved' ? 'approved in' : 'not approved:'} ${approval === 'approved' ? text : JSON.stringify(text)}`;
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason, message };
}
