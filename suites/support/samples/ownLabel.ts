// Where a workload of the extensions group has the label of its own.
import type { JsonObject } from '../json.js';

/** The label in the selector and in the template of the pods. */
export const inSelectorAndTemplate = (label: JsonObject): JsonObject => ({
  spec: { selector: { matchLabels: label }, template: { metadata: { labels: label } } },
});
