// Sample of a PersistentVolume.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/srv/conformance' },
      persistentVolumeReclaimPolicy: 'Retain',
      // No claim has this name, so no controller binds the volume to a claim of the cluster.
      claimRef: { kind: 'PersistentVolumeClaim', namespace: 'kube-api-conformance', name: 'no-such-claim' },
    },
  },
  status: { phase: 'Available', message: 'checked' },
};
