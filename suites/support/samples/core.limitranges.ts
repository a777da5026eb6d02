// Sample of a LimitRange far above anything the suite makes.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '64Ti' } }] } },
};
