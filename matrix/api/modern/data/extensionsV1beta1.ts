// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const extensionsV1beta1 = {
  'extensions.v1beta1.DaemonSet':
    'metadata 1 ObjectMeta; spec 2 extensions.v1beta1.DaemonSetSpec; status 3 extensions.v1beta1.DaemonSetStatus',
  'extensions.v1beta1.DaemonSetCondition':
    'type 1 string; status 2 string; lastTransitionTime 3 time; reason 4 string; message 5 string',
  'extensions.v1beta1.DaemonSetSpec':
    'selector 1 LabelSelector; template 2 PodTemplateSpec; updateStrategy 3 extensions.v1beta1.DaemonSetUpdateStrategy; minReadySeconds 4 int32; templateGeneration 5 int64; revisionHistoryLimit 6 int32 presence',
  'extensions.v1beta1.DaemonSetStatus':
    'currentNumberScheduled 1 int32 presence; numberMisscheduled 2 int32 presence; desiredNumberScheduled 3 int32 presence; numberReady 4 int32 presence; observedGeneration 5 int64; updatedNumberScheduled 6 int32; numberAvailable 7 int32; numberUnavailable 8 int32; collisionCount 9 int32 presence; conditions 10 []extensions.v1beta1.DaemonSetCondition merge=type',
  'extensions.v1beta1.DaemonSetUpdateStrategy':
    'type 1 string; rollingUpdate 2 extensions.v1beta1.RollingUpdateDaemonSet',
  'extensions.v1beta1.Deployment':
    'metadata 1 ObjectMeta; spec 2 extensions.v1beta1.DeploymentSpec; status 3 extensions.v1beta1.DeploymentStatus',
  'extensions.v1beta1.DeploymentCondition':
    'type 1 string; status 2 string; lastUpdateTime 6 time; lastTransitionTime 7 time; reason 4 string; message 5 string',
  'extensions.v1beta1.DeploymentSpec':
    'replicas 1 int32 presence; selector 2 LabelSelector; template 3 PodTemplateSpec; strategy 4 extensions.v1beta1.DeploymentStrategy retainKeys; minReadySeconds 5 int32; revisionHistoryLimit 6 int32 presence; paused 7 boolean; rollbackTo 8 extensions.v1beta1.RollbackConfig; progressDeadlineSeconds 9 int32 presence',
  'extensions.v1beta1.DeploymentStatus':
    'observedGeneration 1 int64; replicas 2 int32; updatedReplicas 3 int32; readyReplicas 7 int32; availableReplicas 4 int32; unavailableReplicas 5 int32; terminatingReplicas 9 int32 presence; conditions 6 []extensions.v1beta1.DeploymentCondition merge=type; collisionCount 8 int32 presence',
  'extensions.v1beta1.DeploymentStrategy': 'type 1 string; rollingUpdate 2 extensions.v1beta1.RollingUpdateDeployment',
  'extensions.v1beta1.HTTPIngressPath':
    'path 1 string; pathType 3 string presence; backend 2 extensions.v1beta1.IngressBackend',
  'extensions.v1beta1.HTTPIngressRuleValue': 'paths 1 []extensions.v1beta1.HTTPIngressPath',
  'extensions.v1beta1.IPBlock': 'cidr 1 string; except 2 []string',
  'extensions.v1beta1.Ingress':
    'metadata 1 ObjectMeta; spec 2 extensions.v1beta1.IngressSpec; status 3 extensions.v1beta1.IngressStatus',
  'extensions.v1beta1.IngressBackend':
    'serviceName 1 string; servicePort 2 intOrString; resource 3 TypedLocalObjectReference',
  'extensions.v1beta1.IngressLoadBalancerIngress':
    'ip 1 string; hostname 2 string; ports 4 []extensions.v1beta1.IngressPortStatus',
  'extensions.v1beta1.IngressLoadBalancerStatus': 'ingress 1 []extensions.v1beta1.IngressLoadBalancerIngress',
  'extensions.v1beta1.IngressPortStatus': 'port 1 int32 presence; protocol 2 string; error 3 string presence',
  'extensions.v1beta1.IngressRule': 'host 1 string; ingressRuleValue 2 extensions.v1beta1.IngressRuleValue inlined',
  'extensions.v1beta1.IngressRuleValue': 'http 1 extensions.v1beta1.HTTPIngressRuleValue',
  'extensions.v1beta1.IngressSpec':
    'ingressClassName 4 string presence; backend 1 extensions.v1beta1.IngressBackend; tls 2 []extensions.v1beta1.IngressTLS; rules 3 []extensions.v1beta1.IngressRule',
  'extensions.v1beta1.IngressStatus': 'loadBalancer 1 extensions.v1beta1.IngressLoadBalancerStatus',
  'extensions.v1beta1.IngressTLS': 'hosts 1 []string; secretName 2 string',
  'extensions.v1beta1.NetworkPolicy': 'metadata 1 ObjectMeta; spec 2 extensions.v1beta1.NetworkPolicySpec',
  'extensions.v1beta1.NetworkPolicyEgressRule':
    'ports 1 []extensions.v1beta1.NetworkPolicyPort; to 2 []extensions.v1beta1.NetworkPolicyPeer',
  'extensions.v1beta1.NetworkPolicyIngressRule':
    'ports 1 []extensions.v1beta1.NetworkPolicyPort; from 2 []extensions.v1beta1.NetworkPolicyPeer',
  'extensions.v1beta1.NetworkPolicyPeer':
    'podSelector 1 LabelSelector; namespaceSelector 2 LabelSelector; ipBlock 3 extensions.v1beta1.IPBlock',
  'extensions.v1beta1.NetworkPolicyPort': 'protocol 1 string presence; port 2 intOrString; endPort 3 int32 presence',
  'extensions.v1beta1.NetworkPolicySpec':
    'podSelector 1 LabelSelector; ingress 2 []extensions.v1beta1.NetworkPolicyIngressRule; egress 3 []extensions.v1beta1.NetworkPolicyEgressRule; policyTypes 4 []string',
  'extensions.v1beta1.ReplicaSet':
    'metadata 1 ObjectMeta; spec 2 extensions.v1beta1.ReplicaSetSpec; status 3 extensions.v1beta1.ReplicaSetStatus',
  'extensions.v1beta1.ReplicaSetCondition':
    'type 1 string; status 2 string; lastTransitionTime 3 time; reason 4 string; message 5 string',
  'extensions.v1beta1.ReplicaSetSpec':
    'replicas 1 int32 presence; minReadySeconds 4 int32; selector 2 LabelSelector; template 3 PodTemplateSpec',
  'extensions.v1beta1.ReplicaSetStatus':
    'replicas 1 int32 presence; fullyLabeledReplicas 2 int32; readyReplicas 4 int32; availableReplicas 5 int32; terminatingReplicas 7 int32 presence; observedGeneration 3 int64; conditions 6 []extensions.v1beta1.ReplicaSetCondition merge=type',
  'extensions.v1beta1.RollbackConfig': 'revision 1 int64',
  'extensions.v1beta1.RollingUpdateDaemonSet': 'maxUnavailable 1 intOrString; maxSurge 2 intOrString',
  'extensions.v1beta1.RollingUpdateDeployment': 'maxUnavailable 1 intOrString; maxSurge 2 intOrString',
} as const;
