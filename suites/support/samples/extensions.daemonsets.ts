// Sample of a DaemonSet that no node gets pods of.
import { inSelectorAndTemplate } from './ownLabel.js';
import type { Sample } from './sample.js';

export const sample: Sample = {
  ownLabel: inSelectorAndTemplate,
  fields: {
    spec: {
      selector: { matchLabels: { app: 'conformance' } },
      template: {
        metadata: { labels: { app: 'conformance' } },
        spec: {
          nodeSelector: { 'kube-api-conformance/no-such-node': 'yes' },
          containers: [{ name: 'main', image: 'registry.example/conformance:1' }],
        },
      },
    },
  },
  status: { currentNumberScheduled: 1, numberMisscheduled: 0, desiredNumberScheduled: 1, numberReady: 1 },
};
