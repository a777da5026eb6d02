// Sample of a ConfigMap.
import type { Sample } from './sample.js';

export const sample: Sample = { fields: { data: { colour: 'green', 'file.txt': 'two\nlines\n' } } };
