// Definitions of the core group, except for pods and volumes.

export const coreMessages = `
PersistentVolume: 1 metadata ObjectMeta; 2 spec PersistentVolumeSpec; 3 status PersistentVolumeStatus
PersistentVolumeSpec: 1 capacity map Quantity; 2 persistentVolumeSource PersistentVolumeSource;
  3 accessModes string[]; 4 claimRef ObjectReference; 5 persistentVolumeReclaimPolicy string
PersistentVolumeSource: 1 gcePersistentDisk GCEPersistentDiskVolumeSource;
  2 awsElasticBlockStore AWSElasticBlockStoreVolumeSource; 3 hostPath HostPathVolumeSource;
  4 glusterfs GlusterfsVolumeSource; 5 nfs NFSVolumeSource; 6 rbd RBDVolumeSource; 7 iscsi ISCSIVolumeSource;
  8 cinder CinderVolumeSource; 9 cephfs CephFSVolumeSource; 10 fc FCVolumeSource; 11 flocker FlockerVolumeSource;
  12 flexVolume FlexVolumeSource; 13 azureFile AzureFileVolumeSource;
  14 vsphereVolume VsphereVirtualDiskVolumeSource; 15 quobyte QuobyteVolumeSource;
  16 azureDisk AzureDiskVolumeSource; 17 photonPersistentDisk PhotonPersistentDiskVolumeSource
PersistentVolumeStatus: 1 phase string; 2 message string; 3 reason string
PersistentVolumeClaim: 1 metadata ObjectMeta; 2 spec PersistentVolumeClaimSpec;
  3 status PersistentVolumeClaimStatus
PersistentVolumeClaimSpec: 1 accessModes string[]; 2 resources ResourceRequirements; 3 volumeName string;
  4 selector LabelSelector
PersistentVolumeClaimStatus: 1 phase string; 2 accessModes string[]; 3 capacity map Quantity
Service: 1 metadata ObjectMeta; 2 spec ServiceSpec; 3 status ServiceStatus
ServiceSpec: 1 ports ServicePort[]; 2 selector map string; 3 clusterIP string; 4 type string;
  5 externalIPs string[]; 6 deprecatedPublicIPs string[]; 7 sessionAffinity string; 8 loadBalancerIP string;
  9 loadBalancerSourceRanges string[]; 10 externalName string
ServicePort: 1 name string; 2 protocol string; 3 port int32; 4 targetPort IntOrString; 5 nodePort int32
ServiceStatus: 1 loadBalancer LoadBalancerStatus
LoadBalancerStatus: 1 ingress LoadBalancerIngress[]
LoadBalancerIngress: 1 ip string; 2 hostname string
Endpoints: 1 metadata ObjectMeta; 2 subsets EndpointSubset[]
EndpointSubset: 1 addresses EndpointAddress[]; 2 notReadyAddresses EndpointAddress[]; 3 ports EndpointPort[]
EndpointAddress: 1 ip string; 2 targetRef ObjectReference; 3 hostname string; 4 nodeName string
EndpointPort: 1 name string; 2 port int32; 3 protocol string
Node: 1 metadata ObjectMeta; 2 spec NodeSpec; 3 status NodeStatus
NodeSpec: 1 podCIDR string; 2 externalID string; 3 providerID string; 4 unschedulable bool
NodeStatus: 1 capacity map Quantity; 2 allocatable map Quantity; 3 phase string; 4 conditions NodeCondition[];
  5 addresses NodeAddress[]; 6 daemonEndpoints NodeDaemonEndpoints; 7 nodeInfo NodeSystemInfo;
  8 images ContainerImage[]; 9 volumesInUse string[]; 10 volumesAttached AttachedVolume[]
NodeCondition: 1 type string; 2 status string; 3 lastHeartbeatTime Time; 4 lastTransitionTime Time; 5 reason string;
  6 message string
NodeAddress: 1 type string; 2 address string
NodeDaemonEndpoints: 1 kubeletEndpoint DaemonEndpoint
DaemonEndpoint: 1 Port int32
NodeSystemInfo: 1 machineID string; 2 systemUUID string; 3 bootID string; 4 kernelVersion string; 5 osImage string;
  6 containerRuntimeVersion string; 7 kubeletVersion string; 8 kubeProxyVersion string; 9 operatingSystem string;
  10 architecture string
ContainerImage: 1 names string[]; 2 sizeBytes int64
AttachedVolume: 1 name string; 2 devicePath string
ComponentStatus: 1 metadata ObjectMeta; 2 conditions ComponentCondition[]
ComponentCondition: 1 type string; 2 status string; 3 message string; 4 error string
Namespace: 1 metadata ObjectMeta; 2 spec NamespaceSpec; 3 status NamespaceStatus
NamespaceSpec: 1 finalizers string[]
NamespaceStatus: 1 phase string
LimitRange: 1 metadata ObjectMeta; 2 spec LimitRangeSpec
LimitRangeSpec: 1 limits LimitRangeItem[]
LimitRangeItem: 1 type string; 2 max map Quantity; 3 min map Quantity; 4 default map Quantity;
  5 defaultRequest map Quantity; 6 maxLimitRequestRatio map Quantity
ResourceQuota: 1 metadata ObjectMeta; 2 spec ResourceQuotaSpec; 3 status ResourceQuotaStatus
ResourceQuotaSpec: 1 hard map Quantity; 2 scopes string[]
ResourceQuotaStatus: 1 hard map Quantity; 2 used map Quantity
ConfigMap: 1 metadata ObjectMeta; 2 data map string
Secret: 1 metadata ObjectMeta; 2 data map bytes; 3 type string; 4 stringData map string
ServiceAccount: 1 metadata ObjectMeta; 2 secrets ObjectReference[]; 3 imagePullSecrets LocalObjectReference[]
`;
