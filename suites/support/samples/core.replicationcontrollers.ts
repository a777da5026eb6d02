// Sample of a ReplicationController that wants no pods.
import type { Sample } from './sample.js';

export const sample: Sample = {
  ownLabel: (label) => ({ spec: { selector: label, template: { metadata: { labels: label } } } }),
  fields: {
    spec: {
      replicas: 0,
      selector: { app: 'conformance' },
      template: {
        metadata: { labels: { app: 'conformance' } },
        spec: { containers: [{ name: 'main', image: 'registry.example/conformance:1' }] },
      },
    },
  },
};
