// The consequences for clients if a requirement of the chapter parameters is violated.
import type { Breaks } from './types.js';

export const parameters = [
  [['pretty-true', 'pretty-error'], 'A person who debugs with `curl` gets one line of many thousand characters.'],
  [['pretty-same-object'], 'A script that asks for readable output works with other data than one that does not.'],
  [['pretty-false'], 'Every response takes more bandwidth than it needs.'],
  [['pretty-watch'], 'A watch with the parameter loses events, or breaks the parser that reads it line by line.'],
  [['watch-false'], 'A client that asks for a list hangs on a stream.'],
  [
    ['delete-collection-never-watches'],
    'A client library that sends the same options everywhere hangs on a delete, or deletes nothing.',
  ],
  [['timeout-bounds-list'], 'A client with a deadline hangs on a list that the server never ends.'],
  [['timeout-int32'], 'A client with a long timeout, as informers have it, gets an error instead of a list.'],
  [['timeout-malformed'], 'A typing error in the timeout makes a call without any timeout.'],
  [
    ['component-statuses', 'component-statuses-watched'],
    'A generic client that adds its usual list options gets an error or hangs on this list.',
  ],
  [
    ['resource-version-malformed'],
    'A client with a damaged version gets some list and takes it for the one it asked for.',
  ],
  [
    ['resource-version-not-older', 'resource-version-ahead'],
    'A client that reads after its own write gets the state from before the write.',
  ],
  [['resource-version-match'], 'A client that compares two lists of one version compares different states.'],
  [
    ['export-strips-identity', 'export-strips-status', 'export-strips-generation', 'export-strips-namespace'],
    'An exported manifest cannot be created in another place, or carries state that belongs to the old object.',
  ],
  [['export-keeps'], 'An exported manifest lacks something that the user wrote, and a restore loses it.'],
  [['export-exact'], 'A backup of this cluster loses the namespace or the addresses that it needs for a restore.'],
  [
    ['export-assigned-fields', 'export-creatable'],
    'A restore of the export fails, because an address or a port is already in use.',
  ],
  [['export-false'], 'A client that says that it wants no export gets a reduced object.'],
  [['export-absent'], 'A backup script stores an empty manifest for an object that is not there.'],
  [['namespace-selects'], 'An operation in one namespace changes the objects of another.'],
  [['name-selects'], 'An operation on one object changes another one.'],
  [['path-decoded'], 'A client library that encodes names, as it should, gets 404 or reaches another object.'],
  [['unknown-ignored'], 'A newer client that sends a new parameter cannot use the server at all.'],
  [['dry-run', 'dry-run-unknown'], 'A preview, such as `kubectl apply --dry-run`, really changes or deletes objects.'],
  [['limit-pages'], 'A client with a page size gets more than it can hold, or does not learn that there is more.'],
  [['continue-complete'], 'A client that reads page by page misses objects or handles some twice.'],
  [
    ['limit-malformed', 'continue-malformed'],
    'A client with a bug in its paging gets the wrong part of a list without an error.',
  ],
  [
    ['continue-expired'],
    'A client that reads slowly gets a mixture of two states, or must start again without being told.',
  ],
] as const satisfies Breaks;
