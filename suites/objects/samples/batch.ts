// Samples of the group batch: a row for each resource, by its plural.
import type { Sample } from './sample.js';

export const batch = {
  jobs: {
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
  },
} satisfies Readonly<Record<string, Sample>>;
