// Sample of a PersistentVolume.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/srv/conformance' },
      persistentVolumeReclaimPolicy: 'Retain',
    },
  },
  status: { phase: 'Available', message: 'checked' },
};
