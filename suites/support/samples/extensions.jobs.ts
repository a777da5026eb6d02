// Sample of an extensions/v1beta1 Job.

import { sample as batchJob } from './batch.jobs.js';
import type { Sample } from './sample.js';

export const sample: Sample = batchJob;
