// The kinds: every apiVersion and kind of an object, with its type.
import type { TypeName } from './table.js';

export interface Kind {
  /** The version as in objects: `v1`, `batch/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly type: TypeName;
  /** Whether the kind has a list kind, as Pod has PodList. */
  readonly listed: boolean;
}

const groupVersions = {
  core: 'v1',
  autoscaling: 'autoscaling/v1',
  batch: 'batch/v1',
  extensions: 'extensions/v1beta1',
  policy: 'policy/v1beta1',
  authentication: 'authentication.k8s.io/v1beta1',
  authenticationV1: 'authentication.k8s.io/v1',
};

/** The versions of the representations that every resource has. */
const metaVersions = ['meta.k8s.io/v1', 'meta.k8s.io/v1beta1'];
const { core, autoscaling, batch, extensions, policy, authentication, authenticationV1 } = groupVersions;

export const kinds: readonly Kind[] = [
  listed(core, 'ComponentStatus'),
  listed(core, 'ConfigMap'),
  listed(core, 'Endpoints'),
  listed(core, 'Event'),
  listed(core, 'LimitRange'),
  listed(core, 'Namespace'),
  listed(core, 'Node'),
  listed(core, 'PersistentVolume'),
  listed(core, 'PersistentVolumeClaim'),
  listed(core, 'Pod'),
  listed(core, 'PodTemplate'),
  listed(core, 'ReplicationController'),
  listed(core, 'ResourceQuota'),
  listed(core, 'Secret'),
  listed(core, 'Service'),
  listed(core, 'ServiceAccount'),
  single(core, 'Binding'),

  single(core, 'Status'),
  single(core, 'APIVersions'),
  single(core, 'APIGroup'),
  single(core, 'APIGroupList'),
  single(core, 'APIResourceList'),
  ...Object.values(groupVersions).map((apiVersion) => single(apiVersion, 'DeleteOptions')),

  listed(autoscaling, 'HorizontalPodAutoscaler'),
  single(autoscaling, 'Scale'),
  listed(batch, 'Job'),

  listed(extensions, 'DaemonSet'),
  listed(extensions, 'Deployment'),
  listed(extensions, 'HorizontalPodAutoscaler', 'extensions.HorizontalPodAutoscaler'),
  listed(extensions, 'Ingress'),
  listed(extensions, 'Job', 'extensions.Job'),
  listed(extensions, 'NetworkPolicy'),
  listed(extensions, 'ReplicaSet'),
  listed(extensions, 'ThirdPartyResource'),
  single(extensions, 'DeploymentRollback'),
  single(extensions, 'Scale', 'extensions.Scale'),

  single(policy, 'Eviction'),
  single(authentication, 'TokenReview'),
  single(authenticationV1, 'SelfSubjectReview'),

  ...metaVersions.map((apiVersion) => listed(apiVersion, 'PartialObjectMetadata')),
];

function listed(apiVersion: string, kind: TypeName, type: TypeName = kind): Kind {
  return { apiVersion, kind, type, listed: true };
}

function single(apiVersion: string, kind: TypeName, type: TypeName = kind): Kind {
  return { apiVersion, kind, type, listed: false };
}
