// The consequences for clients if a requirement of the chapter log is violated.
import type { Breaks } from './types.js';

export const log = [
  [['content', 'accept'], '`kubectl logs` shows something else than the container wrote.'],
  [['media-type'], 'A browser downloads the log instead of showing it, or interprets it as HTML.'],
  [['pretty', 'pretty-same'], 'A client library that adds `pretty` to every request gets an error or a changed log.'],
  [['container-default', 'container'], '`kubectl logs` shows the log of the wrong container.'],
  [['container-required', 'container-unknown'], 'A user is not told which containers the Pod has.'],
  [['previous', 'previous-default'], 'The reason of a crash cannot be read, because the log is of the wrong run.'],
  [['previous-none'], 'A client takes an empty log for the log of the crash.'],
  [['follow'], '`kubectl logs --follow` shows nothing new.'],
  [['follow-default'], 'A script that reads a log hangs.'],
  [['follow-ends'], 'A client that follows a Job never ends.'],
  [['follow-left'], 'Each client that leaves keeps a connection to the node open, until the node has none left.'],
  [
    ['since-seconds', 'since-time', 'since-seconds-clamped', 'since-time-clamped'],
    'A log collector loses lines or reads them twice.',
  ],
  [['since-seconds-future', 'since-time-future'], 'A client with a clock that is ahead gets the whole log.'],
  [['since-exclusive'], 'A client does not learn which of its two start times counts.'],
  [
    ['since-seconds-invalid', 'since-time-malformed', 'tail-lines-negative', 'limit-bytes-invalid', 'malformed-number'],
    'A typing error in a parameter returns the whole log, or an empty one.',
  ],
  [['timestamps'], 'Lines of several Pods cannot be merged by time.'],
  [['timestamps-default'], 'A parser of the log fails on a prefix that the container did not write.'],
  [
    ['tail-lines', 'tail-lines-omitted', 'tail-lines-zero', 'tail-lines-beyond', 'tail-and-since'],
    'A person who asks for the last lines gets others, or gigabytes.',
  ],
  [['limit-bytes'], 'A client that bounds its memory gets more than it can hold.'],
  [['int32'], 'A client with a large but valid number gets an error.'],
  [['unscheduled', 'unscheduled-status'], 'A script that polls the log of a new Pod fails before the Pod starts.'],
  [['absent', 'absent-node'], 'A client hangs, or shows an empty log for a Pod that does not exist.'],
  [['query-forwarded'], 'The node returns another part of the log than the client asked for.'],
  [['credentials-kept'], 'A node gets the token of an administrator and can act with it.'],
  [['read-only'], 'A client changes something by a request that should only read.'],
] as const satisfies Breaks;
