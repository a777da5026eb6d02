// Persistent volumes and their claims.
import { field, inline, list, map } from './field.js';

export const persistentVolumeTypes = {
  PersistentVolume: {
    metadata: field('ObjectMeta', 1),
    spec: field('PersistentVolumeSpec', 2),
    status: field('PersistentVolumeStatus', 3),
  },
  PersistentVolumeSpec: {
    capacity: map('quantity', 1),
    persistentVolumeSource: inline('PersistentVolumeSource', 2),
    accessModes: list('string', 3),
    claimRef: field('ObjectReference', 4),
    persistentVolumeReclaimPolicy: field('string', 5),
  },
  PersistentVolumeSource: {
    gcePersistentDisk: field('GCEPersistentDiskVolumeSource', 1),
    awsElasticBlockStore: field('AWSElasticBlockStoreVolumeSource', 2),
    hostPath: field('HostPathVolumeSource', 3),
    glusterfs: field('GlusterfsVolumeSource', 4),
    nfs: field('NFSVolumeSource', 5),
    rbd: field('RBDVolumeSource', 6),
    iscsi: field('ISCSIVolumeSource', 7),
    cinder: field('CinderVolumeSource', 8),
    cephfs: field('CephFSVolumeSource', 9),
    fc: field('FCVolumeSource', 10),
    flocker: field('FlockerVolumeSource', 11),
    flexVolume: field('FlexVolumeSource', 12),
    azureFile: field('AzureFileVolumeSource', 13),
    vsphereVolume: field('VsphereVirtualDiskVolumeSource', 14),
    quobyte: field('QuobyteVolumeSource', 15),
    azureDisk: field('AzureDiskVolumeSource', 16),
    photonPersistentDisk: field('PhotonPersistentDiskVolumeSource', 17),
  },
  PersistentVolumeStatus: {
    phase: field('string', 1),
    message: field('string', 2),
    reason: field('string', 3),
  },
  PersistentVolumeClaim: {
    metadata: field('ObjectMeta', 1),
    spec: field('PersistentVolumeClaimSpec', 2),
    status: field('PersistentVolumeClaimStatus', 3),
  },
  PersistentVolumeClaimSpec: {
    accessModes: list('string', 1),
    selector: field('LabelSelector', 4),
    resources: field('ResourceRequirements', 2),
    volumeName: field('string', 3),
  },
  PersistentVolumeClaimStatus: {
    phase: field('string', 1),
    accessModes: list('string', 2),
    capacity: map('quantity', 3),
  },
};
