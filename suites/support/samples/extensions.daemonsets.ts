// Sample of a DaemonSet.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    spec: {
      selector: { matchLabels: { app: 'conformance' } },
      template: {
        metadata: { labels: { app: 'conformance' } },
        spec: { containers: [{ name: 'main', image: 'registry.example/conformance:1' }] },
      },
    },
  },
  status: { currentNumberScheduled: 1, numberMisscheduled: 0, desiredNumberScheduled: 1, numberReady: 1 },
};
