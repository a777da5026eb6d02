// Connect: exec, attach and port-forward into a running container.
import type { Chapter } from '../types.js';
import { attach } from './connect/attach.js';

const source = ['Connect and proxy operations/exec'] as const;

export const connect = {
  success: {
    level: 'stated',
    source: ['Connect and proxy operations/any', 'Conventions/1'],
    text: 'A connection that is made returns 101, or another success.',
    words: 'All have response default (success, string)',
    subjects: 'connections',
  },
  'any-type': {
    level: 'stated',
    source: ['Connect and proxy operations/any', 'Conventions/4 connect'],
    text: 'A connection is accepted whatever media type the client sends or accepts.',
    words: 'request/response media type any',
    subjects: 'typedConnections',
  },
  // exec
  exec: {
    level: 'stated',
    source: [...source, 'What the service does/2'],
    text: 'An exec by GET and by POST runs the command in the container.',
    words: 'GET, POST | {ns}/exec',
    subjects: 'execs',
  },
  'exec-command': {
    level: 'stated',
    source,
    text: 'Each command parameter is one argument, in order.',
    words: 'command (string, argv array, not run within a shell)',
    subjects: 'execCalls',
  },
  'exec-no-shell': {
    level: 'stated',
    source,
    text: 'The command is run unchanged, without a shell.',
    words: 'not run within a shell',
    subjects: 'execCalls',
  },
  'exec-stdin': {
    level: 'stated',
    source,
    text: 'With stdin=true the input of the client reaches the command.',
    words: 'stdin (default false)',
    subjects: 'execCalls',
  },
  'exec-stdin-default': {
    level: 'stated',
    source,
    text: 'Without stdin the command gets no input.',
    words: 'stdin (default false)',
    subjects: 'execCalls',
  },
  'exec-stdout-default': {
    level: 'stated',
    source,
    text: 'Without the parameter stdout, the standard output of the command is sent to the client.',
    words: 'stdout (default true)',
    subjects: 'execCalls',
  },
  'exec-stdout-off': {
    level: 'stated',
    source,
    text: 'With stdout=false nothing of the standard output of the command is sent.',
    words: 'stdout (default true)',
    subjects: 'execCalls',
  },
  'exec-stderr-default': {
    level: 'stated',
    source,
    text: 'Without the parameter stderr, the standard error of the command is sent to the client, apart from stdout.',
    words: 'stderr (default true)',
    subjects: 'execCalls',
  },
  'exec-stderr-off': {
    level: 'stated',
    source,
    text: 'With stderr=false nothing of the standard error of the command is sent.',
    words: 'stderr (default true)',
    subjects: 'execCalls',
  },
  'exec-tty': {
    level: 'stated',
    source,
    text: 'With tty=true the command has a terminal.',
    words: 'tty (default false)',
    subjects: 'execCalls',
  },
  'exec-tty-default': {
    level: 'stated',
    source,
    text: 'Without tty the command has no terminal.',
    words: 'tty (default false)',
    subjects: 'execCalls',
  },
  'exec-container-default': {
    level: 'stated',
    source,
    text: 'Without container the command runs in the only container.',
    words: 'container (string, defaults to the only container)',
    subjects: 'execCalls',
  },
  'exec-container': {
    level: 'stated',
    source,
    text: 'With container the command runs in that container.',
    words: 'container (string, defaults to the only container)',
    subjects: 'execCalls',
  },
  'exec-container-required': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'Without container an exec in a Pod with several containers is refused with 400 and names them.',
    subjects: 'refusedExecs',
  },
  'exec-container-unknown': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'An exec in a container that the Pod does not have is refused with 400.',
    subjects: 'refusedExecs',
  },
  'exec-without-command': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'An exec without a command is an error.',
    subjects: 'refusedExecs',
  },
  'exec-exit-status': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The exit code of the command is sent as a Status when the command ends.',
    subjects: 'execCalls',
  },
  'exec-resize': {
    level: 'convention',
    source,
    text: "A new size of the client's terminal reaches the terminal of the command.",
    subjects: 'resizedExecs',
  },
  'exec-input-end': {
    level: 'convention',
    source,
    text: "The end of the client's input reaches the command where the protocol can express it.",
    subjects: 'endedInputs',
  },
  'exec-bytes': {
    level: 'convention',
    source,
    text: 'Megabytes of any bytes pass through an exec in both directions, unchanged and in order.',
    subjects: 'largeExecs',
  },
  ...attach,
  // port-forward
  portforward: {
    level: 'stated',
    source: ['Connect and proxy operations/portforward', 'What the service does/2'],
    text: 'A port-forward by GET and by POST carries bytes to and from a port of the Pod.',
    words: 'GET, POST | {ns}/portforward',
    subjects: 'portForwards',
  },
  'portforward-several': {
    level: 'convention',
    source: ['Connect and proxy operations/portforward'],
    text: 'Several connections and several ports in one port-forward do not mix.',
    subjects: 'portForwardCalls',
  },
  'portforward-closed': {
    level: 'convention',
    source: ['Connect and proxy operations/portforward'],
    text: 'A port that nothing listens on is reported as an error of its own connection.',
    subjects: 'portForwardCalls',
  },
  'portforward-bytes': {
    level: 'convention',
    source: ['Connect and proxy operations/portforward'],
    text: 'Megabytes of any bytes pass through a port-forward in both directions, unchanged and in order.',
    subjects: 'largePortForwards',
  },
  // Requests at the node
  forwarded: {
    level: 'convention',
    source: ['Connect and proxy operations/any'],
    text: 'The server passes the container, the command, the chosen streams and the ports to the node, each with its value.',
    subjects: 'observedConnects',
  },
  'credentials-kept': {
    level: 'convention',
    source: ['Connect and proxy operations/any'],
    text: 'The server does not pass the credentials of the client to the node.',
    subjects: 'observedConnects',
  },
  left: {
    level: 'convention',
    source: ['Connect and proxy operations/any'],
    text: 'The connection to the node ends when the client has left.',
    subjects: 'observedConnects',
  },
  // Transports and refusals
  websocket: {
    level: 'convention',
    source: ['Connect and proxy operations/any', 'Conventions/6'],
    text: 'The streams are channels of a WebSocket in the subprotocols v4.channel.k8s.io and v5.channel.k8s.io.',
    subjects: 'socketConnections',
  },
  'websocket-base64': {
    level: 'convention',
    source: ['Connect and proxy operations/any', 'Conventions/6'],
    text: 'The streams are base64 text in the subprotocols whose names begin with base64.',
    subjects: 'base64Connections',
  },
  spdy: {
    level: 'convention',
    source: ['Connect and proxy operations/any', 'Conventions/6'],
    text: 'The streams are carried by SPDY/3.1.',
    subjects: 'spdyConnections',
  },
  'without-upgrade': {
    level: 'convention',
    source: ['Connect and proxy operations/any', 'Errors/1'],
    text: 'A request without an upgrade is refused with a client error.',
    subjects: 'plainConnects',
  },
  unscheduled: {
    level: 'convention',
    source: ['Connect and proxy operations/any', 'Errors/1'],
    text: 'A connection to a Pod without a node is refused with 400.',
    subjects: 'strayConnects',
  },
  absent: {
    level: 'convention',
    source: ['Connect and proxy operations/any', 'Errors/1'],
    text: 'A connection to an absent Pod is refused with 404.',
    subjects: 'strayConnects',
  },
} as const satisfies Chapter;
