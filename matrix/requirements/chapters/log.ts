// Log: what a container said, from where the client asked to where it asked.
import type { Chapter } from '../types.js';

const source = ['Pod log/response'] as const;
const planned = 'the log chapter';

export const log = {
  content: {
    level: 'stated',
    source,
    text: 'The log of a Pod answers 200 with what the container wrote, byte for byte.',
    planned,
  },
  'media-type': {
    level: 'convention',
    source: [...source, 'Conventions/4 connect'],
    text: 'The log is text/plain.',
    planned,
  },
  pretty: {
    level: 'stated',
    source: ['Pod log/pretty'],
    text: 'The log with pretty=true is the same log.',
    planned,
  },
  // Which container
  'container-default': {
    level: 'stated',
    source: ['Pod log/container'],
    text: 'Without container the log is that of the only container.',
    planned,
  },
  container: {
    level: 'stated',
    source: ['Pod log/container'],
    text: "With container the log is that container's.",
    planned,
  },
  'container-required': {
    level: 'convention',
    source: ['Pod log/container', 'Errors/1'],
    text: 'Without container the log of a Pod that has several is 400 and names them.',
    planned,
  },
  'container-unknown': {
    level: 'convention',
    source: ['Pod log/container', 'Errors/1'],
    text: 'The log of a container that the Pod does not have is 400.',
    planned,
  },
  previous: {
    level: 'stated',
    source: ['Pod log/previous'],
    text: 'With previous=true the log is that of the terminated container before this one.',
    planned,
  },
  'previous-default': {
    level: 'stated',
    source: ['Pod log/previous'],
    text: 'Without previous the log is that of the container of now.',
    planned,
  },
  'previous-none': {
    level: 'convention',
    source: ['Pod log/previous', 'Errors/1'],
    text: 'With previous=true the log of a container that was never restarted is an error.',
    planned,
  },
  // Following
  follow: {
    level: 'stated',
    source: ['Pod log/follow'],
    text: 'With follow=true new lines come as they are written.',
    planned,
  },
  'follow-default': {
    level: 'stated',
    source: ['Pod log/follow'],
    text: 'Without follow the answer ends with the lines that are there.',
    planned,
  },
  'follow-ends': {
    level: 'convention',
    source: ['Pod log/follow', 'States and transitions/not shown'],
    text: 'A followed log ends with its container.',
    planned,
  },
  'follow-left': {
    level: 'convention',
    source: ['Pod log/follow'],
    text: 'When the client leaves a followed log the server leaves the node.',
    planned,
  },
  // From when
  'since-seconds': {
    level: 'stated',
    source: ['Pod log/sinceSeconds', 'Limits/1'],
    text: 'With sinceSeconds the log holds the lines of that many seconds before now.',
    planned,
  },
  'since-seconds-clamped': {
    level: 'stated',
    source: ['Pod log/sinceSeconds'],
    text: "With a sinceSeconds from before the Pod's start the log holds the lines since its start.",
    planned,
  },
  'since-seconds-future': {
    level: 'stated',
    source: ['Pod log/sinceSeconds'],
    text: 'With a sinceSeconds that means the future no line comes.',
    planned,
  },
  'since-time': {
    level: 'stated',
    source: ['Pod log/sinceTime'],
    text: 'With sinceTime the log holds the lines from that RFC 3339 time on.',
    planned,
  },
  'since-time-clamped': {
    level: 'stated',
    source: ['Pod log/sinceTime'],
    text: "With a sinceTime from before the Pod's start the log holds the lines since its start.",
    planned,
  },
  'since-time-future': {
    level: 'stated',
    source: ['Pod log/sinceTime'],
    text: 'With a sinceTime in the future no line comes.',
    planned,
  },
  'since-exclusive': {
    level: 'stated',
    source: ['Pod log/sinceSeconds', 'Pod log/sinceTime'],
    text: 'With both sinceSeconds and sinceTime the log is a client error.',
    planned,
  },
  'since-seconds-invalid': {
    level: 'convention',
    source: ['Pod log/sinceSeconds', 'Errors/1'],
    text: 'A sinceSeconds that is not positive is 422.',
    planned,
  },
  'since-time-malformed': {
    level: 'convention',
    source: ['Pod log/sinceTime', 'Errors/1'],
    text: 'A sinceTime that is not RFC 3339 is an error.',
    planned,
  },
  // How much
  timestamps: {
    level: 'stated',
    source: ['Pod log/timestamps'],
    text: 'With timestamps=true each line starts with its RFC 3339 time, with or without nanoseconds.',
    planned,
  },
  'timestamps-default': {
    level: 'stated',
    source: ['Pod log/timestamps'],
    text: 'Without timestamps the lines are as they were written.',
    planned,
  },
  'tail-lines': {
    level: 'stated',
    source: ['Pod log/tailLines', 'Limits/1'],
    text: 'With tailLines the log holds that many lines from the end.',
    planned,
  },
  'tail-lines-omitted': {
    level: 'stated',
    source: ['Pod log/tailLines'],
    text: "Without tailLines the log starts at the container's creation, or at sinceSeconds or sinceTime.",
    planned,
  },
  'tail-lines-zero': {
    level: 'convention',
    source: ['Pod log/tailLines'],
    text: 'With tailLines=0 no line comes.',
    planned,
  },
  'tail-lines-beyond': {
    level: 'convention',
    source: ['Pod log/tailLines'],
    text: "With a tailLines beyond the log's length the whole log comes.",
    planned,
  },
  'tail-and-since': {
    level: 'convention',
    source: ['Pod log/tailLines', 'Pod log/sinceTime'],
    text: 'With tailLines and a start the log holds the last lines of those since the start.',
    planned,
  },
  'tail-lines-negative': {
    level: 'convention',
    source: ['Pod log/tailLines', 'Errors/1'],
    text: 'A negative tailLines is 422.',
    planned,
  },
  'limit-bytes': {
    level: 'stated',
    source: ['Pod log/limitBytes', 'Limits/1'],
    text: 'With limitBytes the log ends at about that many bytes, in the middle of a line if need be.',
    planned,
  },
  'limit-bytes-invalid': {
    level: 'convention',
    source: ['Pod log/limitBytes', 'Errors/1'],
    text: 'A limitBytes that is not positive is 422.',
    planned,
  },
  int32: {
    level: 'stated',
    source: ['Limits/1'],
    text: "Each number of the log's query may be as large as an int32.",
    planned,
  },
  'malformed-number': {
    level: 'convention',
    source: ['Limits/1', 'Errors/1'],
    text: "A number of the log's query that is not one is an error.",
    planned,
  },
  // Beyond
  unscheduled: {
    level: 'stated',
    source,
    text: 'The log of a Pod that no node runs yet is 200 and empty.',
    planned,
  },
  absent: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'The log of an absent Pod is 404.',
    planned,
  },
  'absent-node': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'The log of a Pod whose node cannot be found or reached is an error in bounded time.',
    planned,
  },
  'query-forwarded': {
    level: 'convention',
    source,
    text: 'Each parameter of the query reaches the node with its value.',
    planned,
  },
  'read-only': {
    level: 'convention',
    source,
    text: 'The log takes no other method than GET.',
    planned,
  },
} as const satisfies Chapter;
