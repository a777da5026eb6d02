// ConfigMaps, Secrets and ServiceAccounts.
import { field, list, map } from './field.js';

export const configTypes = {
  ConfigMap: {
    metadata: field('ObjectMeta', 1),
    data: map('string', 2),
  },
  Secret: {
    metadata: field('ObjectMeta', 1),
    data: map('bytes', 2),
    stringData: map('string', 4),
    type: field('string', 3),
  },
  ServiceAccount: {
    metadata: field('ObjectMeta', 1),
    secrets: list('ObjectReference', 2, { mergeKey: 'name', strategy: 'merge' }),
    imagePullSecrets: list('LocalObjectReference', 3),
  },
};
