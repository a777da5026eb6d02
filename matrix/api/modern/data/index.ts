// Written by tools/modernTypes.mjs: the types of all groups, and the kinds by apiVersion; `[]` marks kinds with lists.
import { admissionregistrationV1 } from './admissionregistrationV1.js';
import { apiregistrationV1 } from './apiregistrationV1.js';
import { appsV1 } from './appsV1.js';
import { authenticationV1 } from './authenticationV1.js';
import { authorizationV1 } from './authorizationV1.js';
import { autoscalingV1 } from './autoscalingV1.js';
import { autoscalingV2 } from './autoscalingV2.js';
import { batchV1 } from './batchV1.js';
import { certificatesV1 } from './certificatesV1.js';
import { coordinationV1 } from './coordinationV1.js';
import { coreV1 } from './coreV1.js';
import { discoveryV1 } from './discoveryV1.js';
import { eventsV1 } from './eventsV1.js';
import { extensionsV1beta1 } from './extensionsV1beta1.js';
import { flowcontrolV1 } from './flowcontrolV1.js';
import { metaV1 } from './metaV1.js';
import { networkingV1 } from './networkingV1.js';
import { nodeV1 } from './nodeV1.js';
import { policyV1 } from './policyV1.js';
import { rbacV1 } from './rbacV1.js';
import { resourceV1 } from './resourceV1.js';
import { schedulingV1 } from './schedulingV1.js';
import { storageV1 } from './storageV1.js';

export const types = {
  ...admissionregistrationV1,
  ...apiregistrationV1,
  ...appsV1,
  ...authenticationV1,
  ...authorizationV1,
  ...autoscalingV1,
  ...autoscalingV2,
  ...batchV1,
  ...certificatesV1,
  ...coordinationV1,
  ...coreV1,
  ...discoveryV1,
  ...eventsV1,
  ...extensionsV1beta1,
  ...flowcontrolV1,
  ...metaV1,
  ...networkingV1,
  ...nodeV1,
  ...policyV1,
  ...rbacV1,
  ...resourceV1,
  ...schedulingV1,
  ...storageV1,
} as const satisfies Readonly<Record<string, string>>;

export const kinds: Readonly<Record<string, string>> = {
  v1: 'PersistentVolume[] PersistentVolumeClaim[] Pod[] PodTemplate[] ReplicationController[] Service[] ServiceAccount[] Endpoints[] Node[] Namespace[] Binding Event[] LimitRange[] ResourceQuota[] Secret[] ConfigMap[] ComponentStatus[]',
  'admissionregistration.k8s.io/v1':
    'admissionregistration.v1.ValidatingAdmissionPolicy[] admissionregistration.v1.ValidatingAdmissionPolicyBinding[] admissionregistration.v1.ValidatingWebhookConfiguration[] admissionregistration.v1.MutatingWebhookConfiguration[] admissionregistration.v1.MutatingAdmissionPolicy[] admissionregistration.v1.MutatingAdmissionPolicyBinding[]',
  'apiregistration.k8s.io/v1': 'apiregistration.v1.APIService[]',
  'apps/v1':
    'apps.v1.StatefulSet[] apps.v1.Deployment[] apps.v1.DaemonSet[] apps.v1.ReplicaSet[] apps.v1.ControllerRevision[]',
  'authentication.k8s.io/v1':
    'authentication.v1.TokenReview authentication.v1.TokenRequest authentication.v1.SelfSubjectReview',
  'authorization.k8s.io/v1':
    'authorization.v1.SubjectAccessReview authorization.v1.SelfSubjectAccessReview authorization.v1.LocalSubjectAccessReview authorization.v1.SelfSubjectRulesReview',
  'autoscaling/v1': 'autoscaling.v1.HorizontalPodAutoscaler[] autoscaling.v1.Scale',
  'autoscaling/v2': 'autoscaling.v2.HorizontalPodAutoscaler[]',
  'batch/v1': 'batch.v1.Job[] batch.v1.CronJob[]',
  'certificates.k8s.io/v1': 'certificates.v1.CertificateSigningRequest[]',
  'coordination.k8s.io/v1': 'coordination.v1.Lease[]',
  'discovery.k8s.io/v1': 'discovery.v1.EndpointSlice[]',
  'events.k8s.io/v1': 'events.v1.Event[]',
  'flowcontrol.apiserver.k8s.io/v1': 'flowcontrol.v1.FlowSchema[] flowcontrol.v1.PriorityLevelConfiguration[]',
  'networking.k8s.io/v1':
    'networking.v1.NetworkPolicy[] networking.v1.Ingress[] networking.v1.IngressClass[] networking.v1.IPAddress[] networking.v1.ServiceCIDR[]',
  'node.k8s.io/v1': 'node.v1.RuntimeClass[]',
  'policy/v1': 'policy.v1.PodDisruptionBudget[] policy.v1.Eviction',
  'rbac.authorization.k8s.io/v1':
    'rbac.v1.Role[] rbac.v1.RoleBinding[] rbac.v1.ClusterRole[] rbac.v1.ClusterRoleBinding[]',
  'resource.k8s.io/v1':
    'resource.v1.ResourceSlice[] resource.v1.ResourceClaim[] resource.v1.DeviceClass[] resource.v1.ResourceClaimTemplate[]',
  'scheduling.k8s.io/v1': 'scheduling.v1.PriorityClass[]',
  'storage.k8s.io/v1':
    'storage.v1.StorageClass[] storage.v1.VolumeAttachment[] storage.v1.CSIDriver[] storage.v1.CSINode[] storage.v1.CSIStorageCapacity[] storage.v1.VolumeAttributesClass[]',
};
