// Rows of the connect chapter: attach, to the process of a container that runs.
import type { Chapter } from '../types.js';

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
    text: 'With stdin=true what the client sends reaches the process.',
    words: 'stdin (boolean, default false)',
    subjects: 'attachCalls',
  },
  'attach-stdin-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'Without stdin nothing that the client sends reaches the process.',
    words: 'stdin (boolean, default false)',
    subjects: 'attachCalls',
  },
  'attach-stdout-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'Without stdout what the process writes there comes to the client.',
    words: 'stdout (boolean, default true)',
    subjects: 'attachCalls',
  },
  'attach-stdout-off': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'With stdout=false nothing of what the process writes there comes.',
    words: 'stdout (boolean, default true)',
    subjects: 'attachCalls',
  },
  'attach-stderr-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'Without stderr what the process writes there comes to the client.',
    words: 'stderr (boolean, default true)',
    subjects: 'attachCalls',
  },
  'attach-stderr-off': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'With stderr=false nothing of what the process writes there comes.',
    words: 'stderr (boolean, default true)',
    subjects: 'attachCalls',
  },
  'attach-tty': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'With tty=true the streams of the process are those of its terminal.',
    words: 'tty (boolean, default false)',
    subjects: 'attachCalls',
  },
  'attach-tty-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: "Without tty the streams of the process come apart, not as a terminal's.",
    words: 'tty (boolean, default false)',
    subjects: 'attachCalls',
  },
  'attach-container-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'Without container the process is that of the only container.',
    words: 'container (string, defaults to the only container)',
    subjects: 'attachCalls',
  },
  'attach-container': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: "With container the process is that container's.",
    words: 'container (string, defaults to the only container)',
    subjects: 'attachCalls',
  },
  'attach-left': {
    level: 'convention',
    source: ['Connect and proxy operations/attach'],
    text: 'The process goes on when the client leaves.',
    subjects: 'attachCalls',
  },
} as const satisfies Chapter;
