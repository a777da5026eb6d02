// The resources by which clusters are administered: a row each.
import { type GroupVersion, type Resource, status } from '../resources/resource.js';
import type { Verb } from '../verbs.js';
import { clusterScoped, type LaterRow, later, namespaced, row } from './row.js';

const admission = later('admissionregistration.k8s.io', 'v1');
const resources = later('resource.k8s.io', 'v1');
const flowControl = later('flowcontrol.apiserver.k8s.io', 'v1');
const storage = later('storage.k8s.io', 'v1');

const cluster = (of: GroupVersion, since: number, more: LaterRow, verbs: readonly Verb[] = []): Resource =>
  row(of, [...clusterScoped, ...verbs], { namespaced: false, since, ...more });

const extension = { categories: ['api-extensions'] };

export const administered: readonly Resource[] = [
  cluster(admission, 36, { plural: 'mutatingadmissionpolicies', kind: 'MutatingAdmissionPolicy', ...extension }),
  cluster(admission, 36, {
    plural: 'mutatingadmissionpolicybindings',
    kind: 'MutatingAdmissionPolicyBinding',
    ...extension,
  }),
  cluster(admission, 16, {
    plural: 'mutatingwebhookconfigurations',
    kind: 'MutatingWebhookConfiguration',
    ...extension,
  }),
  cluster(
    admission,
    30,
    { plural: 'validatingadmissionpolicies', kind: 'ValidatingAdmissionPolicy', ...extension },
    status,
  ),
  cluster(admission, 30, {
    plural: 'validatingadmissionpolicybindings',
    kind: 'ValidatingAdmissionPolicyBinding',
    ...extension,
  }),
  cluster(admission, 16, {
    plural: 'validatingwebhookconfigurations',
    kind: 'ValidatingWebhookConfiguration',
    ...extension,
  }),
  cluster(
    later('apiregistration.k8s.io', 'v1'),
    10,
    { plural: 'apiservices', kind: 'APIService', categories: ['api-extensions'] },
    status,
  ),
  cluster(
    later('certificates.k8s.io', 'v1'),
    19,
    { plural: 'certificatesigningrequests', kind: 'CertificateSigningRequest', shortNames: ['csr'] },
    [...status, 'readApproval', 'replaceApproval', 'patchApproval'],
  ),
  cluster(flowControl, 29, { plural: 'flowschemas', kind: 'FlowSchema' }, status),
  cluster(flowControl, 29, { plural: 'prioritylevelconfigurations', kind: 'PriorityLevelConfiguration' }, status),
  cluster(later('node.k8s.io', 'v1'), 20, { plural: 'runtimeclasses', kind: 'RuntimeClass' }),
  cluster(resources, 34, { plural: 'deviceclasses', kind: 'DeviceClass' }),
  row(resources, [...namespaced, ...status], { plural: 'resourceclaims', kind: 'ResourceClaim', since: 34 }),
  row(resources, namespaced, { plural: 'resourceclaimtemplates', kind: 'ResourceClaimTemplate', since: 34 }),
  cluster(resources, 34, { plural: 'resourceslices', kind: 'ResourceSlice' }),
  cluster(later('scheduling.k8s.io', 'v1'), 14, {
    plural: 'priorityclasses',
    kind: 'PriorityClass',
    shortNames: ['pc'],
  }),
  cluster(storage, 18, { plural: 'csidrivers', kind: 'CSIDriver' }),
  cluster(storage, 17, { plural: 'csinodes', kind: 'CSINode' }),
  row(storage, namespaced, { plural: 'csistoragecapacities', kind: 'CSIStorageCapacity', since: 24 }),
  cluster(storage, 6, { plural: 'storageclasses', kind: 'StorageClass', shortNames: ['sc'] }),
  cluster(storage, 13, { plural: 'volumeattachments', kind: 'VolumeAttachment' }, status),
  cluster(storage, 34, { plural: 'volumeattributesclasses', kind: 'VolumeAttributesClass', shortNames: ['vac'] }),
];
