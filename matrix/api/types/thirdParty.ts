// Third-party resources: kinds that are declared at run time.
import { field, list } from './field.js';

export const thirdPartyTypes = {
  ThirdPartyResource: {
    metadata: field('ObjectMeta', 1),
    description: field('string', 2),
    versions: list('APIVersion', 3),
  },
  APIVersion: {
    name: field('string', 1),
  },
};
