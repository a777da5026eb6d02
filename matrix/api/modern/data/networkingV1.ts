// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const networkingV1 = {
  'networking.v1.HTTPIngressPath':
    'path 1 string; pathType 3 string required; backend 2 networking.v1.IngressBackend required',
  'networking.v1.HTTPIngressRuleValue': 'paths 1 []networking.v1.HTTPIngressPath required',
  'networking.v1.IPAddress': 'metadata 1 ObjectMeta; spec 2 networking.v1.IPAddressSpec required',
  'networking.v1.IPAddressSpec': 'parentRef 1 networking.v1.ParentReference required',
  'networking.v1.IPBlock': 'cidr 1 string required; except 2 []string',
  'networking.v1.Ingress':
    'metadata 1 ObjectMeta; spec 2 networking.v1.IngressSpec; status 3 networking.v1.IngressStatus',
  'networking.v1.IngressBackend': 'service 4 networking.v1.IngressServiceBackend; resource 3 TypedLocalObjectReference',
  'networking.v1.IngressClass': 'metadata 1 ObjectMeta; spec 2 networking.v1.IngressClassSpec',
  'networking.v1.IngressClassParametersReference':
    'apiGroup 1 string presence; kind 2 string required; name 3 string required; scope 4 string presence; namespace 5 string presence',
  'networking.v1.IngressClassSpec': 'controller 1 string; parameters 2 networking.v1.IngressClassParametersReference',
  'networking.v1.IngressLoadBalancerIngress':
    'ip 1 string; hostname 2 string; ports 4 []networking.v1.IngressPortStatus',
  'networking.v1.IngressLoadBalancerStatus': 'ingress 1 []networking.v1.IngressLoadBalancerIngress',
  'networking.v1.IngressPortStatus': 'port 1 int32 required; protocol 2 string required; error 3 string presence',
  'networking.v1.IngressRule': 'host 1 string; ingressRuleValue 2 networking.v1.IngressRuleValue inlined',
  'networking.v1.IngressRuleValue': 'http 1 networking.v1.HTTPIngressRuleValue',
  'networking.v1.IngressServiceBackend': 'name 1 string required; port 2 networking.v1.ServiceBackendPort',
  'networking.v1.IngressSpec':
    'ingressClassName 4 string presence; defaultBackend 1 networking.v1.IngressBackend; tls 2 []networking.v1.IngressTLS; rules 3 []networking.v1.IngressRule',
  'networking.v1.IngressStatus': 'loadBalancer 1 networking.v1.IngressLoadBalancerStatus',
  'networking.v1.IngressTLS': 'hosts 1 []string; secretName 2 string',
  'networking.v1.NetworkPolicy': 'metadata 1 ObjectMeta; spec 2 networking.v1.NetworkPolicySpec',
  'networking.v1.NetworkPolicyEgressRule':
    'ports 1 []networking.v1.NetworkPolicyPort; to 2 []networking.v1.NetworkPolicyPeer',
  'networking.v1.NetworkPolicyIngressRule':
    'ports 1 []networking.v1.NetworkPolicyPort; from 2 []networking.v1.NetworkPolicyPeer',
  'networking.v1.NetworkPolicyPeer':
    'podSelector 1 LabelSelector; namespaceSelector 2 LabelSelector; ipBlock 3 networking.v1.IPBlock',
  'networking.v1.NetworkPolicyPort': 'protocol 1 string presence; port 2 intOrString; endPort 3 int32 presence',
  'networking.v1.NetworkPolicySpec':
    'podSelector 1 LabelSelector; ingress 2 []networking.v1.NetworkPolicyIngressRule; egress 3 []networking.v1.NetworkPolicyEgressRule; policyTypes 4 []string',
  'networking.v1.ParentReference':
    'group 1 string; resource 2 string required; namespace 3 string; name 4 string required',
  'networking.v1.ServiceBackendPort': 'name 1 string; number 2 int32',
  'networking.v1.ServiceCIDR':
    'metadata 1 ObjectMeta; spec 2 networking.v1.ServiceCIDRSpec; status 3 networking.v1.ServiceCIDRStatus',
  'networking.v1.ServiceCIDRSpec': 'cidrs 1 []string',
  'networking.v1.ServiceCIDRStatus': 'conditions 1 []Condition merge=type',
} as const;
