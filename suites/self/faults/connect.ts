// Servers that break the connect chapter.
import { chapters } from '../../../matrix/requirements/index.js';
import { isChecked } from '../../../matrix/requirements/types.js';
import { type Fault, failure } from './parts.js';

const isConnect = (path: string): boolean => /\/(exec|attach|portforward)(\?|$)/.test(path);
/** Any error will do for it. */
const tolerant = 'exec-without-command';

export const connectFaults: readonly Fault[] = [
  {
    name: 'answers 500 for every connection',
    grep: 'connect.',
    chapters: ['connect'],
    fails: Object.entries(chapters.connect)
      .filter(([name, row]) => isChecked(row) && name !== tolerant)
      .map(([name]) => `connect.${name}`),
    request: (passing) => (isConnect(passing.path) ? failure(500, 'InternalError') : passing),
  },
  {
    name: 'runs a command of its own where none is given',
    grep: `connect.${tolerant} › POST`,
    fails: [`connect.${tolerant}`],
    request: (passing) =>
      /\/exec\?/.test(passing.path) && !passing.path.includes('command=')
        ? { ...passing, path: `${passing.path}&command=true` }
        : passing,
  },
];
