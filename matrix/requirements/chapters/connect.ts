// Connect: exec, attach and port-forward, into a container that runs.
import type { Chapter } from '../types.js';

const source = ['Connect and proxy operations/exec'] as const;
const planned = 'the connect chapter';

export const connect = {
  success: {
    level: 'stated',
    source: ['Connect and proxy operations/any', 'Conventions/1'],
    text: 'A connection that is made answers 101, or another success.',
    planned,
  },
  'any-type': {
    level: 'stated',
    source: ['Connect and proxy operations/any', 'Conventions/4 connect'],
    text: 'A connection is made whatever media type the client sends or accepts.',
    planned,
  },
  // exec
  exec: {
    level: 'stated',
    source: [...source, 'What the service does/2'],
    text: 'An exec by GET and by POST runs the command in the container.',
    planned,
  },
  'exec-command': {
    level: 'stated',
    source,
    text: 'Each command parameter is one argument, in order.',
    planned,
  },
  'exec-no-shell': {
    level: 'stated',
    source,
    text: 'The command is run as it is, without a shell.',
    planned,
  },
  'exec-stdin': {
    level: 'stated',
    source,
    text: 'With stdin=true what the client sends reaches the command.',
    planned,
  },
  'exec-stdin-default': {
    level: 'stated',
    source,
    text: 'Without stdin the command gets no input.',
    planned,
  },
  'exec-stdout-default': {
    level: 'stated',
    source,
    text: 'Without stdout what the command writes there comes to the client.',
    planned,
  },
  'exec-stdout-off': {
    level: 'stated',
    source,
    text: 'With stdout=false nothing of what the command writes there comes.',
    planned,
  },
  'exec-stderr-default': {
    level: 'stated',
    source,
    text: 'Without stderr what the command writes there comes to the client, apart from stdout.',
    planned,
  },
  'exec-stderr-off': {
    level: 'stated',
    source,
    text: 'With stderr=false nothing of what the command writes there comes.',
    planned,
  },
  'exec-tty': {
    level: 'stated',
    source,
    text: 'With tty=true the command has a terminal.',
    planned,
  },
  'exec-tty-default': {
    level: 'stated',
    source,
    text: 'Without tty the command has no terminal.',
    planned,
  },
  'exec-container-default': {
    level: 'stated',
    source,
    text: 'Without container the command runs in the only container.',
    planned,
  },
  'exec-container': {
    level: 'stated',
    source,
    text: 'With container the command runs in that container.',
    planned,
  },
  'exec-container-required': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'Without container an exec in a Pod that has several is 400 and names them.',
    planned,
  },
  'exec-container-unknown': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'An exec in a container that the Pod does not have is 400.',
    planned,
  },
  'exec-without-command': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'An exec without a command is an error.',
    planned,
  },
  'exec-exit-status': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The exit code of the command comes as a Status when it ends.',
    planned,
  },
  'exec-resize': {
    level: 'convention',
    source,
    text: "A new size of the client's terminal reaches the command's.",
    planned,
  },
  'exec-input-end': {
    level: 'convention',
    source,
    text: "The end of the client's input reaches the command where the protocol can say it.",
    planned,
  },
  'exec-bytes': {
    level: 'convention',
    source,
    text: 'Megabytes of any bytes pass through an exec in both directions, unchanged and in order.',
    planned,
  },
  // attach
  attach: {
    level: 'stated',
    source: ['Connect and proxy operations/attach', 'What the service does/2'],
    text: 'An attach by GET and by POST connects to the process of the container.',
    planned,
  },
  'attach-stdin': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'With stdin=true what the client sends reaches the process.',
    planned,
  },
  'attach-stdin-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'Without stdin nothing that the client sends reaches the process.',
    planned,
  },
  'attach-stdout-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'Without stdout what the process writes there comes to the client.',
    planned,
  },
  'attach-stdout-off': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'With stdout=false nothing of what the process writes there comes.',
    planned,
  },
  'attach-stderr-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'Without stderr what the process writes there comes to the client.',
    planned,
  },
  'attach-stderr-off': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'With stderr=false nothing of what the process writes there comes.',
    planned,
  },
  'attach-tty': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'With tty=true the streams of the process are those of its terminal.',
    planned,
  },
  'attach-tty-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: "Without tty the streams of the process come apart, not as a terminal's.",
    planned,
  },
  'attach-container-default': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: 'Without container the process is that of the only container.',
    planned,
  },
  'attach-container': {
    level: 'stated',
    source: ['Connect and proxy operations/attach'],
    text: "With container the process is that container's.",
    planned,
  },
  'attach-left': {
    level: 'convention',
    source: ['Connect and proxy operations/attach'],
    text: 'The process goes on when the client leaves.',
    planned,
  },
  // port-forward
  portforward: {
    level: 'stated',
    source: ['Connect and proxy operations/portforward', 'What the service does/2'],
    text: 'A port-forward by GET and by POST carries bytes to and from a port of the Pod.',
    planned,
  },
  'portforward-several': {
    level: 'convention',
    source: ['Connect and proxy operations/portforward'],
    text: 'Several connections and several ports in one port-forward do not mix.',
    planned,
  },
  'portforward-closed': {
    level: 'convention',
    source: ['Connect and proxy operations/portforward'],
    text: 'A port that nobody listens on is told as an error of its own connection.',
    planned,
  },
  'portforward-bytes': {
    level: 'convention',
    source: ['Connect and proxy operations/portforward'],
    text: 'Megabytes of any bytes pass through a port-forward in both directions, unchanged and in order.',
    planned,
  },
  // Transports and refusals
  websocket: {
    level: 'convention',
    source: ['Connect and proxy operations/any', 'Conventions/6'],
    text: 'The streams are channels of a WebSocket in the protocols v4.channel.k8s.io and v5.channel.k8s.io.',
    planned,
  },
  'websocket-base64': {
    level: 'convention',
    source: ['Connect and proxy operations/any', 'Conventions/6'],
    text: 'The streams are base64 text in the protocols whose names begin with base64.',
    planned,
  },
  spdy: {
    level: 'convention',
    source: ['Connect and proxy operations/any', 'Conventions/6'],
    text: 'The streams are those of SPDY/3.1.',
    planned,
  },
  'without-upgrade': {
    level: 'convention',
    source: ['Connect and proxy operations/any', 'Errors/1'],
    text: 'A request that asks for no upgrade is a client error.',
    planned,
  },
  unscheduled: {
    level: 'convention',
    source: ['Connect and proxy operations/any', 'Errors/1'],
    text: 'A connection to a Pod that no node runs is 400.',
    planned,
  },
  absent: {
    level: 'convention',
    source: ['Connect and proxy operations/any', 'Errors/1'],
    text: 'A connection to an absent Pod is 404.',
    planned,
  },
} as const satisfies Chapter;
