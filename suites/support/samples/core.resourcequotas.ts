// Sample of a ResourceQuota far above anything the suite makes.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: { spec: { hard: { 'requests.nvidia.com/gpu': '100k' } } },
  status: { hard: { 'requests.nvidia.com/gpu': '100k' }, used: { 'requests.nvidia.com/gpu': '0' } },
};
