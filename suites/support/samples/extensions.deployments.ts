// Sample of a Deployment that wants no pods.
import { inSelectorAndTemplate } from './ownLabel.js';
import type { Sample } from './sample.js';

export const sample: Sample = {
  ownLabel: inSelectorAndTemplate,
  fields: {
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'conformance' } },
      template: {
        metadata: { labels: { app: 'conformance' } },
        spec: { containers: [{ name: 'main', image: 'registry.example/conformance:1' }] },
      },
    },
  },
  status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1 },
};
