// Sample of a Service.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    spec: {
      selector: { app: 'conformance' },
      ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
    },
  },
  status: { loadBalancer: { ingress: [{ ip: '192.0.2.11' }] } },
};
