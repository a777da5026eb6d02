// Parameters: what each query parameter does, on every operation that states it.
import type { Chapter } from '../types.js';

const planned = 'the watch cache and compaction';

export const parameters = {
  'pretty-true': {
    level: 'stated',
    source: ['Parameters/pretty', 'Parameters/PR', 'Parameters/RD', 'Parameters/LW'],
    text: 'With pretty=true the JSON of an answer is indented over several lines.',
    subjects: 'prettyAnswers',
  },
  'pretty-same-object': {
    level: 'stated',
    source: ['Parameters/pretty'],
    text: 'With pretty=true an answer decodes to the same object as without it.',
    subjects: 'prettyReads',
  },
  'pretty-false': {
    level: 'convention',
    source: ['Parameters/pretty'],
    text: 'With pretty=false, and without pretty, the JSON of an answer is compact.',
    subjects: 'prettyReads',
  },
  'watch-false': {
    level: 'stated',
    source: ['Parameters/watch', 'Parameters/LW'],
    text: 'A list path with watch=false, or without watch, answers a list and ends.',
    subjects: 'parameterLists',
  },
  'delete-collection-never-watches': {
    level: 'stated',
    source: ['Generic operation set/always LW', 'Parameters/LW'],
    text: 'A delete-collection with watch, resourceVersion and timeoutSeconds deletes, answers one body and ends.',
    subjects: 'watchedDeleteCollections',
  },
  'timeout-bounds-list': {
    level: 'stated',
    source: ['Parameters/timeoutSeconds', 'Limits/1'],
    text: 'A list call has ended when its timeoutSeconds are over, even one that waits for a version.',
    subjects: 'aheadLists',
  },
  'timeout-int32': {
    level: 'stated',
    source: ['Parameters/timeoutSeconds', 'Limits/1'],
    text: 'Every timeoutSeconds from 0 to 2147483647 is accepted on a list.',
    subjects: 'parameterLists',
  },
  'timeout-malformed': {
    level: 'convention',
    source: ['Parameters/timeoutSeconds', 'Errors/1'],
    text: 'A timeoutSeconds that is not a number is a client error.',
    subjects: 'parameterLists',
  },
  'resource-version-malformed': {
    level: 'convention',
    source: ['Parameters/resourceVersion', 'Errors/1'],
    text: 'A list with a resourceVersion that is not a version is a client error, never a list.',
    subjects: 'parameterLists',
  },
  'resource-version-not-older': {
    level: 'convention',
    source: ['Parameters/resourceVersion'],
    text: 'A list with a resourceVersion shows a state at least as new as that version.',
    subjects: 'parameterLists',
  },
  'resource-version-ahead': {
    level: 'convention',
    source: ['Parameters/resourceVersion'],
    text: 'A list with a resourceVersion that is ahead of the server waits or fails, and never shows an older state.',
    subjects: 'aheadLists',
  },
  'export-strips-identity': {
    level: 'stated',
    source: ['Parameters/export', 'Parameters/RD'],
    text: 'With export=true a read leaves out what the server set: uid, resourceVersion and creationTimestamp.',
    subjects: 'exports',
  },
  'export-strips-generation': {
    level: 'stated',
    source: ['Parameters/export', 'Parameters/RD'],
    text: 'With export=true a read leaves out the generation, which no user can specify.',
    subjects: 'exports',
  },
  'export-keeps': {
    level: 'stated',
    source: ['Parameters/export', 'Parameters/exact', 'Parameters/RD'],
    text: 'With export=true, exact or not, a read answers the kind, the name, the labels and the fields that the user wrote.',
    subjects: 'exports',
  },
  'export-strips-namespace': {
    level: 'stated',
    source: ['Parameters/export', 'Parameters/exact'],
    text: 'With export=true and no exact a read leaves out the namespace.',
    subjects: 'namespacedExports',
  },
  'export-exact': {
    level: 'stated',
    source: ['Parameters/exact'],
    text: 'With export=true and exact=true a read keeps cluster-specific fields such as the namespace.',
    subjects: 'namespacedExports',
  },
  'export-assigned-fields': {
    level: 'convention',
    source: ['Parameters/export'],
    text: 'An export leaves out what the cluster assigned in the spec, the addresses and node ports of a Service; an exact one keeps it.',
    subjects: 'assignedExports',
  },
  'export-creatable': {
    level: 'convention',
    source: ['Parameters/export'],
    text: 'The body of an export can be created again under another name.',
    subjects: 'exports',
  },
  'export-false': {
    level: 'stated',
    source: ['Parameters/export', 'Parameters/exact'],
    text: 'With export=false, or with exact alone, a read answers the whole object.',
    subjects: 'exports',
  },
  'export-absent': {
    level: 'convention',
    source: ['Parameters/export', 'Errors/1'],
    text: 'An export of an absent object is 404.',
    subjects: 'exports',
  },
  'namespace-selects': {
    level: 'stated',
    source: ['Parameters/namespace'],
    text: 'An operation acts in the namespace that its path names and in no other.',
    subjects: 'namespacedNames',
  },
  'name-selects': {
    level: 'stated',
    source: ['Parameters/name'],
    text: 'An operation acts on the object that its path names and on no other.',
    subjects: 'names',
  },
  'path-decoded': {
    level: 'convention',
    source: ['Parameters/name', 'Parameters/namespace'],
    text: 'A percent-encoded character in a name of the path means the character itself, decoded once.',
    subjects: 'reads',
  },
  'unknown-ignored': {
    level: 'convention',
    source: ['Parameters/LW', 'Parameters/RD', 'Parameters/PR'],
    text: 'A query parameter that the server does not know changes nothing.',
    subjects: 'unknownParameters',
  },
  'dry-run': {
    level: 'convention',
    source: ['Parameters/PR'],
    text: 'A write with dryRun=All changes nothing, whether the server answers it or refuses it.',
    subjects: 'dryRuns',
  },
  'dry-run-unknown': {
    level: 'convention',
    source: ['Parameters/PR'],
    text: 'A write with a dryRun value that is not known changes nothing.',
    subjects: 'dryRuns',
  },
  'limit-pages': {
    level: 'convention',
    source: ['Parameters/LW'],
    text: 'A list with limit holds at most that many items, and a continue token when there are more.',
    subjects: 'pages',
  },
  'continue-complete': {
    level: 'convention',
    source: ['Parameters/LW'],
    text: "Following continue gives every object of the first page's state once, while others write.",
    subjects: 'pages',
  },
  'limit-malformed': {
    level: 'convention',
    source: ['Parameters/LW', 'Errors/1'],
    text: 'A limit that is not a number is a client error.',
    subjects: 'parameterLists',
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
    subjects: 'parameterLists',
  },
  'resource-version-match': {
    level: 'convention',
    source: ['Parameters/resourceVersion'],
    text: 'A list with resourceVersionMatch=Exact shows the state of that version, or is 410 when the version is gone.',
    subjects: 'exactLists',
  },
} as const satisfies Chapter;
