// The groups and kinds that came after the interface, as an addon: how each kind differs from the default.
import { type Resource, resourceId, resources } from '../../../matrix/api/index.js';
import { laterResources } from '../../../matrix/api/modern/resources.js';
import type { Addon } from '../../addons.js';
import type { RegisteredKind } from '../../registry/registry.js';
import { events } from '../../registry/strategies/kinds.js';
import { deleteCollection } from '../../verbs/delete.js';
import { patchPart } from '../../verbs/patch.js';
import { readStatus } from '../../verbs/read.js';
import { replacePart } from '../../verbs/replace.js';
import { type ListPath, showAsNull } from '../../versions/shownFields.js';
import { effectiveUser } from '../impersonation.js';
import {
  createLocalSubjectAccessReview,
  createSelfSubjectAccessReview,
  createSelfSubjectRulesReview,
  createSubjectAccessReview,
} from './accessReviews.js';
import { autoscalerV2 } from './conversions/autoscalers.js';
import { earlierBudget } from './conversions/disruptionBudgets.js';
import { laterEvent } from './conversions/events.js';
import { networkingIngress } from './conversions/ingresses.js';
import { appsDaemonSet, appsWorkload } from './conversions/workloads.js';
import { laterDefaults } from './defaults.js';
import { grownStrategy } from './growth/index.js';
import { administered } from './strategies/administered.js';
import { validateLaterEvent } from './strategies/events.js';
import { endpointSlices, podDisruptionBudgets, roleBindings, roles } from './strategies/kinds.js';
import { controllerRevisions, cronJobs, statefulSets } from './strategies/workloads.js';
import { requestToken } from './tokenRequest.js';
import { reviewToken } from './tokenReview.js';

/** The differences by `group/plural`. */
const kinds: Readonly<Record<string, Omit<RegisteredKind, 'resource'>>> = {
  'apps/controllerrevisions': { strategy: controllerRevisions },
  'apps/daemonsets': { conversion: appsDaemonSet },
  'apps/deployments': { conversion: appsWorkload },
  'apps/replicasets': { conversion: appsWorkload },
  'apps/statefulsets': { strategy: statefulSets },
  'autoscaling.v2/horizontalpodautoscalers': { conversion: autoscalerV2 },
  'batch/cronjobs': { strategy: cronJobs },
  'discovery.k8s.io/endpointslices': { strategy: endpointSlices },
  'events.k8s.io/events': { strategy: { ...events, validateCreate: validateLaterEvent }, conversion: laterEvent },
  'networking.k8s.io/ingresses': { conversion: networkingIngress },
  'policy/poddisruptionbudgets': { strategy: podDisruptionBudgets },
  'policy.v1beta1/poddisruptionbudgets': { conversion: earlierBudget },
  'rbac.authorization.k8s.io/clusterrolebindings': { strategy: roleBindings('ClusterRole') },
  'rbac.authorization.k8s.io/clusterroles': { strategy: roles },
  'rbac.authorization.k8s.io/rolebindings': { strategy: roleBindings('Role', 'ClusterRole') },
  'rbac.authorization.k8s.io/roles': { strategy: roles },
};

/** Other addons have the definitions, the webhook configurations and the policies. */
const isOfGroups = ({ groupVersion: { group } }: Resource): boolean =>
  group !== 'apiextensions.k8s.io' && group !== 'admissionregistration.k8s.io';

// Their types have these lists without `omitempty`.
const nullLists: Readonly<Record<string, readonly ListPath[]>> = {
  'apiextensions.k8s.io/customresourcedefinitions': [['status', 'conditions']],
  'autoscaling.v2/horizontalpodautoscalers': [['status', 'currentMetrics']],
  'core/limitranges': [['spec', 'limits']],
  'discovery.k8s.io/endpointslices': [['endpoints'], ['ports']],
  'rbac.authorization.k8s.io/clusterroles': [['rules']],
  'rbac.authorization.k8s.io/roles': [['rules']],
  'storage.k8s.io/csinodes': [['spec', 'drivers']],
};
for (const resource of [...resources, ...laterResources]) {
  const lists = nullLists[resourceId(resource)];
  if (lists !== undefined) showAsNull(resource, lists);
}

/** The version of Kubernetes that has these groups. */
export const presentVersion = '1.36';

export const groups: Addon & { readonly kubeVersion: string } = {
  kubeVersion: presentVersion,
  kinds: laterResources.filter(isOfGroups).map((resource) => {
    const id = resourceId(resource);
    const strategy = administered[id];
    return { resource, ...kinds[id], ...(strategy && { strategy }) };
  }),
  defaults: laterDefaults,
  grown: grownStrategy,
  creates: {
    'authentication.k8s.io.v1/tokenreviews': reviewToken,
    'authorization.k8s.io/localsubjectaccessreviews': createLocalSubjectAccessReview,
    'authorization.k8s.io/selfsubjectaccessreviews': createSelfSubjectAccessReview,
    'authorization.k8s.io/selfsubjectrulesreviews': createSelfSubjectRulesReview,
    'authorization.k8s.io/subjectaccessreviews': createSubjectAccessReview,
  },
  verbs: {
    requestToken,
    readEphemeral: readStatus,
    replaceEphemeral: replacePart('ephemeralcontainers'),
    patchEphemeral: patchPart('ephemeralcontainers'),
    readResize: readStatus,
    replaceResize: replacePart('resize'),
    patchResize: patchPart('resize'),
    deleteCollection,
  },
  since: { deleteCollection: 23, readResize: 33, replaceResize: 33, patchResize: 33 },
  impersonate: (decide) => (request, sender) => effectiveUser(request, sender, decide),
};
