// Sample of a DaemonSet.
import { inSelectorAndTemplate } from './ownLabel.js';
import type { Sample } from './sample.js';

export const sample: Sample = {
  ownLabel: inSelectorAndTemplate,
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
