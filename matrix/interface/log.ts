// Section 13 of the interface: pod logs.
import type { Section } from './types.js';

export const log = {
  number: 13,
  title: 'Pod logs',
  introduction:
    'The log of a Pod is what a container wrote to its standard output and standard error. The server fetches it ' +
    'from the node of the Pod.',
  rules: [
    {
      number: '13.1',
      title: 'Read a log',
      text:
        '`GET /api/v1/namespaces/{namespace}/pods/{name}/log` must return status 200 and the bytes that the ' +
        'container wrote. The type should be `text/plain`, whatever the client accepts. Other methods should be ' +
        'refused. The log of a Pod without a node should be empty, and not an error; where it is a success, the ' +
        'status must be 200. The log of an absent Pod should be refused with 404, and a node that cannot be reached ' +
        'should give an error in bounded time.',
      why: 'The log is the first thing that people read when a Pod fails.',
      sources: ['Pod log/response'],
    },
    {
      number: '13.2',
      title: 'pretty for a log',
      text: '`pretty` is a string that must be accepted. A log is text, so the parameter should change nothing.',
      why: 'A client library adds the parameter to every request.',
      sources: ['Pod log/pretty'],
    },
    {
      number: '13.3',
      title: 'container',
      text:
        '`container` is a string that names a container of the Pod, and the log must be the log of that container. ' +
        'Without it, the log must be that of the only container. Without it, a Pod with several containers should ' +
        'be refused with 400 and the names of the containers; an unknown container should be refused with 400.',
      why: 'A Pod often has a second container, and its log is not the one that is wanted.',
      sources: ['Pod log/container'],
    },
    {
      number: '13.4',
      title: 'previous',
      text:
        '`previous` is a boolean, false by default. With `previous=true` the log must be that of the terminated ' +
        'instance before the current one. A container that was never restarted should give an error.',
      why: 'A container that crashes in a loop tells the reason in its previous log.',
      sources: ['Pod log/previous'],
    },
    {
      number: '13.5',
      title: 'follow',
      text:
        '`follow` is a boolean, false by default. With `follow=true` new lines must be sent as they are written. ' +
        'Without it the response must end with the lines that exist. A followed log should end with its container, ' +
        'and the server should close its connection to the node when the client leaves.',
      why: 'People watch a deployment by following its log.',
      sources: ['Pod log/follow'],
    },
    {
      number: '13.6',
      title: 'sinceSeconds',
      text:
        '`sinceSeconds` is an integer of 32 bits, a number of seconds before now. The log must start there; with a ' +
        'time before the start of the Pod it must start with the Pod, and with a time in the future it must be ' +
        'empty. The parameter cannot be combined with `sinceTime`. A value that is not positive should be refused ' +
        'with 422.',
      why: 'A log of a week is too long to read for the last minute.',
      sources: ['Pod log/sinceSeconds'],
    },
    {
      number: '13.7',
      title: 'sinceTime',
      text:
        '`sinceTime` is a time in RFC 3339 and means a start time, with the same limits as `sinceSeconds`. A ' +
        'request with both must be refused with a client error, and a value that is not RFC 3339 should be an ' +
        'error.',
      why: 'A log collector continues at the time of the last line that it has.',
      sources: ['Pod log/sinceTime'],
    },
    {
      number: '13.8',
      title: 'timestamps',
      text:
        '`timestamps` is a boolean, false by default. With `timestamps=true` each line must begin with its time in ' +
        'RFC 3339, with or without nanoseconds. Without it lines must be as they were written.',
      why: 'Lines of several Pods can only be merged by their times.',
      sources: ['Pod log/timestamps'],
    },
    {
      number: '13.9',
      title: 'tailLines',
      text:
        '`tailLines` is an integer of 32 bits: that many lines from the end. Without it the log must begin with the ' +
        'container, or at `sinceSeconds` or `sinceTime`; with 0 it must be empty. A number beyond the length must ' +
        'give the whole log, and a negative one should be refused with 422.',
      why: 'The last ten lines mostly say enough.',
      sources: ['Pod log/tailLines'],
    },
    {
      number: '13.10',
      title: 'limitBytes',
      text:
        '`limitBytes` is an integer of 32 bits: the log must end at about that many bytes, in the middle of a line ' +
        'if necessary. A value that is not positive should be refused with 422.',
      why: 'A client bounds the memory that a log can take.',
      sources: ['Pod log/limitBytes'],
    },
    {
      number: '13.11',
      title: 'Requests to the node',
      text:
        'The server should pass each parameter of the query to the node with its value, and should never pass the ' +
        'credentials of the client.',
      why: 'A node must not be able to act in the name of a user.',
      sources: [],
    },
  ],
} as const satisfies Section;
