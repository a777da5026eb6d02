// Sample of a Secret.
import type { Sample } from './sample.js';

export const sample: Sample = { fields: { type: 'Opaque', data: { 'sample-key': 'Y29uZm9ybWFuY2Utc2FtcGxl' } } };
