// Definitions of pods and their containers.

export const podsMessages = `
Pod: 1 metadata ObjectMeta; 2 spec PodSpec; 3 status PodStatus
PodTemplate: 1 metadata ObjectMeta; 2 template PodTemplateSpec
PodTemplateSpec: 1 metadata ObjectMeta; 2 spec PodSpec
PodSpec: 1 volumes Volume[]; 2 containers Container[]; 3 restartPolicy string;
  4 terminationGracePeriodSeconds int64; 5 activeDeadlineSeconds int64; 6 dnsPolicy string;
  7 nodeSelector map string; 8 serviceAccountName string; 9 serviceAccount string; 10 nodeName string;
  11 hostNetwork bool; 12 hostPID bool; 13 hostIPC bool; 14 securityContext PodSecurityContext;
  15 imagePullSecrets LocalObjectReference[]; 16 hostname string; 17 subdomain string
PodSecurityContext: 1 seLinuxOptions SELinuxOptions; 2 runAsUser int64; 3 runAsNonRoot bool;
  4 supplementalGroups int64[]; 5 fsGroup int64
PodStatus: 1 phase string; 2 conditions PodCondition[]; 3 message string; 4 reason string; 5 hostIP string;
  6 podIP string; 7 startTime Time; 8 containerStatuses ContainerStatus[]
PodCondition: 1 type string; 2 status string; 3 lastProbeTime Time; 4 lastTransitionTime Time; 5 reason string;
  6 message string
ContainerStatus: 1 name string; 2 state ContainerState; 3 lastState ContainerState; 4 ready bool;
  5 restartCount int32; 6 image string; 7 imageID string; 8 containerID string
ContainerState: 1 waiting ContainerStateWaiting; 2 running ContainerStateRunning;
  3 terminated ContainerStateTerminated
ContainerStateWaiting: 1 reason string; 2 message string
ContainerStateRunning: 1 startedAt Time
ContainerStateTerminated: 1 exitCode int32; 2 signal int32; 3 reason string; 4 message string; 5 startedAt Time;
  6 finishedAt Time; 7 containerID string
Container: 1 name string; 2 image string; 3 command string[]; 4 args string[]; 5 workingDir string;
  6 ports ContainerPort[]; 7 env EnvVar[]; 8 resources ResourceRequirements; 9 volumeMounts VolumeMount[];
  10 livenessProbe Probe; 11 readinessProbe Probe; 12 lifecycle Lifecycle; 13 terminationMessagePath string;
  14 imagePullPolicy string; 15 securityContext SecurityContext; 16 stdin bool; 17 stdinOnce bool; 18 tty bool
ContainerPort: 1 name string; 2 hostPort int32; 3 containerPort int32; 4 protocol string; 5 hostIP string
EnvVar: 1 name string; 2 value string; 3 valueFrom EnvVarSource
EnvVarSource: 1 fieldRef ObjectFieldSelector; 2 resourceFieldRef ResourceFieldSelector;
  3 configMapKeyRef ConfigMapKeySelector; 4 secretKeyRef SecretKeySelector
ObjectFieldSelector: 1 apiVersion string; 2 fieldPath string
ResourceFieldSelector: 1 containerName string; 2 resource string; 3 divisor Quantity
ConfigMapKeySelector: 1 localObjectReference LocalObjectReference; 2 key string
SecretKeySelector: 1 localObjectReference LocalObjectReference; 2 key string
ResourceRequirements: 1 limits map Quantity; 2 requests map Quantity
VolumeMount: 1 name string; 2 readOnly bool; 3 mountPath string; 4 subPath string
Probe: 1 handler Handler; 2 initialDelaySeconds int32; 3 timeoutSeconds int32; 4 periodSeconds int32;
  5 successThreshold int32; 6 failureThreshold int32
Handler: 1 exec ExecAction; 2 httpGet HTTPGetAction; 3 tcpSocket TCPSocketAction
ExecAction: 1 command string[]
HTTPGetAction: 1 path string; 2 port IntOrString; 3 host string; 4 scheme string; 5 httpHeaders HTTPHeader[]
HTTPHeader: 1 name string; 2 value string
TCPSocketAction: 1 port IntOrString
Lifecycle: 1 postStart Handler; 2 preStop Handler
SecurityContext: 1 capabilities Capabilities; 2 privileged bool; 3 seLinuxOptions SELinuxOptions; 4 runAsUser int64;
  5 runAsNonRoot bool; 6 readOnlyRootFilesystem bool
Capabilities: 1 add string[]; 2 drop string[]
SELinuxOptions: 1 user string; 2 role string; 3 type string; 4 level string
`;
