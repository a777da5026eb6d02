// Sample of a PersistentVolumeClaim.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      // No volume has this label, so no controller binds the claim to a volume of the cluster.
      selector: { matchLabels: { 'kube-api-conformance/no-such-volume': 'yes' } },
    },
  },
  status: { phase: 'Pending', accessModes: ['ReadWriteOnce'] },
};
