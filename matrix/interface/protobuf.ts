// Section 16 of the interface: protocol buffers.
import type { Section } from './types.js';

export const protobuf = {
  number: 16,
  title: 'Protocol buffers',
  introduction:
    'The group paths have a binary format beside JSON and YAML. Its media type is ' +
    '`application/vnd.kubernetes.protobuf`. Where rule 4.2 or 12.8 names the type, the server must respond in it; ' +
    'the form of the bytes is recommended.',
  rules: [
    {
      number: '16.1',
      title: 'Envelope',
      text:
        'A body should be the four bytes `6b 38 73 00` (`k8s` and a zero) followed by the message `runtime.Unknown` ' +
        'with `apiVersion`, `kind` and the object. The fields should have the numbers of the published Kubernetes ' +
        'definitions, and a field with an unknown number should be skipped.',
      why: 'Both sides decode by number only; one wrong number puts a value into another field.',
      sources: [],
      details: ['[Fields of the objects](interface-fields.md) has the numbers.'],
    },
    {
      number: '16.2',
      title: 'The same object in every format',
      text:
        'An object and a list should be the same in protobuf as in JSON, in both directions, including quantities, ' +
        'times and numbers. `Scale`, `DeploymentRollback` and `DeleteOptions` should be accepted too.',
      why: 'A component that uses protobuf works beside people who use YAML.',
      sources: [],
    },
    {
      number: '16.3',
      title: 'Watch in protobuf',
      text:
        'A watch must respond in `application/vnd.kubernetes.protobuf` and in ' +
        '`application/vnd.kubernetes.protobuf;stream=watch` when the client asks for it. Each event should be a ' +
        'length of four bytes, high byte first, and then a `WatchEvent`, and the events should be those of the JSON ' +
        'stream.',
      why: 'Components with many watches save most of their time by this format.',
      sources: [],
    },
    {
      number: '16.4',
      title: 'Errors and negotiation in protobuf',
      text:
        "A `Status` should have the type that the client asked for, the client's preferred type should win, and a " +
        'response without a protobuf form should be refused with 406. A patch in protobuf should be refused with ' +
        '415.',
      why: 'A client that accepts only protobuf cannot read an error in JSON.',
      sources: [],
    },
    {
      number: '16.5',
      title: 'Damaged bodies',
      text:
        'A body that is cut off, lacks its first four bytes, has a wrong kind or a wrong wire type, claims a huge ' +
        'length or is nested without end should be refused. Nothing should be written, and the server should ' +
        'continue to work.',
      why: 'One damaged request must not stop the server for everybody.',
      sources: [],
    },
  ],
} as const satisfies Section;
