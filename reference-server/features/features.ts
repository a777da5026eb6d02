// The features that a server can lack: the names of `--without`, and the function that all code asks.
import { type GroupVersion, type Resource, resourceId, resources } from '../../matrix/api/index.js';
import { unknownName } from '../../matrix/api/nearest.js';
import { OptionError } from '../optionValues.js';

/** The features other than groups and resources, with the behaviour of a server that lacks them. */
export const features = {
  'dry-run': 'dryRun is ignored, in the query and in delete options: the write happens',
  limit: 'limit and continue are ignored: a list is always whole',
  'resource-version-match': 'resourceVersionMatch is ignored',
  'propagation-policy': 'propagationPolicy is ignored: orphanDependents decides, and no deletion is in the foreground',
  'precondition-version': 'preconditions.resourceVersion of delete options is ignored; the uid counts',
  'strategic-directives': '$setElementOrder, $retainKeys and $deleteFromPrimitiveList are fields like any other',
  bookmarks: 'allowWatchBookmarks is ignored: no watch gets one',
  'initial-events': 'sendInitialEvents is ignored',
  'field-validation': 'fieldValidation is ignored: unknown fields are dropped without a word',
  'aggregated-discovery': '/api and /apis list no resources, whatever the client asks for',
  openapi: 'there are no OpenAPI documents: /openapi and /swagger.json are 404',
  'managed-fields': 'there are no managedFields and no server-side apply: application/apply-patch+yaml is 415',
  'cause-names': 'a request above its limit is refused as spec…limits, a changed network policy as spec',
  'jwt-algorithms': 'ID tokens are taken with RS256 only',
  'self-review': 'there are no selfsubjectreviews',
  'access-review': 'there are no selfsubjectaccessreviews; without --modern there are none',
  'api-aggregation': 'APIServices are stored only: no request goes to another server',
  'admission-policies': 'there are no validating and no mutating admission policies',
  'admission-webhooks': 'there are no webhook configurations: no write waits for a webhook',
  'custom-resources': 'there are no customresourcedefinitions, and so no custom resources',
  export: 'export and exact are answered 400: no longer supported',
  'legacy-proxy': 'the paths /api/v1/proxy/… are 404',
  'static-password': '--basic-auth-file has no effect: its users are refused',
  'identity-service': '--experimental-keystone-url has no effect: its users are refused',
  'token-secrets': 'service accounts get no token Secrets; before 1.22, pods get a projected volume in their place',
  protobuf: 'application/vnd.kubernetes.protobuf is neither read nor written',
  'garbage-collection': 'dependents stay when their owner goes',
  'quota-controller': 'no quota gets a status; one whose status is written is enforced by it, and deletes free nothing',
  'namespace-controller': 'a deleted namespace stays Terminating, with its contents',
  'service-account-controller': 'no namespace gets a default service account, no account gets a token',
  'cronjob-controller': 'cron jobs get no jobs',
  'daemonset-controller': 'daemon sets get no pods and no status',
  'disruption-controller': 'disruption budgets get no status, and refuse every eviction of their running pods',
  'endpoints-controller': 'services get no endpoints and no endpoint slices',
  'job-controller': 'jobs get no pods and no status',
  'statefulset-controller': 'stateful sets get no pods and no status',
  'taint-eviction-controller': 'pods stay on nodes with NoExecute taints that they do not tolerate',
  'deployment-controller': 'deployments get no ReplicaSets, no status and no rollbacks',
  'deployment-rollout': 'the ReplicaSets of a deployment keep their number of replicas',
  'replicaset-controller': 'ReplicaSets get no pods and no status',
  'replication-controller': 'replication controllers get no pods and no status',
  'certificate-signing': 'approved signing requests get no certificates',
  'kubernetes-service': 'there is no service kubernetes, and no endpoints of the server',
  'system-priority-classes': 'there are no priority classes from the start',
  'default-flow-control': 'there are no flow schemas and no priority levels from the start',
  'default-service-cidr': 'there is no ServiceCIDR kubernetes',
  'root-ca-configmap': 'namespaces get no ConfigMap kube-root-ca.crt',
  'authentication-configmap': 'there is no ConfigMap extension-apiserver-authentication',
  'token-tracking-configmap': 'there is no ConfigMap kube-apiserver-legacy-service-account-token-tracking',
  'node-lease-namespace': 'there is no namespace kube-node-lease',
  'namespace-label': 'namespaces get no label kubernetes.io/metadata.name',
  'default-tolerations': 'pods get no tolerations of nodes that fail',
  priorities: 'pods get no priority and no preemption policy',
  'runtime-classes': 'pods get nothing from their RuntimeClass, which may be absent',
  'default-storage-class': 'claims without a class stay without one',
  'default-ingress-class': 'ingresses without a class stay without one',
  'claim-resize': 'bound claims grow, whatever their class allows',
  'pod-security': 'no label of a namespace keeps a pod away',
  'volume-protection': 'volumes and claims get no finalizers, and go while pods use them',
  'limit-ranger': 'limit ranges are stored only: no pod gets their defaults, and nothing is refused',
  'quota-admission': 'quotas are stored and counted only: nothing is refused',
  'service-account-admission': 'pods need no service account and get no token mount',
} as const;

