// Services and their endpoints.
import { field, list, map } from './field.js';

export const serviceTypes = {
  Service: {
    metadata: field('ObjectMeta', 1),
    spec: field('ServiceSpec', 2),
    status: field('ServiceStatus', 3),
  },
  ServiceSpec: {
    ports: list('ServicePort', 1, { required: true, mergeKey: 'port', strategy: 'merge' }),
    selector: map('string', 2),
    clusterIP: field('string', 3),
    type: field('string', 4),
    externalIPs: list('string', 5),
    deprecatedPublicIPs: list('string', 6),
    sessionAffinity: field('string', 7),
    loadBalancerIP: field('string', 8),
    loadBalancerSourceRanges: list('string', 9),
    externalName: field('string', 10),
  },
  ServicePort: {
    name: field('string', 1),
    protocol: field('string', 2),
    port: field('int32', 3, { required: true }),
    targetPort: field('intOrString', 4),
    nodePort: field('int32', 5),
  },
  ServiceStatus: {
    loadBalancer: field('LoadBalancerStatus', 1),
  },
  LoadBalancerStatus: {
    ingress: list('LoadBalancerIngress', 1),
  },
  LoadBalancerIngress: {
    ip: field('string', 1),
    hostname: field('string', 2),
  },
  Endpoints: {
    metadata: field('ObjectMeta', 1),
    subsets: list('EndpointSubset', 2, { required: true }),
  },
  EndpointSubset: {
    addresses: list('EndpointAddress', 1),
    notReadyAddresses: list('EndpointAddress', 2),
    ports: list('EndpointPort', 3),
  },
  EndpointAddress: {
    ip: field('string', 1, { required: true }),
    hostname: field('string', 3),
    nodeName: field('string', 4),
    targetRef: field('ObjectReference', 2),
  },
  EndpointPort: {
    name: field('string', 1),
    port: field('int32', 2, { required: true }),
    protocol: field('string', 3),
  },
};
