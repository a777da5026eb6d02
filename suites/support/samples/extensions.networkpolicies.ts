// Sample of a NetworkPolicy.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    spec: {
      podSelector: { matchLabels: { app: 'conformance' } },
      ingress: [{ ports: [{ port: 80, protocol: 'TCP' }] }],
    },
  },
};
