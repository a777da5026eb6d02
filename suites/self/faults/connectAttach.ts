// Servers that break attach and port-forward.
import { attach, changes, cutsAfter, isConnect, loses, on, portForward, reads } from './connectParts.js';
import type { Fault } from './parts.js';

const megabyte = 1024 * 1024;
const everything = [
  'attach-stdin',
  'attach-stdin-default',
  'attach-stdout-default',
  'attach-stderr-off',
  'attach-container',
];

export const attachFaults: readonly Fault[] = [
  on(
    attach.socket,
    ['attach', 'websocket', ...everything, 'attach-stdout-off', 'attach-stderr-default', 'attach-tty', 'attach-left'],
    'loses what is typed to a process',
    loses('client', 'stdin'),
  ),
  on(
    attach.socket,
    ['attach-stdin-default', 'forwarded'],
    'types what the client did not ask to send',
    reads((query) => query.set('stdin', 'true')),
  ),
  on(
    attach.socket,
    ['attach-stdout-default'],
    'attaches no standard output that is not asked for',
    reads((query) => query.has('stdout') || query.set('stdout', 'false')),
  ),
  on(
    attach.socket,
    ['attach-stderr-default'],
    'attaches no standard error that is not asked for',
    reads((query) => query.has('stderr') || query.set('stderr', 'false')),
  ),
  on(
    attach.socket,
    ['attach-stdout-off', 'forwarded'],
    'always attaches the standard output',
    reads((query) => query.set('stdout', 'true')),
  ),
  on(
    attach.socket,
    ['attach-stderr-off'],
    'always attaches the standard error',
    reads((query) => query.set('stderr', 'true')),
  ),
  on(attach.socket, ['attach-tty'], 'loses the standard error of a terminal', {
    piece: ({ path }) =>
      path.includes('tty=true')
        ? (piece) => [
            { ...piece, content: Buffer.from(piece.content.toString('latin1').replace(/error/g, ''), 'latin1') },
          ]
        : (piece) => [piece],
  }),
  on(
    attach.socket,
    ['attach-tty-default'],
    'gives every attach the lines of a terminal',
    changes('server', 'stdout', (piece) => ({
      ...piece,
      content: Buffer.from(piece.content.toString('latin1').replace(/\n/g, '\r\n'), 'latin1'),
    })),
  ),
  on(
    attach.socket,
    ['attach-left'],
    'starts the process again for each client',
    changes('server', 'stderr', (piece) => ({
      ...piece,
      content: Buffer.from(piece.content.toString('latin1').replace(/error \d+/g, 'error 1'), 'latin1'),
    })),
  ),
  on(
    attach.only('attach-container'),
    ['attach-container'],
    'attaches to no container by its name',
    reads((query) => query.delete('container')),
  ),
  on(
    attach.only('attach-container-default'),
    ['attach-container-default'],
    'wants the container of an attach to be named',
    {
      request: (passing) =>
        isConnect(passing) && !passing.path.includes('container=')
          ? { ...passing, path: `${passing.path}&container=none` }
          : passing,
    },
  ),
  // port-forward
  on(portForward.socket, ['portforward-several', 'forwarded'], 'leads every connection to one port', {
    request: (passing) => ({ ...passing, path: passing.path.replace('ports=8081', 'ports=8080') }),
  }),
  on(portForward.socket, ['portforward-closed'], 'tells no error of a port', loses('server', 'error')),
  on(portForward.spdy, ['portforward-bytes'], 'cuts what comes from a port', cutsAfter('server', 'data', megabyte)),
  on(portForward.socket, ['portforward-bytes'], 'cuts what goes to a port', cutsAfter('client', 'data', megabyte)),
  on(portForward.socket, ['portforward-several', 'portforward-closed'], 'forwards the first connection only', {
    piece: () => (piece) => (piece.id > 1 && piece.stream === 'data' ? [] : [piece]),
  }),
];
