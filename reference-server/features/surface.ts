// What missing features take from the surface of the API: query parameters, and fields of delete options.
import type { Feature, IsDisabled } from './features.js';

/** Query parameters by feature. */
const parameters: Partial<Record<Feature, readonly string[]>> = {
  'dry-run': ['dryRun'],
  limit: ['limit', 'continue'],
  'resource-version-match': ['resourceVersionMatch'],
  'propagation-policy': ['propagationPolicy'],
  bookmarks: ['allowWatchBookmarks'],
  'initial-events': ['sendInitialEvents'],
  'field-validation': ['fieldValidation'],
  'managed-fields': ['force'],
};

/** The paths of fields in delete options, by feature. */
const optionFields: Partial<Record<Feature, readonly string[]>> = {
  'dry-run': ['dryRun'],
  'propagation-policy': ['propagationPolicy'],
  'precondition-version': ['preconditions', 'resourceVersion'],
};

/** Returns the query parameters that the server ignores. */
export const missingParameters = (lacks: IsDisabled): string[] => missing(parameters, lacks).flat();

/** Returns the paths of the fields in delete options that the server ignores. */
export const missingOptionFields = (lacks: IsDisabled): (readonly string[])[] => missing(optionFields, lacks);

function missing<Row>(table: Partial<Record<Feature, Row>>, lacks: IsDisabled): Row[] {
  return (Object.entries(table) as [Feature, Row][]).flatMap(([feature, row]) => (lacks(feature) ? [row] : []));
}
