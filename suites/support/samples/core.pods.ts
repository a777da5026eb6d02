// Sample of a Pod that no node takes: it stays pending.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    spec: {
      restartPolicy: 'Never',
      nodeSelector: { 'kube-api-conformance/no-such-node': 'yes' },
      containers: [{ name: 'main', image: 'registry.example/conformance:1', command: ['sleep', '3600'] }],
    },
  },
  status: { phase: 'Pending', reason: 'Checked', message: 'written by a check' },
};
