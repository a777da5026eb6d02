// Sample of a ServiceAccount.
import type { Sample } from './sample.js';

export const sample: Sample = { fields: { imagePullSecrets: [{ name: 'some-registry' }] } };
