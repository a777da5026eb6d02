// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const storageV1 = {
  'storage.v1.CSIDriver': 'metadata 1 ObjectMeta; spec 2 storage.v1.CSIDriverSpec required',
  'storage.v1.CSIDriverSpec':
    'attachRequired 1 boolean presence; podInfoOnMount 2 boolean presence; volumeLifecycleModes 3 []string; storageCapacity 4 boolean presence; fsGroupPolicy 5 string presence; tokenRequests 6 []storage.v1.TokenRequest; requiresRepublish 7 boolean presence; seLinuxMount 8 boolean presence; nodeAllocatableUpdatePeriodSeconds 9 int64 presence; serviceAccountTokenInSecrets 10 boolean presence; preventPodSchedulingIfMissing 11 boolean presence',
  'storage.v1.CSINode': 'metadata 1 ObjectMeta; spec 2 storage.v1.CSINodeSpec required',
  'storage.v1.CSINodeDriver':
    'name 1 string required; nodeID 2 string required; topologyKeys 3 []string; allocatable 4 storage.v1.VolumeNodeResources',
  'storage.v1.CSINodeSpec': 'drivers 1 []storage.v1.CSINodeDriver required merge=name',
  'storage.v1.CSIStorageCapacity':
    'metadata 1 ObjectMeta; nodeTopology 2 LabelSelector; storageClassName 3 string required; capacity 4 quantity; maximumVolumeSize 5 quantity',
  'storage.v1.StorageClass':
    'metadata 1 ObjectMeta; provisioner 2 string required; parameters 3 {}string; reclaimPolicy 4 string presence; mountOptions 5 []string; allowVolumeExpansion 6 boolean presence; volumeBindingMode 7 string presence; allowedTopologies 8 []TopologySelectorTerm',
  'storage.v1.TokenRequest': 'audience 1 string required; expirationSeconds 2 int64 presence',
  'storage.v1.VolumeAttachment':
    'metadata 1 ObjectMeta; spec 2 storage.v1.VolumeAttachmentSpec required; status 3 storage.v1.VolumeAttachmentStatus',
  'storage.v1.VolumeAttachmentSource':
    'persistentVolumeName 1 string presence; inlineVolumeSpec 2 PersistentVolumeSpec',
  'storage.v1.VolumeAttachmentSpec':
    'attacher 1 string required; source 2 storage.v1.VolumeAttachmentSource required; nodeName 3 string required',
  'storage.v1.VolumeAttachmentStatus':
    'attached 1 boolean required; attachmentMetadata 2 {}string; attachError 3 storage.v1.VolumeError; detachError 4 storage.v1.VolumeError',
  'storage.v1.VolumeAttributesClass': 'metadata 1 ObjectMeta; driverName 2 string required; parameters 3 {}string',
  'storage.v1.VolumeError': 'time 1 time; message 2 string; errorCode 3 int32 presence',
  'storage.v1.VolumeNodeResources': 'count 1 int32 presence',
} as const;
