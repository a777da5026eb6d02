// Servers that break exec: its parameters, its streams, its end.
import { changes, cutsAfter, exec, isConnect, loses, on, reads } from './connectParts.js';
import type { Fault } from './parts.js';

const megabyte = 1024 * 1024;
/** The command of an exec, changed. */
const runs = (change: (command: readonly string[]) => readonly string[]) =>
  reads((query) => {
    const command = change(query.getAll('command'));
    query.delete('command');
    for (const word of command) query.append('command', word);
  });

export const execFaults: readonly Fault[] = [
  on(
    exec.socket,
    ['exec-exit-status', 'exec-stdin-default'],
    'loses the exit status of a command',
    loses('server', 'error'),
  ),
  on(
    exec.socket,
    ['exec-exit-status'],
    'tells every end of a command as a success',
    changes('server', 'error', (piece) => ({ ...piece, content: Buffer.from('{"status":"Success"}') })),
  ),
  on(
    exec.socket,
    [
      ...['exec', 'websocket', 'exec-bytes', 'exec-command', 'exec-no-shell', 'exec-stdin', 'exec-container'],
      ...['exec-stdout-default', 'exec-stdout-off', 'exec-stderr-default', 'exec-stderr-off'],
      ...['exec-tty', 'exec-tty-default', 'exec-resize'],
    ],
    'takes the outputs of a command for each other',
    {
      piece: () => (piece) => {
        const id = piece.from === 'server' ? ({ 1: 2, 2: 1 }[piece.id] ?? piece.id) : piece.id;
        return [{ ...piece, id }];
      },
    },
  ),
  on(exec.closingSocket, ['exec-input-end'], 'loses the end of the input', {
    piece: () => (piece) => (piece.from === 'client' && piece.last ? [] : [piece]),
  }),
  on(exec.socket, ['exec-bytes'], 'cuts the output of a command', cutsAfter('server', 'stdout', megabyte)),
  on(exec.spdy, ['exec-bytes'], 'cuts the input of a command', cutsAfter('client', 'stdin', megabyte)),
  on(
    exec.socket,
    ['exec-tty', 'exec-resize', 'forwarded'],
    'gives a command no terminal',
    reads((query) => query.delete('tty')),
  ),
  on(
    exec.socket,
    ['exec-tty-default', 'exec-no-shell', 'exec-container'],
    'gives a terminal to a command without input',
    reads((query) => {
      if (query.get('stdout') === 'true' && query.get('stderr') === 'true' && !query.has('stdin'))
        query.set('tty', 'true');
    }),
  ),
  on(exec.socket, ['exec-resize'], 'keeps the size of a terminal to itself', loses('client', 'resize')),
  on(
    exec.socket,
    ['exec-command', 'exec-exit-status'],
    'splits the arguments of a command at their spaces',
    runs((command) => command.flatMap((word) => (word.includes(';') ? [word] : word.split(' ')))),
  ),
  on(
    exec.socket,
    ['exec-no-shell', 'exec-exit-status'],
    'has a shell read the command',
    runs((command) => (command[0] === 'echo' ? ['sh', '-c', command.join(' ')] : command)),
  ),
  on(
    exec.socket,
    ['exec', 'websocket', 'exec-stdin', 'exec-bytes'],
    'loses the input of a command',
    loses('client', 'stdin'),
  ),
  on(
    exec.socket,
    ['exec-stdin-default', 'forwarded'],
    'always has an input',
    reads((query) => query.set('stdin', 'true')),
  ),
  on(
    exec.socket,
    ['exec-stdout-default'],
    'connects no standard output that is not asked for',
    reads((query) => query.has('stdout') || query.set('stdout', 'false')),
  ),
  on(
    exec.socket,
    ['exec-stderr-default'],
    'connects no standard error that is not asked for',
    reads((query) => query.has('stderr') || query.set('stderr', 'false')),
  ),
  on(
    exec.socket,
    ['exec-stdout-off', 'forwarded'],
    'always sends the standard output',
    reads((query) => query.set('stdout', 'true')),
  ),
  on(
    exec.socket,
    ['exec-stderr-off'],
    'always sends the standard error',
    reads((query) => query.set('stderr', 'true')),
  ),
  on(
    exec.only('exec-container'),
    ['exec-container'],
    'knows no container by name',
    reads((query) => query.delete('container')),
  ),
  on(
    exec.only('exec-container-unknown'),
    ['exec-container-unknown'],
    'runs a command where no container has the name',
    reads((query) => query.get('container') === 'nobody' && query.delete('container')),
  ),
  on(exec.only('exec-container-default'), ['exec-container-default'], 'wants a container to be named', {
    request: (passing) =>
      isConnect(passing) && !passing.path.includes('container=')
        ? { ...passing, path: `${passing.path}&container=none` }
        : passing,
  }),
  on(exec.only('exec-container-required'), ['exec-container-required'], 'names no containers where there are several', {
    reply: (returning) => ({ ...returning, body: '{}' }),
  }),
  on(exec.socket, ['forwarded'], 'asks the node for a terminal that nobody wants', {
    atNode: (request) => ({ ...request, path: request.path.replace(/\?/, '?tty=1&') }),
  }),
];
