// Protobuf: the binary media type, in requests and responses. The chapter responses checks it for every operation.
import type { Chapter } from '../types.js';

const source = ['Conventions/4 group paths'] as const;

export const protobuf = {
  discovery: {
    level: 'stated',
    source: ['Conventions/3', 'Conventions/5'],
    text: 'Discovery of a group path returns protobuf to a client that asks for it.',
    words:
      'Discovery operations accept application/json, application/yaml (and the vendor protobuf type in the group paths)',
    subjects: 'protobufDiscoveries',
  },
  watch: {
    level: 'stated',
    source: ['Conventions/4 group watch paths'],
    text: 'A watch in a group path returns protobuf to a client that asks for it.',
    words:
      'Watch paths in the group paths: application/json, application/json;stream=watch, application/vnd.<vendor>.protobuf, application/vnd.<vendor>.protobuf;stream=watch',
    subjects: 'protobufWatches',
  },
  'watch-stream': {
    level: 'stated',
    source: ['Conventions/4 group watch paths', 'Events/3'],
    text: 'A watch in a group path returns a stream to a client that asks for protobuf with stream=watch.',
    words:
      'Watch paths in the group paths: application/json, application/json;stream=watch, application/vnd.<vendor>.protobuf, application/vnd.<vendor>.protobuf;stream=watch',
    subjects: 'protobufWatches',
  },
  // Form
  envelope: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'A body is the four bytes k8s and zero, then an Unknown with apiVersion, kind and the object.',
    subjects: 'protobufCalls',
  },
  'watch-framing': {
    level: 'convention',
    source: ['Events/5'],
    text: 'Each event of a stream is a length of four bytes, high byte first, followed by a WatchEvent.',
    subjects: 'protobufWatches',
  },
  'watch-events': {
    level: 'convention',
    source: ['Events/5'],
    text: 'The events of a protobuf stream are the events of a JSON stream.',
    subjects: 'protobufWatches',
  },
  'watch-schema': {
    level: 'convention',
    source: ['Events/5', 'Other rules/3'],
    text: 'The object of each event of a protobuf stream is valid by the JSON Schema of its kind.',
    subjects: 'protobufWatches',
  },
  'same-object': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'An object that is read as protobuf equals the object that is read as JSON, with quantities, times and numbers.',
    subjects: 'protobufReads',
  },
  'same-list': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A list that is read as protobuf equals the list that is read as JSON.',
    subjects: 'protobufLists',
  },
  'round-trip': {
    level: 'convention',
    source: ['Conventions/3', 'Conventions/6'],
    text: 'An object that is written as protobuf and read as JSON equals the object that was sent.',
    subjects: 'protobufWrites',
  },
  'field-numbers': {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'Every field has the number of the published definitions, in responses and in requests.',
    subjects: 'protobufNumbers',
  },
  'unknown-field': {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'A field with an unknown number is ignored.',
    subjects: 'unknownNumbers',
  },
  'subresource-bodies': {
    level: 'convention',
    source: ['Kinds by path prefix/subresource bodies', 'Conventions/3'],
    text: 'Scale, DeploymentRollback and DeleteOptions are accepted as protobuf.',
    subjects: 'protobufOptions',
  },
  'patch-refused': {
    level: 'convention',
    source: ['Conventions/3', 'Errors/1'],
    text: 'A patch in protobuf is refused with 415, since patches have their own types.',
    subjects: 'protobufPatches',
  },
  errors: {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A Status is returned in the type that the client asked for.',
    subjects: 'absentInProtobuf',
  },
  'best-type': {
    level: 'convention',
    source,
    text: "Of several accepted types, the client's preferred one is used.",
    subjects: 'acceptedTypes',
  },
  'without-definition': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A response without a protobuf form, such as a Table, is refused with 406 for a client that accepts no other type, and never sent as JSON.',
    subjects: 'undefinedForms',
  },
  // Hostile bytes
  truncated: {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A truncated body is refused, and nothing is written.',
    subjects: 'hostileProtobuf',
  },
  'without-magic': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A body without the first four bytes is refused, and nothing is written.',
    subjects: 'hostileProtobuf',
  },
  'wrong-kind': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A body with another kind than that of the path is refused, and nothing is written.',
    subjects: 'hostileProtobuf',
  },
  'wrong-wire-type': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A body with a field of a wrong wire type is refused, and nothing is written.',
    subjects: 'hostileProtobuf',
  },
  'huge-length': {
    level: 'convention',
    source: ['Errors/1', 'Limits/4'],
    text: 'A body with a length beyond its end is refused in bounded memory, and the server continues to work.',
    subjects: 'hostileProtobuf',
  },
  'deep-nesting': {
    level: 'convention',
    source: ['Errors/1', 'Limits/4'],
    text: 'A body that is nested without end is refused, and the server continues to work.',
    subjects: 'hostileProtobuf',
  },
} as const satisfies Chapter;
