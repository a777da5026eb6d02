// Servers that break the connect chapter: refusals, and what connections have in common.
import { isAscii } from 'node:buffer';
import { chapters } from '../../../matrix/requirements/index.js';
import { isChecked } from '../../../matrix/requirements/types.js';
import { attachFaults } from './connectAttach.js';
import { execFaults } from './connectExec.js';
import { changes, exec, isConnect, on } from './connectParts.js';
import { type Fault, failure, passesCredentials } from './parts.js';

/** Any error will do for it. */
const tolerant = 'exec-without-command';
const isTyped = (headers: Readonly<Record<string, string>>): boolean => headers.accept === 'application/x-unknown';

/** Answers what cannot be connected so. */
const refuses = (status: number): Pick<Fault, 'reply'> => ({
  reply: (returning, passing) => (isConnect(passing) && returning.status >= 400 ? { ...returning, status } : returning),
});

export const connectFaults: readonly Fault[] = [
  {
    name: 'answers 500 for every connection',
    grep: 'connect.',
    chapters: ['connect'],
    fails: Object.entries(chapters.connect)
      .filter(([name, row]) => isChecked(row) && name !== tolerant)
      .map(([name]) => `connect.${name}`),
    request: (passing) => (isConnect(passing) ? failure(500, 'InternalError') : passing),
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
  ...execFaults,
  ...attachFaults,
  // all of a kind over one transport
  on(exec.socket, ['any-type'], 'refuses a connection for the media types of the client', {
    request: (passing) => (isTyped(passing.headers) ? failure(406, 'NotAcceptable') : passing),
  }),
  on(
    exec.socket,
    ['websocket'],
    'sends text where bytes are due',
    changes('server', undefined, (piece) => ({ ...piece, text: isAscii(piece.content) })),
  ),
  on(
    exec.base64,
    ['websocket-base64'],
    'sends bytes where text is due',
    changes('server', undefined, (piece) => ({ ...piece, text: false })),
  ),
  on(exec.spdy, ['spdy'], 'says another version of the streams than it was asked for', {
    reply: ({ headers, ...rest }) => ({
      ...rest,
      headers: { ...headers, 'x-stream-protocol-version': 'v3.channel.k8s.io' },
    }),
  }),
  on(exec.spdy, ['credentials-kept'], 'sends the credentials of a client on to the node', passesCredentials()),
  on(exec.spdy, ['left'], 'holds the connection to the node when the client leaves', { holdsOn: true }),
  on(exec.only('without-upgrade'), ['without-upgrade'], 'answers 200 to a client that asks for no upgrade', {
    reply: (returning, passing) => (isConnect(passing) ? { ...returning, status: 200 } : returning),
  }),
  on(exec.only('absent'), ['absent'], 'answers 500 for a Pod that is absent', refuses(500)),
  on(exec.only('unscheduled'), ['unscheduled'], 'answers 404 for a Pod that no node runs', refuses(404)),
];