/** A feature that a server can lack. */
export type Feature = keyof typeof features | `group:${string}` | `resource:${string}`;

/** Reports whether the server lacks a feature. */
export type IsDisabled = (feature: Feature) => boolean;

/** For a server that lacks nothing. */
export const nothingDisabled: IsDisabled = () => false;

/**
 * Returns the values of `--without` for a server with a table of resources, except those for single resources:
 * `resource:<group>/<plural>`.
 */
export function featureNamesOf(table: readonly Resource[]): readonly string[] {
  const groups = new Set(table.map(({ groupVersion }) => groupVersion.group));
  return [...Object.keys(features), ...[...groups].filter((group) => group !== '').map((group) => `group:${group}`)];
}

/** Parses the values of `--without`. Throws an OptionError that lists the known features. */
export function disabledBy(names: readonly string[], table: readonly Resource[] = resources): IsDisabled {
  if (names.length === 0) return nothingDisabled;
  const known = featureNamesOf(table);
  const isResource = (name: string): boolean => table.some((resource) => `resource:${resourceId(resource)}` === name);
  const unexpected = names.find((name) => !known.includes(name) && !isResource(name));
  if (unexpected !== undefined)
    throw new OptionError(`--without: ${unknownName('feature', unexpected, [...known, 'resource:<group>/<plural>'])}`);
  const lacked = new Set(names);
  // What rolls out are the ReplicaSets.
  if (lacked.has('deployment-controller')) lacked.add('deployment-rollout');
  return (feature) => lacked.has(feature);
}

/** Resources that have a feature name of their own. */
const named: Readonly<Record<string, Feature>> = {
  'admissionregistration.k8s.io/mutatingadmissionpolicies': 'admission-policies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': 'admission-policies',
  'admissionregistration.k8s.io/validatingadmissionpolicies': 'admission-policies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': 'admission-policies',
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': 'admission-webhooks',
  'admissionregistration.k8s.io/validatingwebhookconfigurations': 'admission-webhooks',
  'authentication.k8s.io/selfsubjectreviews': 'self-review',
  'authorization.k8s.io/selfsubjectaccessreviews': 'access-review',
  'apiextensions.k8s.io/customresourcedefinitions': 'custom-resources',
};

/** Reports whether a group version or one of its resources is left out. */
export function isExcluded(
  { groupVersion, resource }: { readonly groupVersion: GroupVersion; readonly resource?: Resource },
  lacks: IsDisabled,
): boolean {
  if (lacks(`group:${groupVersion.group}`)) return true;
  if (resource === undefined) return false;
  const id = resourceId(resource);
  const feature = named[id];
  // Without the version in its id, a name means all versions of the group.
  const { id: _, ...anyVersion } = resource;
  const isLeftOut = lacks(`resource:${id}`) || lacks(`resource:${resourceId(anyVersion)}`);
  return isLeftOut || (feature !== undefined && lacks(feature));
}
