// Parameters: what each query parameter does, on every operation that states it.
import type { Chapter } from '../types.js';

const planned = 'the parameters of the semantics chapters';

export const parameters = {
  'pretty-true': {
    level: 'stated',
    source: ['Parameters/pretty', 'Parameters/PR', 'Parameters/RD', 'Parameters/LW'],
    text: 'With pretty=true the JSON of an answer is indented over several lines.',
    planned,
  },
  'pretty-same-object': {
    level: 'stated',
    source: ['Parameters/pretty'],
    text: 'With pretty=true an answer decodes to the same object as without it.',
    planned,
  },
  'pretty-false': {
    level: 'convention',
    source: ['Parameters/pretty'],
    text: 'With pretty=false the JSON of an answer is compact.',
    planned,
  },
  'watch-false': {
    level: 'stated',
    source: ['Parameters/watch', 'Parameters/LW'],
    text: 'A list path with watch=false, or without watch, answers a list and ends.',
    planned,
  },
  'delete-collection-never-watches': {
    level: 'stated',
    source: ['Generic operation set/always LW', 'Parameters/LW'],
    text: 'A delete-collection with watch, resourceVersion and timeoutSeconds deletes, answers one body and ends.',
    planned,
  },
  'timeout-bounds-list': {
    level: 'stated',
    source: ['Parameters/timeoutSeconds', 'Limits/1'],
    text: 'A list call has ended when its timeoutSeconds are over.',
    planned,
  },
  'timeout-int32': {
    level: 'stated',
    source: ['Parameters/timeoutSeconds', 'Limits/1'],
    text: 'Every timeoutSeconds from 0 to 2147483647 is accepted on a list.',
    planned,
  },
  'timeout-malformed': {
    level: 'convention',
    source: ['Parameters/timeoutSeconds', 'Errors/1'],
    text: 'A timeoutSeconds that is not a number is a client error.',
    planned,
  },
  'resource-version-malformed': {
    level: 'convention',
    source: ['Parameters/resourceVersion', 'Errors/1'],
    text: 'A list with a resourceVersion that is not a version is an error, never a list.',
    planned,
  },
  'resource-version-not-older': {
    level: 'convention',
    source: ['Parameters/resourceVersion'],
    text: 'A list with a resourceVersion shows a state at least as new as that version.',
    planned,
  },
  'resource-version-ahead': {
    level: 'convention',
    source: ['Parameters/resourceVersion'],
    text: 'A list with a resourceVersion that is ahead of the server waits or fails, and never shows an older state.',
    planned,
  },
  'export-strips-identity': {
    level: 'stated',
    source: ['Parameters/export', 'Parameters/RD'],
    text: 'With export=true a read leaves out what the server set: uid, resourceVersion, creationTimestamp and generation.',
    planned,
  },
  'export-strips-namespace': {
    level: 'stated',
    source: ['Parameters/export', 'Parameters/exact'],
    text: 'With export=true and no exact a read leaves out the namespace.',
    planned,
  },
  'export-exact': {
    level: 'stated',
    source: ['Parameters/exact'],
    text: 'With export=true and exact=true a read keeps cluster-specific fields such as the namespace.',
    planned,
  },
  'export-assigned-fields': {
    level: 'convention',
    source: ['Parameters/export'],
    text: 'An export leaves out what the cluster assigned in the spec, such as the cluster IP of a Service and the node of a Pod.',
    planned,
  },
  'export-creatable': {
    level: 'convention',
    source: ['Parameters/export'],
    text: 'The body of an export can be created again under another name.',
    planned,
  },
  'export-false': {
    level: 'stated',
    source: ['Parameters/export', 'Parameters/exact'],
    text: 'With export=false, or with exact alone, a read answers the whole object.',
    planned,
  },
  'export-absent': {
    level: 'convention',
    source: ['Parameters/export', 'Errors/1'],
    text: 'An export of an absent object is 404.',
    planned,
  },
  'namespace-selects': {
    level: 'stated',
    source: ['Parameters/namespace'],
    text: 'An operation acts in the namespace that its path names and in no other.',
    planned,
  },
  'name-selects': {
    level: 'stated',
    source: ['Parameters/name'],
    text: 'An operation acts on the object that its path names and on no other.',
    planned,
  },
  'path-decoded': {
    level: 'convention',
    source: ['Parameters/name', 'Parameters/namespace'],
    text: 'A percent-encoded character in a name of the path means the character itself, decoded once.',
    planned,
  },
  'unknown-ignored': {
    level: 'convention',
    source: ['Parameters/LW', 'Parameters/RD', 'Parameters/PR'],
    text: 'A query parameter that the server does not know changes nothing.',
    planned,
  },
  'dry-run': {
    level: 'convention',
    source: ['Parameters/PR'],
    text: 'A write with dryRun=All changes nothing, whether the server answers it or refuses it.',
    planned,
  },
  'dry-run-unknown': {
    level: 'convention',
    source: ['Parameters/PR'],
    text: 'A write with a dryRun value that is not known changes nothing.',
    planned,
  },
  'limit-pages': {
    level: 'convention',
    source: ['Parameters/LW'],
    text: 'A list with limit holds at most that many items, and a continue token when there are more.',
    planned,
  },
  'continue-complete': {
    level: 'convention',
    source: ['Parameters/LW'],
    text: "Following continue gives every object of the first page's state once, while others write.",
    planned,
  },
  'continue-expired': {
    level: 'convention',
    source: ['Parameters/LW', 'Errors/1'],
    text: 'An expired continue token is 410 and carries a token to go on with.',
    planned,
  },
  'continue-malformed': {
    level: 'convention',
    source: ['Parameters/LW', 'Errors/1'],
    text: 'A continue token that the server did not make is a client error.',
    planned,
  },
  'resource-version-match': {
    level: 'convention',
    source: ['Parameters/resourceVersion'],
    text: 'A list with resourceVersionMatch=Exact shows the state of that version, or is 410 when the version is gone.',
    planned,
  },
} as const satisfies Chapter;
