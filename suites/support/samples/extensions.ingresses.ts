// Sample of an Ingress.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    spec: {
      rules: [
        {
          host: 'conformance.example.com',
          http: { paths: [{ path: '/', backend: { serviceName: 'some-service', servicePort: 80 } }] },
        },
      ],
    },
  },
  status: { loadBalancer: { ingress: [{ ip: '192.0.2.12' }] } },
};
