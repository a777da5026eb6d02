// Sample of an Event; its object must stand in the event's namespace.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    reason: 'Checked',
    message: 'made by a check',
    type: 'Normal',
    source: { component: 'conformance' },
    count: 1,
  },
  fieldsIn: (namespace) => ({ involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'some-pod', namespace } }),
};
