// Definitions of the groups autoscaling, batch and extensions.

export const groupsMessages = `
ReplicationController: 1 metadata ObjectMeta; 2 spec ReplicationControllerSpec;
  3 status ReplicationControllerStatus
ReplicationControllerSpec: 1 replicas int32; 2 selector map string; 3 template PodTemplateSpec;
  4 minReadySeconds int32
ReplicationControllerStatus: 1 replicas int32; 2 fullyLabeledReplicas int32; 3 observedGeneration int64;
  4 readyReplicas int32; 5 availableReplicas int32; 6 conditions ReplicationControllerCondition[]
ReplicationControllerCondition: 1 type string; 2 status string; 3 lastTransitionTime Time; 4 reason string;
  5 message string
ReplicaSet: 1 metadata ObjectMeta; 2 spec ReplicaSetSpec; 3 status ReplicaSetStatus
ReplicaSetSpec: 1 replicas int32; 2 selector LabelSelector; 3 template PodTemplateSpec; 4 minReadySeconds int32
ReplicaSetStatus: 1 replicas int32; 2 fullyLabeledReplicas int32; 3 observedGeneration int64; 4 readyReplicas int32;
  5 availableReplicas int32; 6 conditions ReplicaSetCondition[]
ReplicaSetCondition: 1 type string; 2 status string; 3 lastTransitionTime Time; 4 reason string; 5 message string
Deployment: 1 metadata ObjectMeta; 2 spec DeploymentSpec; 3 status DeploymentStatus
DeploymentSpec: 1 replicas int32; 2 selector LabelSelector; 3 template PodTemplateSpec;
  4 strategy DeploymentStrategy; 5 minReadySeconds int32; 6 revisionHistoryLimit int32; 7 paused bool;
  8 rollbackTo RollbackConfig; 9 progressDeadlineSeconds int32
DeploymentStrategy: 1 type string; 2 rollingUpdate RollingUpdateDeployment
RollingUpdateDeployment: 1 maxUnavailable IntOrString; 2 maxSurge IntOrString
DeploymentStatus: 1 observedGeneration int64; 2 replicas int32; 3 updatedReplicas int32; 4 availableReplicas int32;
  5 unavailableReplicas int32; 6 conditions DeploymentCondition[]
DeploymentCondition: 1 type string; 2 status string; 4 reason string; 5 message string; 6 lastUpdateTime Time;
  7 lastTransitionTime Time
DeploymentRollback: 1 name string; 2 updatedAnnotations map string; 3 rollbackTo RollbackConfig
RollbackConfig: 1 revision int64
DaemonSet: 1 metadata ObjectMeta; 2 spec DaemonSetSpec; 3 status DaemonSetStatus
DaemonSetSpec: 1 selector LabelSelector; 2 template PodTemplateSpec
DaemonSetStatus: 1 currentNumberScheduled int32; 2 numberMisscheduled int32; 3 desiredNumberScheduled int32;
  4 numberReady int32
Job: 1 metadata ObjectMeta; 2 spec JobSpec; 3 status JobStatus
JobSpec: 1 parallelism int32; 2 completions int32; 3 activeDeadlineSeconds int64; 4 selector LabelSelector;
  5 manualSelector bool; 6 template PodTemplateSpec
JobStatus: 1 conditions JobCondition[]; 2 startTime Time; 3 completionTime Time; 4 active int32; 5 succeeded int32;
  6 failed int32
JobCondition: 1 type string; 2 status string; 3 lastProbeTime Time; 4 lastTransitionTime Time; 5 reason string;
  6 message string
extensions.Job: 1 metadata ObjectMeta; 2 spec JobSpec; 3 status JobStatus
extensions.JobSpec: 1 parallelism int32; 2 completions int32; 3 activeDeadlineSeconds int64;
  4 selector LabelSelector; 5 autoSelector bool; 6 template PodTemplateSpec
extensions.JobStatus: 1 conditions JobCondition[]; 2 startTime Time; 3 completionTime Time; 4 active int32;
  5 succeeded int32; 6 failed int32
extensions.JobCondition: 1 type string; 2 status string; 3 lastProbeTime Time; 4 lastTransitionTime Time;
  5 reason string; 6 message string
HorizontalPodAutoscaler: 1 metadata ObjectMeta; 2 spec HorizontalPodAutoscalerSpec;
  3 status HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerSpec: 1 scaleTargetRef CrossVersionObjectReference; 2 minReplicas int32; 3 maxReplicas int32;
  4 targetCPUUtilizationPercentage int32
CrossVersionObjectReference: 1 kind string; 2 name string; 3 apiVersion string
HorizontalPodAutoscalerStatus: 1 observedGeneration int64; 2 lastScaleTime Time; 3 currentReplicas int32;
  4 desiredReplicas int32; 5 currentCPUUtilizationPercentage int32
Scale: 1 metadata ObjectMeta; 2 spec ScaleSpec; 3 status ScaleStatus
ScaleSpec: 1 replicas int32
ScaleStatus: 1 replicas int32; 2 selector string
extensions.HorizontalPodAutoscaler: 1 metadata ObjectMeta; 2 spec HorizontalPodAutoscalerSpec;
  3 status HorizontalPodAutoscalerStatus
extensions.HorizontalPodAutoscalerSpec: 1 scaleRef SubresourceReference; 2 minReplicas int32; 3 maxReplicas int32;
  4 cpuUtilization CPUTargetUtilization
SubresourceReference: 1 kind string; 2 name string; 3 apiVersion string; 4 subresource string
CPUTargetUtilization: 1 targetPercentage int32
extensions.HorizontalPodAutoscalerStatus: 1 observedGeneration int64; 2 lastScaleTime Time; 3 currentReplicas int32;
  4 desiredReplicas int32; 5 currentCPUUtilizationPercentage int32
extensions.Scale: 1 metadata ObjectMeta; 2 spec ScaleSpec; 3 status ScaleStatus
extensions.ScaleSpec: 1 replicas int32
extensions.ScaleStatus: 1 replicas int32; 2 selector map string; 3 targetSelector string
Ingress: 1 metadata ObjectMeta; 2 spec IngressSpec; 3 status IngressStatus
IngressSpec: 1 backend IngressBackend; 2 tls IngressTLS[]; 3 rules IngressRule[]
IngressBackend: 1 serviceName string; 2 servicePort IntOrString
IngressTLS: 1 hosts string[]; 2 secretName string
IngressRule: 1 host string; 2 ingressRuleValue IngressRuleValue
IngressRuleValue: 1 http HTTPIngressRuleValue
HTTPIngressRuleValue: 1 paths HTTPIngressPath[]
HTTPIngressPath: 1 path string; 2 backend IngressBackend
IngressStatus: 1 loadBalancer LoadBalancerStatus
NetworkPolicy: 1 metadata ObjectMeta; 2 spec NetworkPolicySpec
NetworkPolicySpec: 1 podSelector LabelSelector; 2 ingress NetworkPolicyIngressRule[]
NetworkPolicyIngressRule: 1 ports NetworkPolicyPort[]; 2 from NetworkPolicyPeer[]
NetworkPolicyPort: 1 protocol string; 2 port IntOrString
NetworkPolicyPeer: 1 podSelector LabelSelector; 2 namespaceSelector LabelSelector
ThirdPartyResource: 1 metadata ObjectMeta; 2 description string; 3 versions APIVersion[]
APIVersion: 1 name string
`;
