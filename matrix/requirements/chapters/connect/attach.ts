// Rows of the chapter connect: attach to the process of a running container.
import type { Chapter } from '../../types.js';

export const attach = {
  attach: {
    level: 'stated',
    source: ['Connect and proxy operations/attach', 'What the service does/2'],
    text: 'An attach by GET and by POST connects to the process of the container.',
    words: 'GET, POST | {ns}/attach',
    subjects: 'attaches',
  },
  'attach-stdin': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'With stdin=true the input of the client reaches the process.',
    words: 'stdin (boolean, default false)',
    subjects: 'attachCalls',
  },
  'attach-stdin-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'Without stdin no input of the client reaches the process.',
    words: 'stdin (boolean, default false)',
    subjects: 'attachCalls',
  },
  'attach-stdout-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'Without the parameter stdout, the standard output of the process is sent to the client.',
    words: 'stdout (boolean, default true)',
    subjects: 'attachCalls',
  },
  'attach-stdout-off': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'With stdout=false nothing of the standard output of the process is sent.',
    words: 'stdout (boolean, default true)',
    subjects: 'attachCalls',
  },
  'attach-stderr-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'Without the parameter stderr, the standard error of the process is sent to the client.',
    words: 'stderr (boolean, default true)',
    subjects: 'attachCalls',
  },
  'attach-stderr-off': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'With stderr=false nothing of the standard error of the process is sent.',
    words: 'stderr (boolean, default true)',
    subjects: 'attachCalls',
  },
  'attach-tty': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'With tty=true the streams are those of the terminal of the process.',
    words: 'tty (boolean, default false)',
    subjects: 'attachCalls',
  },
  'attach-tty-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'Without tty the streams of the process are separate, not those of a terminal.',
    words: 'tty (boolean, default false)',
    subjects: 'attachCalls',
  },
  'attach-container-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'Without container the client is connected to the process of the only container.',
    words: 'container (string, defaults to the only container)',
    subjects: 'attachCalls',
  },
  'attach-container': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'With container the client is connected to the process of that container.',
    words: 'container (string, defaults to the only container)',
    subjects: 'attachCalls',
  },
  'attach-left': {
    level: 'convention',
    source: ['Connect and proxy operations/attach'],
    text: 'The process continues when the client leaves.',
    subjects: 'attachCalls',
  },
} as const satisfies Chapter;
