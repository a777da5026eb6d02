// Sample of a Namespace.
import type { Sample } from './sample.js';

export const sample: Sample = { fields: {}, status: { phase: 'Active' } };
