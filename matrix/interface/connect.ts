// Section 14 of the interface: exec, attach and port-forward.
import type { Section } from './types.js';

export const connect = {
  number: 14,
  title: 'Exec, attach and port-forward',
  introduction: 'These operations turn the request into a connection to a container. They exist for Pods.',
  rules: [
    {
      number: '14.1',
      title: 'Connections',
      text:
        'A connection must be accepted whatever media type the client sends or accepts. A connection that is made ' +
        'must return 101 or another success status. The server should pass the parameters to the node with their ' +
        "values, never pass the client's credentials, and end the connection to the node when the client leaves. An " +
        'absent Pod should be refused with 404, a Pod without a node with 400, and a request without an upgrade ' +
        'with a client error.',
      why: 'A debugging session is opened by many kinds of clients, some behind proxies.',
      sources: ['Connect and proxy operations/any', 'Conventions/4 connect'],
    },
    {
      number: '14.2',
      title: 'Exec',
      text:
        'A GET or a POST of `…/pods/{name}/exec` must run a command in a container. Each `command` parameter is one ' +
        'argument, in order, and no shell is involved. `stdin`, `stdout`, `stderr` and `tty` are booleans that ' +
        'choose the streams: `stdout` and `stderr` are on by default, `stdin` and `tty` are off. `container` is a ' +
        'string and defaults to the only container. A stream that is off must carry nothing, and stdout and stderr ' +
        'must stay apart where there is no terminal. A request without a command, for an unknown container, or ' +
        'without `container` in a Pod that has several, should be refused with 400.',
      why: 'A command that a shell reads a second time runs something else than its author typed.',
      sources: ['Connect and proxy operations/exec'],
    },
    {
      number: '14.3',
      title: 'Attach',
      text:
        'A GET or a POST of `…/pods/{name}/attach` must connect the client to the main process of a container. It ' +
        'has the same parameters as exec, without `command`. The process should continue when the client leaves.',
      why: 'A person who closes a terminal does not expect to stop a service.',
      sources: ['Connect and proxy operations/attach'],
    },
    {
      number: '14.4',
      title: 'Port-forward',
      text:
        'A GET or a POST of `…/pods/{name}/portforward` must carry bytes to and from ports of the Pod. It has no ' +
        'declared parameters. Several connections and ports should not mix, and a port that nothing listens on ' +
        'should be an error of its own connection only.',
      why: 'People reach databases and debuggers of a Pod from their own machine.',
      sources: ['Connect and proxy operations/portforward'],
    },
    {
      number: '14.5',
      title: 'Protocols',
      text:
        'The server should carry the streams over a WebSocket in the subprotocols `v4.channel.k8s.io` and ' +
        '`v5.channel.k8s.io`, as base64 text in those that begin with `base64.`, and over SPDY/3.1. The exit code ' +
        "of a command should be sent as a `Status` on the error channel, a change of the terminal's size should " +
        'reach the command, and megabytes of any bytes should pass unchanged. A server may have only one of the ' +
        'transports.',
      why: '`kubectl`, browsers and client libraries use different transports for the same session.',
      sources: [],
    },
  ],
} as const satisfies Section;
