// Sample of a PodTemplate.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    template: {
      metadata: { labels: { app: 'conformance' } },
      spec: { containers: [{ name: 'main', image: 'registry.example/conformance:1' }] },
    },
  },
};
