// The consequences for clients if a requirement of the chapter connect is violated.
import type { Breaks } from './types.js';

export const connect = [
  [['success', 'any-type'], '`kubectl exec`, `attach` and `port-forward` do not connect.'],
  [['exec', 'exec-command'], 'A command in a container does not run, or runs with other arguments.'],
  [['exec-no-shell'], 'An argument with a quote or a semicolon runs as a command of its own.'],
  [
    ['exec-stdin', 'exec-stdin-default'],
    'Data that is piped into a command does not arrive, or a command waits for input that never comes.',
  ],
  [
    ['exec-stdout-default', 'exec-stdout-off', 'exec-stderr-default', 'exec-stderr-off'],
    'The output of a command is lost, or errors end up in a file that should hold data.',
  ],
  [['exec-tty', 'exec-tty-default'], 'An interactive shell does not work, or binary output is damaged by a terminal.'],
  [['exec-container-default', 'exec-container'], 'A command runs in the wrong container.'],
  [
    ['exec-container-required', 'exec-container-unknown', 'exec-without-command'],
    'A user gets a closed connection and is not told what is wrong.',
  ],
  [['exec-exit-status'], 'A script cannot tell whether its command has failed.'],
  [['exec-resize'], 'Editors and pagers in a container draw for a terminal of the wrong size.'],
  [['exec-input-end'], '`tar` and `kubectl cp` wait for ever for the end of their input.'],
  [['exec-bytes'], 'A file that is copied through exec is damaged.'],
  [
    ['attach', 'attach-stdin', 'attach-stdin-default'],
    '`kubectl attach` and `kubectl run -it` do not reach the process.',
  ],
  [
    [
      'attach-stdout-default',
      'attach-stdout-off',
      'attach-stderr-default',
      'attach-stderr-off',
      'attach-tty',
      'attach-tty-default',
    ],
    'A person who attaches sees nothing, or the output of the wrong stream.',
  ],
  [['attach-container-default', 'attach-container'], 'A person who attaches talks to the wrong process.'],
  [['attach-left'], 'A service stops because a user closed a terminal.'],
  [
    ['portforward', 'portforward-several', 'portforward-closed'],
    'A local client of a database in a Pod gets no connection, or the data of another one.',
  ],
  [['portforward-bytes'], 'A download through a port-forward is damaged.'],
  [['forwarded'], 'The node opens another stream or container than the client asked for.'],
  [['credentials-kept'], 'A node gets the token of a user and can act with it.'],
  [['left'], 'Each client that leaves keeps a process or a connection on the node.'],
  [['websocket', 'websocket-base64'], 'Browsers, dashboards and client libraries that use WebSockets cannot connect.'],
  [['spdy'], '`kubectl` of this age cannot connect.'],
  [['without-upgrade', 'unscheduled', 'absent'], 'A user gets a connection that hangs instead of an error.'],
] as const satisfies Breaks;
