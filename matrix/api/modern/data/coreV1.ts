// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const coreV1 = {
  AWSElasticBlockStoreVolumeSource:
    'volumeID 1 string required; fsType 2 string; partition 3 int32; readOnly 4 boolean',
  Affinity: 'nodeAffinity 1 NodeAffinity; podAffinity 2 PodAffinity; podAntiAffinity 3 PodAntiAffinity',
  AppArmorProfile: 'type 1 string required; localhostProfile 2 string presence',
  AttachedVolume: 'name 1 string required; devicePath 2 string required',
  AzureDiskVolumeSource:
    'diskName 1 string required; diskURI 2 string required; cachingMode 3 string presence; fsType 4 string presence; readOnly 5 boolean presence; kind 6 string presence',
  AzureFilePersistentVolumeSource:
    'secretName 1 string required; shareName 2 string required; readOnly 3 boolean; secretNamespace 4 string presence',
  AzureFileVolumeSource: 'secretName 1 string required; shareName 2 string required; readOnly 3 boolean',
  Binding: 'metadata 1 ObjectMeta; target 2 ObjectReference required',
  CSIPersistentVolumeSource:
    'driver 1 string required; volumeHandle 2 string required; readOnly 3 boolean; fsType 4 string; volumeAttributes 5 {}string; controllerPublishSecretRef 6 SecretReference; nodeStageSecretRef 7 SecretReference; nodePublishSecretRef 8 SecretReference; controllerExpandSecretRef 9 SecretReference; nodeExpandSecretRef 10 SecretReference',
  CSIVolumeSource:
    'driver 1 string required; readOnly 2 boolean presence; fsType 3 string presence; volumeAttributes 4 {}string; nodePublishSecretRef 5 LocalObjectReference',
  Capabilities: 'add 1 []string; drop 2 []string',
  CephFSPersistentVolumeSource:
    'monitors 1 []string required; path 2 string; user 3 string; secretFile 4 string; secretRef 5 SecretReference; readOnly 6 boolean',
  CephFSVolumeSource:
    'monitors 1 []string required; path 2 string; user 3 string; secretFile 4 string; secretRef 5 LocalObjectReference; readOnly 6 boolean',
  CinderPersistentVolumeSource:
    'volumeID 1 string required; fsType 2 string; readOnly 3 boolean; secretRef 4 SecretReference',
  CinderVolumeSource:
    'volumeID 1 string required; fsType 2 string; readOnly 3 boolean; secretRef 4 LocalObjectReference',
  ClientIPConfig: 'timeoutSeconds 1 int32 presence',
  ClusterTrustBundleProjection:
    'name 1 string presence; signerName 2 string presence; labelSelector 3 LabelSelector; optional 5 boolean presence; path 4 string required',
  ComponentCondition: 'type 1 string required; status 2 string required; message 3 string; error 4 string',
  ComponentStatus: 'metadata 1 ObjectMeta; conditions 2 []ComponentCondition merge=type',
  ConfigMap: 'metadata 1 ObjectMeta; immutable 4 boolean presence; data 2 {}string; binaryData 3 {}bytes',
  ConfigMapEnvSource: 'localObjectReference 1 LocalObjectReference inlined; optional 2 boolean presence',
  ConfigMapKeySelector:
    'localObjectReference 1 LocalObjectReference inlined; key 2 string required; optional 3 boolean presence',
  ConfigMapNodeConfigSource:
    'namespace 1 string required; name 2 string required; uid 3 string; resourceVersion 4 string; kubeletConfigKey 5 string required',
  ConfigMapProjection:
    'localObjectReference 1 LocalObjectReference inlined; items 2 []KeyToPath; optional 4 boolean presence',
  ConfigMapVolumeSource:
    'localObjectReference 1 LocalObjectReference inlined; items 2 []KeyToPath; defaultMode 3 int32 presence; optional 4 boolean presence',
  Container:
    'name 1 string required; image 2 string; command 3 []string; args 4 []string; workingDir 5 string; ports 6 []ContainerPort merge=containerPort; envFrom 19 []EnvFromSource; env 7 []EnvVar merge=name; resources 8 ResourceRequirements; resizePolicy 23 []ContainerResizePolicy; restartPolicy 24 string presence; restartPolicyRules 25 []ContainerRestartRule; volumeMounts 9 []VolumeMount merge=mountPath; volumeDevices 21 []VolumeDevice merge=devicePath; livenessProbe 10 Probe; readinessProbe 11 Probe; startupProbe 22 Probe; lifecycle 12 Lifecycle; terminationMessagePath 13 string; terminationMessagePolicy 20 string; imagePullPolicy 14 string; securityContext 15 SecurityContext; stdin 16 boolean; stdinOnce 17 boolean; tty 18 boolean',
  ContainerExtendedResourceRequest:
    'containerName 1 string required; resourceName 2 string required; requestName 3 string required',
  ContainerImage: 'names 1 []string; sizeBytes 2 int64',
  ContainerPort: 'name 1 string; hostPort 2 int32; containerPort 3 int32 required; protocol 4 string; hostIP 5 string',
  ContainerResizePolicy: 'resourceName 1 string required; restartPolicy 2 string required',
  ContainerRestartRule: 'action 1 string required; exitCodes 2 ContainerRestartRuleOnExitCodes',
  ContainerRestartRuleOnExitCodes: 'operator 1 string required; values 2 []int32',
  ContainerState:
    'waiting 1 ContainerStateWaiting; running 2 ContainerStateRunning; terminated 3 ContainerStateTerminated',
  ContainerStateRunning: 'startedAt 1 time',
  ContainerStateTerminated:
    'exitCode 1 int32 required; signal 2 int32; reason 3 string; message 4 string; startedAt 5 time; finishedAt 6 time; containerID 7 string',
  ContainerStateWaiting: 'reason 1 string; message 2 string',
  ContainerStatus:
    'name 1 string required; state 2 ContainerState; lastState 3 ContainerState; ready 4 boolean required; restartCount 5 int32 required; image 6 string required; imageID 7 string required; containerID 8 string; started 9 boolean presence; allocatedResources 10 {}quantity; resources 11 ResourceRequirements; volumeMounts 12 []VolumeMountStatus merge=mountPath; user 13 ContainerUser; allocatedResourcesStatus 14 []ResourceStatus merge=name; stopSignal 15 string presence',
  ContainerUser: 'linux 1 LinuxContainerUser',
  DaemonEndpoint: 'Port 1 int32 required',
  DownwardAPIProjection: 'items 1 []DownwardAPIVolumeFile',
  DownwardAPIVolumeFile:
    'path 1 string required; fieldRef 2 ObjectFieldSelector; resourceFieldRef 3 ResourceFieldSelector; mode 4 int32 presence',
  DownwardAPIVolumeSource: 'items 1 []DownwardAPIVolumeFile; defaultMode 2 int32 presence',
  EmptyDirVolumeSource: 'medium 1 string; sizeLimit 2 quantity',
  EndpointAddress: 'ip 1 string required; hostname 3 string; nodeName 4 string presence; targetRef 2 ObjectReference',
  EndpointPort: 'name 1 string; port 2 int32 required; protocol 3 string; appProtocol 4 string presence',
  EndpointSubset: 'addresses 1 []EndpointAddress; notReadyAddresses 2 []EndpointAddress; ports 3 []EndpointPort',
  Endpoints: 'metadata 1 ObjectMeta; subsets 2 []EndpointSubset',
  EnvFromSource: 'prefix 1 string; configMapRef 2 ConfigMapEnvSource; secretRef 3 SecretEnvSource',
  EnvVar: 'name 1 string required; value 2 string; valueFrom 3 EnvVarSource',
  EnvVarSource:
    'fieldRef 1 ObjectFieldSelector; resourceFieldRef 2 ResourceFieldSelector; configMapKeyRef 3 ConfigMapKeySelector; secretKeyRef 4 SecretKeySelector; fileKeyRef 5 FileKeySelector',
  EphemeralContainer: 'undefined 1 EphemeralContainerCommon inlined; targetContainerName 2 string',
  EphemeralContainerCommon:
    'name 1 string required; image 2 string; command 3 []string; args 4 []string; workingDir 5 string; ports 6 []ContainerPort merge=containerPort; envFrom 19 []EnvFromSource; env 7 []EnvVar merge=name; resources 8 ResourceRequirements; resizePolicy 23 []ContainerResizePolicy; restartPolicy 24 string presence; restartPolicyRules 25 []ContainerRestartRule; volumeMounts 9 []VolumeMount merge=mountPath; volumeDevices 21 []VolumeDevice merge=devicePath; livenessProbe 10 Probe; readinessProbe 11 Probe; startupProbe 22 Probe; lifecycle 12 Lifecycle; terminationMessagePath 13 string; terminationMessagePolicy 20 string; imagePullPolicy 14 string; securityContext 15 SecurityContext; stdin 16 boolean; stdinOnce 17 boolean; tty 18 boolean',
  EphemeralVolumeSource: 'volumeClaimTemplate 1 PersistentVolumeClaimTemplate',
  Event:
    'metadata 1 ObjectMeta required; involvedObject 2 ObjectReference required; reason 3 string; message 4 string; source 5 EventSource; firstTimestamp 6 time; lastTimestamp 7 time; count 8 int32; type 9 string; eventTime 10 microTime; series 11 EventSeries; action 12 string; related 13 ObjectReference; reportingComponent 14 string; reportingInstance 15 string',
  EventSeries: 'count 1 int32; lastObservedTime 2 microTime',
  EventSource: 'component 1 string; host 2 string',
  ExecAction: 'command 1 []string',
  FCVolumeSource: 'targetWWNs 1 []string; lun 2 int32 presence; fsType 3 string; readOnly 4 boolean; wwids 5 []string',
  FileKeySelector:
    'volumeName 1 string required; path 2 string required; key 3 string required; optional 4 boolean presence',
  FlexPersistentVolumeSource:
    'driver 1 string required; fsType 2 string; secretRef 3 SecretReference; readOnly 4 boolean; options 5 {}string',
  FlexVolumeSource:
    'driver 1 string required; fsType 2 string; secretRef 3 LocalObjectReference; readOnly 4 boolean; options 5 {}string',
  FlockerVolumeSource: 'datasetName 1 string; datasetUUID 2 string',
  GCEPersistentDiskVolumeSource: 'pdName 1 string required; fsType 2 string; partition 3 int32; readOnly 4 boolean',
  GRPCAction: 'port 1 int32 required; service 2 string presence',
  GitRepoVolumeSource: 'repository 1 string required; revision 2 string; directory 3 string',
  GlusterfsPersistentVolumeSource:
    'endpoints 1 string required; path 2 string required; readOnly 3 boolean; endpointsNamespace 4 string presence',
  GlusterfsVolumeSource: 'endpoints 1 string required; path 2 string required; readOnly 3 boolean',
  HTTPGetAction:
    'path 1 string; port 2 intOrString required; host 3 string; scheme 4 string; httpHeaders 5 []HTTPHeader',
  HTTPHeader: 'name 1 string required; value 2 string required',
  HostAlias: 'ip 1 string required; hostnames 2 []string',
  HostIP: 'ip 1 string required',
  HostPathVolumeSource: 'path 1 string required; type 2 string presence',
  ISCSIPersistentVolumeSource:
    'targetPortal 1 string required; iqn 2 string required; lun 3 int32 required; iscsiInterface 4 string; fsType 5 string; readOnly 6 boolean; portals 7 []string; chapAuthDiscovery 8 boolean; chapAuthSession 11 boolean; secretRef 10 SecretReference; initiatorName 12 string presence',
  ISCSIVolumeSource:
    'targetPortal 1 string required; iqn 2 string required; lun 3 int32 required; iscsiInterface 4 string; fsType 5 string; readOnly 6 boolean; portals 7 []string; chapAuthDiscovery 8 boolean; chapAuthSession 11 boolean; secretRef 10 LocalObjectReference; initiatorName 12 string presence',
  ImageVolumeSource: 'reference 1 string; pullPolicy 2 string',
  ImageVolumeStatus: 'imageRef 1 string required',
  KeyToPath: 'key 1 string required; path 2 string required; mode 3 int32 presence',
  Lifecycle: 'postStart 1 LifecycleHandler; preStop 2 LifecycleHandler; stopSignal 3 string presence',
  LifecycleHandler: 'exec 1 ExecAction; httpGet 2 HTTPGetAction; tcpSocket 3 TCPSocketAction; sleep 4 SleepAction',
  LimitRange: 'metadata 1 ObjectMeta; spec 2 LimitRangeSpec',
  LimitRangeItem:
    'type 1 string required; max 2 {}quantity; min 3 {}quantity; default 4 {}quantity; defaultRequest 5 {}quantity; maxLimitRequestRatio 6 {}quantity',
  LimitRangeSpec: 'limits 1 []LimitRangeItem required',
  LinuxContainerUser: 'uid 1 int64 required; gid 2 int64 required; supplementalGroups 3 []int64',
  LoadBalancerIngress: 'ip 1 string; hostname 2 string; ipMode 3 string presence; ports 4 []PortStatus',
  LoadBalancerStatus: 'ingress 1 []LoadBalancerIngress',
  LocalObjectReference: 'name 1 string',
  LocalVolumeSource: 'path 1 string required; fsType 2 string presence',
  ModifyVolumeStatus: 'targetVolumeAttributesClassName 1 string; status 2 string required',
  NFSVolumeSource: 'server 1 string required; path 2 string required; readOnly 3 boolean',
  Namespace: 'metadata 1 ObjectMeta; spec 2 NamespaceSpec; status 3 NamespaceStatus',
  NamespaceCondition:
    'type 1 string required; status 2 string required; lastTransitionTime 4 time; reason 5 string; message 6 string',
  NamespaceSpec: 'finalizers 1 []string',
  NamespaceStatus: 'phase 1 string; conditions 2 []NamespaceCondition merge=type',
  Node: 'metadata 1 ObjectMeta; spec 2 NodeSpec; status 3 NodeStatus',
  NodeAddress: 'type 1 string required; address 2 string required',
  NodeAffinity:
    'requiredDuringSchedulingIgnoredDuringExecution 1 NodeSelector; preferredDuringSchedulingIgnoredDuringExecution 2 []PreferredSchedulingTerm',
  NodeAllocatableResourceClaimStatus:
    'resourceClaimName 1 string required; containers 2 []string; resources 3 {}quantity required',
  NodeCondition:
    'type 1 string required; status 2 string required; lastHeartbeatTime 3 time; lastTransitionTime 4 time; reason 5 string; message 6 string',
  NodeConfigSource: 'configMap 2 ConfigMapNodeConfigSource',
  NodeConfigStatus:
    'assigned 1 NodeConfigSource; active 2 NodeConfigSource; lastKnownGood 3 NodeConfigSource; error 4 string',
  NodeDaemonEndpoints: 'kubeletEndpoint 1 DaemonEndpoint',
  NodeFeatures: 'supplementalGroupsPolicy 1 boolean presence',
  NodeRuntimeHandler: 'name 1 string; features 2 NodeRuntimeHandlerFeatures',
  NodeRuntimeHandlerFeatures: 'recursiveReadOnlyMounts 1 boolean presence; userNamespaces 2 boolean presence',
  NodeSelector: 'nodeSelectorTerms 1 []NodeSelectorTerm required',
  NodeSelectorRequirement: 'key 1 string required; operator 2 string required; values 3 []string',
  NodeSelectorTerm: 'matchExpressions 1 []NodeSelectorRequirement; matchFields 2 []NodeSelectorRequirement',
  NodeSpec:
    'podCIDR 1 string; podCIDRs 7 []string merge; providerID 3 string; unschedulable 4 boolean; taints 5 []Taint; configSource 6 NodeConfigSource; externalID 2 string',
  NodeStatus:
    'capacity 1 {}quantity; allocatable 2 {}quantity; phase 3 string; conditions 4 []NodeCondition merge=type; addresses 5 []NodeAddress merge=type; daemonEndpoints 6 NodeDaemonEndpoints; nodeInfo 7 NodeSystemInfo; images 8 []ContainerImage; volumesInUse 9 []string; volumesAttached 10 []AttachedVolume; config 11 NodeConfigStatus; runtimeHandlers 12 []NodeRuntimeHandler; features 13 NodeFeatures; declaredFeatures 14 []string',
  NodeSwapStatus: 'capacity 1 int64 presence',
  NodeSystemInfo:
    'machineID 1 string required; systemUUID 2 string required; bootID 3 string required; kernelVersion 4 string required; osImage 5 string required; containerRuntimeVersion 6 string required; kubeletVersion 7 string required; kubeProxyVersion 8 string required; operatingSystem 9 string required; architecture 10 string required; swap 11 NodeSwapStatus',
  ObjectFieldSelector: 'apiVersion 1 string; fieldPath 2 string required',
  ObjectReference:
    'kind 1 string; namespace 2 string; name 3 string; uid 4 string; apiVersion 5 string; resourceVersion 6 string; fieldPath 7 string',
  PersistentVolume: 'metadata 1 ObjectMeta; spec 2 PersistentVolumeSpec; status 3 PersistentVolumeStatus',
  PersistentVolumeClaim:
    'metadata 1 ObjectMeta; spec 2 PersistentVolumeClaimSpec; status 3 PersistentVolumeClaimStatus',
  PersistentVolumeClaimCondition:
    'type 1 string required; status 2 string required; lastProbeTime 3 time; lastTransitionTime 4 time; reason 5 string; message 6 string',
  PersistentVolumeClaimSpec:
    'accessModes 1 []string; selector 4 LabelSelector; resources 2 VolumeResourceRequirements; volumeName 3 string; storageClassName 5 string presence; volumeMode 6 string presence; dataSource 7 TypedLocalObjectReference; dataSourceRef 8 TypedObjectReference; volumeAttributesClassName 9 string presence',
  PersistentVolumeClaimStatus:
    'phase 1 string; accessModes 2 []string; capacity 3 {}quantity; conditions 4 []PersistentVolumeClaimCondition merge=type; allocatedResources 5 {}quantity; allocatedResourceStatuses 7 {}string; currentVolumeAttributesClassName 8 string presence; modifyVolumeStatus 9 ModifyVolumeStatus',
  PersistentVolumeClaimTemplate: 'metadata 1 ObjectMeta; spec 2 PersistentVolumeClaimSpec required',
  PersistentVolumeClaimVolumeSource: 'claimName 1 string required; readOnly 2 boolean',
  PersistentVolumeSource:
    'gcePersistentDisk 1 GCEPersistentDiskVolumeSource; awsElasticBlockStore 2 AWSElasticBlockStoreVolumeSource; hostPath 3 HostPathVolumeSource; glusterfs 4 GlusterfsPersistentVolumeSource; nfs 5 NFSVolumeSource; rbd 6 RBDPersistentVolumeSource; iscsi 7 ISCSIPersistentVolumeSource; cinder 8 CinderPersistentVolumeSource; cephfs 9 CephFSPersistentVolumeSource; fc 10 FCVolumeSource; flocker 11 FlockerVolumeSource; flexVolume 12 FlexPersistentVolumeSource; azureFile 13 AzureFilePersistentVolumeSource; vsphereVolume 14 VsphereVirtualDiskVolumeSource; quobyte 15 QuobyteVolumeSource; azureDisk 16 AzureDiskVolumeSource; photonPersistentDisk 17 PhotonPersistentDiskVolumeSource; portworxVolume 18 PortworxVolumeSource; scaleIO 19 ScaleIOPersistentVolumeSource; local 20 LocalVolumeSource; storageos 21 StorageOSPersistentVolumeSource; csi 22 CSIPersistentVolumeSource',
  PersistentVolumeSpec:
    'capacity 1 {}quantity; persistentVolumeSource 2 PersistentVolumeSource inlined; accessModes 3 []string; claimRef 4 ObjectReference; persistentVolumeReclaimPolicy 5 string; storageClassName 6 string; mountOptions 7 []string; volumeMode 8 string presence; nodeAffinity 9 VolumeNodeAffinity; volumeAttributesClassName 10 string presence',
  PersistentVolumeStatus: 'phase 1 string; message 2 string; reason 3 string; lastPhaseTransitionTime 4 time presence',
  PhotonPersistentDiskVolumeSource: 'pdID 1 string required; fsType 2 string',
  Pod: 'metadata 1 ObjectMeta; spec 2 PodSpec; status 3 PodStatus',
  PodAffinity:
    'requiredDuringSchedulingIgnoredDuringExecution 1 []PodAffinityTerm; preferredDuringSchedulingIgnoredDuringExecution 2 []WeightedPodAffinityTerm',
  PodAffinityTerm:
    'labelSelector 1 LabelSelector; namespaces 2 []string; topologyKey 3 string required; namespaceSelector 4 LabelSelector; matchLabelKeys 5 []string; mismatchLabelKeys 6 []string',
  PodAntiAffinity:
    'requiredDuringSchedulingIgnoredDuringExecution 1 []PodAffinityTerm; preferredDuringSchedulingIgnoredDuringExecution 2 []WeightedPodAffinityTerm',
  PodCertificateProjection:
    'signerName 1 string required; keyType 2 string required; maxExpirationSeconds 3 int32 presence; credentialBundlePath 4 string; keyPath 5 string; certificateChainPath 6 string; userAnnotations 7 {}string',
  PodCondition:
    'type 1 string required; observedGeneration 7 int64; status 2 string required; lastProbeTime 3 time; lastTransitionTime 4 time; reason 5 string; message 6 string',
  PodDNSConfig: 'nameservers 1 []string; searches 2 []string; options 3 []PodDNSConfigOption',
  PodDNSConfigOption: 'name 1 string; value 2 string presence',
  PodExtendedResourceClaimStatus:
    'requestMappings 1 []ContainerExtendedResourceRequest required; resourceClaimName 2 string required',
  PodIP: 'ip 1 string required',
  PodOS: 'name 1 string required',
  PodReadinessGate: 'conditionType 1 string required',
  PodResourceClaim:
    'name 1 string required; resourceClaimName 3 string presence; resourceClaimTemplateName 4 string presence',
  PodResourceClaimStatus: 'name 1 string required; resourceClaimName 2 string presence',
  PodSchedulingGate: 'name 1 string required',
  PodSchedulingGroup: 'podGroupName 1 string presence',
  PodSecurityContext:
    'seLinuxOptions 1 SELinuxOptions; windowsOptions 8 WindowsSecurityContextOptions; runAsUser 2 int64 presence; runAsGroup 6 int64 presence; runAsNonRoot 3 boolean presence; supplementalGroups 4 []int64; supplementalGroupsPolicy 12 string presence; fsGroup 5 int64 presence; sysctls 7 []Sysctl; fsGroupChangePolicy 9 string presence; seccompProfile 10 SeccompProfile; appArmorProfile 11 AppArmorProfile; seLinuxChangePolicy 13 string presence',
  PodSpec:
    'volumes 1 []Volume merge,retainKeys=name; initContainers 20 []Container merge=name; containers 2 []Container required merge=name; ephemeralContainers 34 []EphemeralContainer merge=name; restartPolicy 3 string; terminationGracePeriodSeconds 4 int64 presence; activeDeadlineSeconds 5 int64 presence; dnsPolicy 6 string; nodeSelector 7 {}string; serviceAccountName 8 string; serviceAccount 9 string; automountServiceAccountToken 21 boolean presence; nodeName 10 string; hostNetwork 11 boolean; hostPID 12 boolean; hostIPC 13 boolean; shareProcessNamespace 27 boolean presence; securityContext 14 PodSecurityContext; imagePullSecrets 15 []LocalObjectReference merge=name; hostname 16 string; subdomain 17 string; affinity 18 Affinity; schedulerName 19 string; tolerations 22 []Toleration; hostAliases 23 []HostAlias merge=ip; priorityClassName 24 string; priority 25 int32 presence; dnsConfig 26 PodDNSConfig; readinessGates 28 []PodReadinessGate; runtimeClassName 29 string presence; enableServiceLinks 30 boolean presence; preemptionPolicy 31 string presence; overhead 32 {}quantity; topologySpreadConstraints 33 []TopologySpreadConstraint merge=topologyKey; setHostnameAsFQDN 35 boolean presence; os 36 PodOS; hostUsers 37 boolean presence; schedulingGates 38 []PodSchedulingGate merge=name; resourceClaims 39 []PodResourceClaim merge,retainKeys=name; resources 40 ResourceRequirements; hostnameOverride 41 string presence; schedulingGroup 43 PodSchedulingGroup',
  PodStatus:
    'observedGeneration 17 int64; phase 1 string; conditions 2 []PodCondition merge=type; message 3 string; reason 4 string; nominatedNodeName 11 string; hostIP 5 string; hostIPs 16 []HostIP merge=ip; podIP 6 string; podIPs 12 []PodIP merge=ip; startTime 7 time presence; initContainerStatuses 10 []ContainerStatus; containerStatuses 8 []ContainerStatus; qosClass 9 string; ephemeralContainerStatuses 13 []ContainerStatus; resize 14 string; resourceClaimStatuses 15 []PodResourceClaimStatus merge,retainKeys=name; extendedResourceClaimStatus 18 PodExtendedResourceClaimStatus; allocatedResources 19 {}quantity; resources 20 ResourceRequirements; nodeAllocatableResourceClaimStatuses 21 []NodeAllocatableResourceClaimStatus',
  PodTemplate: 'metadata 1 ObjectMeta; template 2 PodTemplateSpec',
  PodTemplateSpec: 'metadata 1 ObjectMeta; spec 2 PodSpec',
  PortStatus: 'port 1 int32 required; protocol 2 string required; error 3 string presence',
  PortworxVolumeSource: 'volumeID 1 string required; fsType 2 string; readOnly 3 boolean',
  PreferredSchedulingTerm: 'weight 1 int32 required; preference 2 NodeSelectorTerm required',
  Probe:
    'handler 1 ProbeHandler inlined; initialDelaySeconds 2 int32; timeoutSeconds 3 int32; periodSeconds 4 int32; successThreshold 5 int32; failureThreshold 6 int32; terminationGracePeriodSeconds 7 int64 presence',
  ProbeHandler: 'exec 1 ExecAction; httpGet 2 HTTPGetAction; tcpSocket 3 TCPSocketAction; grpc 4 GRPCAction',
  ProjectedVolumeSource: 'sources 1 []VolumeProjection; defaultMode 2 int32 presence',
  QuobyteVolumeSource:
    'registry 1 string required; volume 2 string required; readOnly 3 boolean; user 4 string; group 5 string; tenant 6 string',
  RBDPersistentVolumeSource:
    'monitors 1 []string required; image 2 string required; fsType 3 string; pool 4 string; user 5 string; keyring 6 string; secretRef 7 SecretReference; readOnly 8 boolean',
  RBDVolumeSource:
    'monitors 1 []string required; image 2 string required; fsType 3 string; pool 4 string; user 5 string; keyring 6 string; secretRef 7 LocalObjectReference; readOnly 8 boolean',
  ReplicationController:
    'metadata 1 ObjectMeta; spec 2 ReplicationControllerSpec; status 3 ReplicationControllerStatus',
  ReplicationControllerCondition:
    'type 1 string required; status 2 string required; lastTransitionTime 3 time; reason 4 string; message 5 string',
  ReplicationControllerSpec:
    'replicas 1 int32 presence; minReadySeconds 4 int32; selector 2 {}string; template 3 PodTemplateSpec',
  ReplicationControllerStatus:
    'replicas 1 int32 required; fullyLabeledReplicas 2 int32; readyReplicas 4 int32; availableReplicas 5 int32; observedGeneration 3 int64; conditions 6 []ReplicationControllerCondition merge=type',
  ResourceClaim: 'name 1 string required; request 2 string',
  ResourceFieldSelector: 'containerName 1 string; resource 2 string required; divisor 3 quantity',
  ResourceHealth: 'resourceID 1 string required; health 2 string; message 6 string presence',
  ResourceQuota: 'metadata 1 ObjectMeta; spec 2 ResourceQuotaSpec; status 3 ResourceQuotaStatus',
  ResourceQuotaSpec: 'hard 1 {}quantity; scopes 2 []string; scopeSelector 3 ScopeSelector',
  ResourceQuotaStatus: 'hard 1 {}quantity; used 2 {}quantity',
  ResourceRequirements: 'limits 1 {}quantity; requests 2 {}quantity; claims 3 []ResourceClaim',
  ResourceStatus: 'name 1 string required; resources 2 []ResourceHealth',
  SELinuxOptions: 'user 1 string; role 2 string; type 3 string; level 4 string',
  ScaleIOPersistentVolumeSource:
    'gateway 1 string required; system 2 string required; secretRef 3 SecretReference required; sslEnabled 4 boolean; protectionDomain 5 string; storagePool 6 string; storageMode 7 string; volumeName 8 string; fsType 9 string; readOnly 10 boolean',
  ScaleIOVolumeSource:
    'gateway 1 string required; system 2 string required; secretRef 3 LocalObjectReference required; sslEnabled 4 boolean; protectionDomain 5 string; storagePool 6 string; storageMode 7 string; volumeName 8 string; fsType 9 string; readOnly 10 boolean',
  ScopeSelector: 'matchExpressions 1 []ScopedResourceSelectorRequirement',
  ScopedResourceSelectorRequirement: 'scopeName 1 string required; operator 2 string required; values 3 []string',
  SeccompProfile: 'type 1 string required; localhostProfile 2 string presence',
  Secret: 'metadata 1 ObjectMeta; immutable 5 boolean presence; data 2 {}bytes; stringData 4 {}string; type 3 string',
  SecretEnvSource: 'localObjectReference 1 LocalObjectReference inlined; optional 2 boolean presence',
  SecretKeySelector:
    'localObjectReference 1 LocalObjectReference inlined; key 2 string required; optional 3 boolean presence',
  SecretProjection:
    'localObjectReference 1 LocalObjectReference inlined; items 2 []KeyToPath; optional 4 boolean presence',
  SecretReference: 'name 1 string; namespace 2 string',
  SecretVolumeSource:
    'secretName 1 string; items 2 []KeyToPath; defaultMode 3 int32 presence; optional 4 boolean presence',
  SecurityContext:
    'capabilities 1 Capabilities; privileged 2 boolean presence; seLinuxOptions 3 SELinuxOptions; windowsOptions 10 WindowsSecurityContextOptions; runAsUser 4 int64 presence; runAsGroup 8 int64 presence; runAsNonRoot 5 boolean presence; readOnlyRootFilesystem 6 boolean presence; allowPrivilegeEscalation 7 boolean presence; procMount 9 string presence; seccompProfile 11 SeccompProfile; appArmorProfile 12 AppArmorProfile',
  Service: 'metadata 1 ObjectMeta; spec 2 ServiceSpec; status 3 ServiceStatus',
  ServiceAccount:
    'metadata 1 ObjectMeta; secrets 2 []ObjectReference merge=name; imagePullSecrets 3 []LocalObjectReference; automountServiceAccountToken 4 boolean presence',
  ServiceAccountTokenProjection: 'audience 1 string; expirationSeconds 2 int64 presence; path 3 string required',
  ServicePort:
    'name 1 string; protocol 2 string; appProtocol 6 string presence; port 3 int32 required; targetPort 4 intOrString; nodePort 5 int32',
  ServiceSpec:
    'ports 1 []ServicePort merge=port; selector 2 {}string; clusterIP 3 string; clusterIPs 18 []string; type 4 string; externalIPs 5 []string; sessionAffinity 7 string; loadBalancerIP 8 string; loadBalancerSourceRanges 9 []string; externalName 10 string; externalTrafficPolicy 11 string; healthCheckNodePort 12 int32; publishNotReadyAddresses 13 boolean; sessionAffinityConfig 14 SessionAffinityConfig; ipFamilies 19 []string; ipFamilyPolicy 17 string presence; allocateLoadBalancerNodePorts 20 boolean presence; loadBalancerClass 21 string presence; internalTrafficPolicy 22 string presence; trafficDistribution 23 string presence',
  ServiceStatus: 'loadBalancer 1 LoadBalancerStatus; conditions 2 []Condition merge=type',
  SessionAffinityConfig: 'clientIP 1 ClientIPConfig',
  SleepAction: 'seconds 1 int64 required',
  StorageOSPersistentVolumeSource:
    'volumeName 1 string; volumeNamespace 2 string; fsType 3 string; readOnly 4 boolean; secretRef 5 ObjectReference',
  StorageOSVolumeSource:
    'volumeName 1 string; volumeNamespace 2 string; fsType 3 string; readOnly 4 boolean; secretRef 5 LocalObjectReference',
  Sysctl: 'name 1 string required; value 2 string required',
  TCPSocketAction: 'port 1 intOrString required; host 2 string',
  Taint: 'key 1 string required; value 2 string; effect 3 string required; timeAdded 4 time presence',
  Toleration: 'key 1 string; operator 2 string; value 3 string; effect 4 string; tolerationSeconds 5 int64 presence',
  TopologySelectorLabelRequirement: 'key 1 string required; values 2 []string required',
  TopologySelectorTerm: 'matchLabelExpressions 1 []TopologySelectorLabelRequirement',
  TopologySpreadConstraint:
    'maxSkew 1 int32 required; topologyKey 2 string required; whenUnsatisfiable 3 string required; labelSelector 4 LabelSelector; minDomains 5 int32 presence; nodeAffinityPolicy 6 string presence; nodeTaintsPolicy 7 string presence; matchLabelKeys 8 []string',
  TypedLocalObjectReference: 'apiGroup 1 string presence; kind 2 string required; name 3 string required',
  TypedObjectReference:
    'apiGroup 1 string presence; kind 2 string required; name 3 string required; namespace 4 string presence',
  Volume: 'name 1 string required; volumeSource 2 VolumeSource inlined',
  VolumeDevice: 'name 1 string required; devicePath 2 string required',
  VolumeMount:
    'name 1 string required; readOnly 2 boolean; recursiveReadOnly 7 string presence; mountPath 3 string required; subPath 4 string; mountPropagation 5 string presence; subPathExpr 6 string',
  VolumeMountStatus:
    'name 1 string required; mountPath 2 string required; readOnly 3 boolean; recursiveReadOnly 4 string presence; volumeStatus 5 VolumeStatus',
  VolumeNodeAffinity: 'required 1 NodeSelector',
  VolumeProjection:
    'secret 1 SecretProjection; downwardAPI 2 DownwardAPIProjection; configMap 3 ConfigMapProjection; serviceAccountToken 4 ServiceAccountTokenProjection; clusterTrustBundle 5 ClusterTrustBundleProjection; podCertificate 6 PodCertificateProjection',
  VolumeResourceRequirements: 'limits 1 {}quantity; requests 2 {}quantity',
  VolumeSource:
    'hostPath 1 HostPathVolumeSource; emptyDir 2 EmptyDirVolumeSource; gcePersistentDisk 3 GCEPersistentDiskVolumeSource; awsElasticBlockStore 4 AWSElasticBlockStoreVolumeSource; gitRepo 5 GitRepoVolumeSource; secret 6 SecretVolumeSource; nfs 7 NFSVolumeSource; iscsi 8 ISCSIVolumeSource; glusterfs 9 GlusterfsVolumeSource; persistentVolumeClaim 10 PersistentVolumeClaimVolumeSource; rbd 11 RBDVolumeSource; flexVolume 12 FlexVolumeSource; cinder 13 CinderVolumeSource; cephfs 14 CephFSVolumeSource; flocker 15 FlockerVolumeSource; downwardAPI 16 DownwardAPIVolumeSource; fc 17 FCVolumeSource; azureFile 18 AzureFileVolumeSource; configMap 19 ConfigMapVolumeSource; vsphereVolume 20 VsphereVirtualDiskVolumeSource; quobyte 21 QuobyteVolumeSource; azureDisk 22 AzureDiskVolumeSource; photonPersistentDisk 23 PhotonPersistentDiskVolumeSource; projected 26 ProjectedVolumeSource; portworxVolume 24 PortworxVolumeSource; scaleIO 25 ScaleIOVolumeSource; storageos 27 StorageOSVolumeSource; csi 28 CSIVolumeSource; ephemeral 29 EphemeralVolumeSource; image 30 ImageVolumeSource',
  VolumeStatus: 'image 1 ImageVolumeStatus',
  VsphereVirtualDiskVolumeSource:
    'volumePath 1 string required; fsType 2 string; storagePolicyName 3 string; storagePolicyID 4 string',
  WeightedPodAffinityTerm: 'weight 1 int32 required; podAffinityTerm 2 PodAffinityTerm required',
  WindowsSecurityContextOptions:
    'gmsaCredentialSpecName 1 string presence; gmsaCredentialSpec 2 string presence; runAsUserName 3 string presence; hostProcess 4 boolean presence',
} as const;
