// Ingress and NetworkPolicy.
import { field, inline, list } from './field.js';

export const networkTypes = {
  Ingress: {
    metadata: field('ObjectMeta', 1),
    spec: field('IngressSpec', 2),
    status: field('IngressStatus', 3),
  },
  IngressSpec: {
    backend: field('IngressBackend', 1),
    tls: list('IngressTLS', 2),
    rules: list('IngressRule', 3),
  },
  IngressBackend: {
    serviceName: field('string', 1, { required: true }),
    servicePort: field('intOrString', 2, { required: true }),
  },
  IngressTLS: {
    hosts: list('string', 1),
    secretName: field('string', 2),
  },
  IngressRule: {
    host: field('string', 1),
    ingressRuleValue: inline('IngressRuleValue', 2),
  },
  IngressRuleValue: {
    http: field('HTTPIngressRuleValue', 1),
  },
  HTTPIngressRuleValue: {
    paths: list('HTTPIngressPath', 1, { required: true }),
  },
  HTTPIngressPath: {
    path: field('string', 1),
    backend: field('IngressBackend', 2, { required: true }),
  },
  IngressStatus: {
    loadBalancer: field('LoadBalancerStatus', 1),
  },
  NetworkPolicy: {
    metadata: field('ObjectMeta', 1),
    spec: field('NetworkPolicySpec', 2),
  },
  NetworkPolicySpec: {
    podSelector: field('LabelSelector', 1, { required: true }),
    ingress: list('NetworkPolicyIngressRule', 2),
  },
  NetworkPolicyIngressRule: {
    ports: list('NetworkPolicyPort', 1),
    from: list('NetworkPolicyPeer', 2),
  },
  NetworkPolicyPort: {
    protocol: field('string', 1),
    port: field('intOrString', 2),
  },
  NetworkPolicyPeer: {
    podSelector: field('LabelSelector', 1),
    namespaceSelector: field('LabelSelector', 2),
  },
};
