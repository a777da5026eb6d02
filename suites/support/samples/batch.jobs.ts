// Sample of a batch/v1 Job.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    spec: {
      parallelism: 0,
      completions: 1,
      template: {
        metadata: { labels: { app: 'conformance' } },
        spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/conformance:1' }] },
      },
    },
  },
  status: { active: 1 },
};
