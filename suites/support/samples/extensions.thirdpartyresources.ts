// Sample of a ThirdPartyResource; its name is <kind>.<domain>.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: { description: 'made by a check', versions: [{ name: 'v1' }] },
  nameSuffix: '.conformance.example.com',
};
