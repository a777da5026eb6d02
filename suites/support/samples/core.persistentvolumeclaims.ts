// Sample of a PersistentVolumeClaim.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  status: { phase: 'Pending', accessModes: ['ReadWriteOnce'] },
};
