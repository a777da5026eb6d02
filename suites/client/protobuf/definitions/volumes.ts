// Definitions of volumes.

export const volumesMessages = `
Volume: 1 name string; 2 volumeSource VolumeSource
VolumeSource: 1 hostPath HostPathVolumeSource; 2 emptyDir EmptyDirVolumeSource;
  3 gcePersistentDisk GCEPersistentDiskVolumeSource; 4 awsElasticBlockStore AWSElasticBlockStoreVolumeSource;
  5 gitRepo GitRepoVolumeSource; 6 secret SecretVolumeSource; 7 nfs NFSVolumeSource; 8 iscsi ISCSIVolumeSource;
  9 glusterfs GlusterfsVolumeSource; 10 persistentVolumeClaim PersistentVolumeClaimVolumeSource;
  11 rbd RBDVolumeSource; 12 flexVolume FlexVolumeSource; 13 cinder CinderVolumeSource;
  14 cephfs CephFSVolumeSource; 15 flocker FlockerVolumeSource; 16 downwardAPI DownwardAPIVolumeSource;
  17 fc FCVolumeSource; 18 azureFile AzureFileVolumeSource; 19 configMap ConfigMapVolumeSource;
  20 vsphereVolume VsphereVirtualDiskVolumeSource; 21 quobyte QuobyteVolumeSource;
  22 azureDisk AzureDiskVolumeSource; 23 photonPersistentDisk PhotonPersistentDiskVolumeSource
PersistentVolumeClaimVolumeSource: 1 claimName string; 2 readOnly bool
HostPathVolumeSource: 1 path string
EmptyDirVolumeSource: 1 medium string
GitRepoVolumeSource: 1 repository string; 2 revision string; 3 directory string
SecretVolumeSource: 1 secretName string; 2 items KeyToPath[]; 3 defaultMode int32
ConfigMapVolumeSource: 1 localObjectReference LocalObjectReference; 2 items KeyToPath[]; 3 defaultMode int32
KeyToPath: 1 key string; 2 path string; 3 mode int32
DownwardAPIVolumeSource: 1 items DownwardAPIVolumeFile[]; 2 defaultMode int32
DownwardAPIVolumeFile: 1 path string; 2 fieldRef ObjectFieldSelector; 3 resourceFieldRef ResourceFieldSelector;
  4 mode int32
AWSElasticBlockStoreVolumeSource: 1 volumeID string; 2 fsType string; 3 partition int32; 4 readOnly bool
AzureDiskVolumeSource: 1 diskName string; 2 diskURI string; 3 cachingMode string; 4 fsType string; 5 readOnly bool
AzureFileVolumeSource: 1 secretName string; 2 shareName string; 3 readOnly bool
CephFSVolumeSource: 1 monitors string[]; 2 path string; 3 user string; 4 secretFile string;
  5 secretRef LocalObjectReference; 6 readOnly bool
CinderVolumeSource: 1 volumeID string; 2 fsType string; 3 readOnly bool
FCVolumeSource: 1 targetWWNs string[]; 2 lun int32; 3 fsType string; 4 readOnly bool
FlexVolumeSource: 1 driver string; 2 fsType string; 3 secretRef LocalObjectReference; 4 readOnly bool;
  5 options map string
FlockerVolumeSource: 1 datasetName string; 2 datasetUUID string
GCEPersistentDiskVolumeSource: 1 pdName string; 2 fsType string; 3 partition int32; 4 readOnly bool
GlusterfsVolumeSource: 1 endpoints string; 2 path string; 3 readOnly bool
ISCSIVolumeSource: 1 targetPortal string; 2 iqn string; 3 lun int32; 4 iscsiInterface string; 5 fsType string;
  6 readOnly bool
NFSVolumeSource: 1 server string; 2 path string; 3 readOnly bool
PhotonPersistentDiskVolumeSource: 1 pdID string; 2 fsType string
QuobyteVolumeSource: 1 registry string; 2 volume string; 3 readOnly bool; 4 user string; 5 group string
RBDVolumeSource: 1 monitors string[]; 2 image string; 3 fsType string; 4 pool string; 5 user string;
  6 keyring string; 7 secretRef LocalObjectReference; 8 readOnly bool
VsphereVirtualDiskVolumeSource: 1 volumePath string; 2 fsType string
`;
