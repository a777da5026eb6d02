// The consequences for clients if a requirement of the chapter read is violated.
import type { Breaks } from './types.js';

export const read = [
  [['object'], 'A client works with data that was never written, or without data that was.'],
  [['identity'], 'A client that updates what it has read gets a conflict every time, or skips the conflict check.'],
  [
    ['absent'],
    'A controller that creates an object when it is "not found" reports an error instead and creates nothing.',
  ],
  [['other-namespace'], 'A client reads the secret or the configuration of another team.'],
] as const satisfies Breaks;
