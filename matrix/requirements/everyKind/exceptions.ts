// The requirements that are not asked of kinds which only the target knows, each with the right server that it would
// wrong.

/** The reasons by requirement id. */
export const notAsked: Readonly<Record<string, string>> = {
  'responses.body-fields': 'the interface lists no fields of these kinds',
  'watch.event-fields': 'the interface lists no fields of these kinds',
  'responses.body-schema': 'the table has no types of these kinds',
  'watch.event-schema': 'the table has no types of these kinds',
  'list.items-untyped': 'the items of a list of custom resources carry their type',
  'watch.core-type': 'the interface states the media types of its own group paths',
  'subresources.scale-version': 'the Scale of a later kind has the version autoscaling/v1',
  'subresources.scale-observed': 'each kind has the selector of its Scale where it says',
  'subresources.scale-other-version': 'a server may accept a Scale in each version that it knows',
};
