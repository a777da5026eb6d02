// Log: what a container said, from where the client asked to where it asked.
import type { Chapter } from '../types.js';

const source = ['Pod log/response'] as const;

export const log = {
  content: {
    level: 'stated',
    source,
    text: 'The log of a Pod answers 200 with what the container wrote, byte for byte.',
    subjects: 'logs',
  },
  'media-type': {
    level: 'convention',
    source: [...source, 'Conventions/4 connect'],
    text: 'The log is text/plain.',
    subjects: 'textLogs',
  },
  pretty: {
    level: 'stated',
    source: ['Pod log/pretty'],
    text: 'The log with pretty=true is the same log.',
    subjects: 'prettyLogs',
  },
  accept: {
    level: 'convention',
    source: [...source, 'Conventions/4 connect'],
    text: 'With an Accept of JSON or YAML the log is what the container wrote all the same.',
    subjects: 'acceptedLogs',
  },
  // Which container
  'container-default': {
    level: 'stated',
    source: ['Pod log/container'],
    text: 'Without container the log is that of the only container.',
    subjects: 'unnamedContainerLogs',
  },
  container: {
    level: 'stated',
    source: ['Pod log/container'],
    text: "With container the log is that container's.",
    subjects: 'containerLogs',
  },
  'container-required': {
    level: 'convention',
    source: ['Pod log/container', 'Errors/1'],
    text: 'Without container the log of a Pod that has several is 400 and names them.',
    subjects: 'severalContainerLogs',
  },
  'container-unknown': {
    level: 'convention',
    source: ['Pod log/container', 'Errors/1'],
    text: 'The log of a container that the Pod does not have is 400.',
    subjects: 'unknownContainerLogs',
  },
  previous: {
    level: 'stated',
    source: ['Pod log/previous'],
    text: 'With previous=true the log is that of the terminated container before this one.',
    subjects: 'previousLogs',
  },
  'previous-default': {
    level: 'stated',
    source: ['Pod log/previous'],
    text: 'Without previous the log is that of the container of now.',
    subjects: 'currentLogs',
  },
  'previous-none': {
    level: 'convention',
    source: ['Pod log/previous', 'Errors/1'],
    text: 'With previous=true the log of a container that was never restarted is an error.',
    subjects: 'neverRestartedLogs',
  },
  // Following
  follow: {
    level: 'stated',
    source: ['Pod log/follow'],
    text: 'With follow=true new lines come as they are written.',
    subjects: 'followedLogs',
  },
  'follow-default': {
    level: 'stated',
    source: ['Pod log/follow'],
    text: 'Without follow the answer ends with the lines that are there.',
    subjects: 'unfollowedLogs',
  },
  'follow-ends': {
    level: 'convention',
    source: ['Pod log/follow', 'States and transitions/not shown'],
    text: 'A followed log ends with its container.',
    subjects: 'endedLogs',
  },
  'follow-left': {
    level: 'convention',
    source: ['Pod log/follow'],
    text: 'When the client leaves a followed log the server leaves the node.',
    subjects: 'leftLogs',
  },
  // From when
  'since-seconds': {
    level: 'stated',
    source: ['Pod log/sinceSeconds', 'Limits/1'],
    text: 'With sinceSeconds the log holds the lines of that many seconds before now.',
    subjects: 'sinceSecondsLogs',
  },
  'since-seconds-clamped': {
    level: 'stated',
    source: ['Pod log/sinceSeconds'],
    text: "With a sinceSeconds from before the Pod's start the log holds the lines since its start.",
    subjects: 'sinceSecondsBeforeStart',
  },
  'since-seconds-future': {
    level: 'stated',
    source: ['Pod log/sinceSeconds'],
    text: 'With a sinceSeconds that means the future no line comes.',
    subjects: 'sinceSecondsOfFuture',
  },
  'since-time': {
    level: 'stated',
    source: ['Pod log/sinceTime'],
    text: 'With sinceTime the log holds the lines from that RFC 3339 time on.',
    subjects: 'sinceTimeLogs',
  },
  'since-time-clamped': {
    level: 'stated',
    source: ['Pod log/sinceTime'],
    text: "With a sinceTime from before the Pod's start the log holds the lines since its start.",
    subjects: 'sinceTimeBeforeStart',
  },
  'since-time-future': {
    level: 'stated',
    source: ['Pod log/sinceTime'],
    text: 'With a sinceTime in the future no line comes.',
    subjects: 'sinceTimeOfFuture',
  },
  'since-exclusive': {
    level: 'stated',
    source: ['Pod log/sinceSeconds', 'Pod log/sinceTime'],
    text: 'With both sinceSeconds and sinceTime the log is a client error.',
    subjects: 'bothStarts',
  },
  'since-seconds-invalid': {
    level: 'convention',
    source: ['Pod log/sinceSeconds', 'Errors/1'],
    text: 'A sinceSeconds that is not positive is 422.',
    subjects: 'refusedSinceSeconds',
  },
  'since-time-malformed': {
    level: 'convention',
    source: ['Pod log/sinceTime', 'Errors/1'],
    text: 'A sinceTime that is not RFC 3339 is an error.',
    subjects: 'malformedSinceTimes',
  },
  // How much
  timestamps: {
    level: 'stated',
    source: ['Pod log/timestamps'],
    text: 'With timestamps=true each line starts with its RFC 3339 time, with or without nanoseconds.',
    subjects: 'timedLogs',
  },
  'timestamps-default': {
    level: 'stated',
    source: ['Pod log/timestamps'],
    text: 'Without timestamps the lines are as they were written.',
    subjects: 'untimedLogs',
  },
  'tail-lines': {
    level: 'stated',
    source: ['Pod log/tailLines', 'Limits/1'],
    text: 'With tailLines the log holds that many lines from the end.',
    subjects: 'tailedLogs',
  },
  'tail-lines-omitted': {
    level: 'stated',
    source: ['Pod log/tailLines'],
    text: "Without tailLines the log starts at the container's creation, or at sinceSeconds or sinceTime.",
    subjects: 'untailedLogs',
  },
  'tail-lines-zero': {
    level: 'convention',
    source: ['Pod log/tailLines'],
    text: 'With tailLines=0 no line comes.',
    subjects: 'emptyTails',
  },
  'tail-lines-beyond': {
    level: 'convention',
    source: ['Pod log/tailLines'],
    text: "With a tailLines beyond the log's length the whole log comes.",
    subjects: 'longTails',
  },
  'tail-and-since': {
    level: 'convention',
    source: ['Pod log/tailLines', 'Pod log/sinceTime'],
    text: 'With tailLines and a start the log holds the last lines of those since the start.',
    subjects: 'tailsSince',
  },
  'tail-lines-negative': {
    level: 'convention',
    source: ['Pod log/tailLines', 'Errors/1'],
    text: 'A negative tailLines is 422.',
    subjects: 'negativeTails',
  },
  'limit-bytes': {
    level: 'stated',
    source: ['Pod log/limitBytes', 'Limits/1'],
    text: 'With limitBytes the log ends at about that many bytes, in the middle of a line if need be.',
    subjects: 'limitedLogs',
  },
  'limit-bytes-invalid': {
    level: 'convention',
    source: ['Pod log/limitBytes', 'Errors/1'],
    text: 'A limitBytes that is not positive is 422.',
    subjects: 'refusedLimits',
  },
  int32: {
    level: 'stated',
    source: ['Limits/1'],
    text: "Each number of the log's query may be as large as an int32.",
    subjects: 'largestNumbers',
  },
  'malformed-number': {
    level: 'convention',
    source: ['Limits/1', 'Errors/1'],
    text: "A number of the log's query that is not one is an error.",
    subjects: 'malformedNumbers',
  },
  // Beyond
  unscheduled: {
    level: 'stated',
    source,
    text: 'The log of a Pod that no node runs yet is 200 and empty.',
    subjects: 'unscheduledLogs',
  },
  absent: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'The log of an absent Pod is 404.',
    subjects: 'absentLogs',
  },
  'absent-node': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'The log of a Pod whose node cannot be found or reached is an error in bounded time.',
    subjects: 'lostNodes',
  },
  'query-forwarded': {
    level: 'convention',
    source,
    text: 'Each parameter of the query reaches the node with its value.',
    subjects: 'forwardedLogs',
  },
  'credentials-kept': {
    level: 'convention',
    source,
    text: "The client's credentials do not reach the node.",
    subjects: 'forwardedLogs',
  },
  'read-only': {
    level: 'convention',
    source,
    text: 'The log takes no other method than GET.',
    subjects: 'otherMethods',
  },
} as const satisfies Chapter;
