// Sample of a Node that no workload is placed on.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: { spec: { unschedulable: true } },
  status: {
    capacity: { cpu: '4', memory: '8Gi' },
    conditions: [{ type: 'Ready', status: 'False', reason: 'Checked' }],
  },
};
