// Sample of a Service.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    spec: {
      selector: { app: 'conformance' },
      ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
    },
  },
  // since 1.31 the status of no other type has an ingress; the class keeps every real controller away
  beforeStatus: { spec: { type: 'LoadBalancer', loadBalancerClass: 'conformance.example/none' } },
  status: { loadBalancer: { ingress: [{ ip: '192.0.2.11' }] } },
};
