// Protobuf: the binary media type, both ways. That every operation answers and takes it is judged with the other media
// types, in the chapter responses.
import type { Chapter } from '../types.js';

const source = ['Conventions/4 group paths'] as const;

export const protobuf = {
  discovery: {
    level: 'stated',
    source: ['Conventions/3', 'Conventions/5'],
    text: 'Discovery of a group path answers protobuf to a client that asks for it.',
    words:
      'Discovery operations accept application/json, application/yaml (and the vendor protobuf type in the group paths)',
    subjects: 'protobufDiscoveries',
  },
  watch: {
    level: 'stated',
    source: ['Conventions/4 group watch paths'],
    text: 'A watch in a group path answers protobuf to a client that asks for it.',
    words:
      'Watch paths in the group paths: application/json, application/json;stream=watch, application/vnd.<vendor>.protobuf, application/vnd.<vendor>.protobuf;stream=watch',
    subjects: 'protobufWatches',
  },
  'watch-stream': {
    level: 'stated',
    source: ['Conventions/4 group watch paths', 'Events/3'],
    text: 'A watch in a group path answers a client that asks for protobuf with stream=watch.',
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
    text: 'Each event of a stream is a length of four bytes, high byte first, then a WatchEvent.',
    subjects: 'protobufWatches',
  },
  'watch-events': {
    level: 'convention',
    source: ['Events/5'],
    text: 'The events of a protobuf stream are those of a JSON stream.',
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
    text: 'An object read as protobuf is the object read as JSON, with quantities, times and numbers alike.',
    subjects: 'protobufReads',
  },
  'same-list': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A list read as protobuf holds what the list read as JSON holds.',
    subjects: 'protobufLists',
  },
  'round-trip': {
    level: 'convention',
    source: ['Conventions/3', 'Conventions/6'],
    text: 'An object written as protobuf and read as JSON is the object that was sent.',
    subjects: 'protobufWrites',
  },
  'field-numbers': {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'Every field has the number that the published definitions give it, in what is answered and in what is taken.',
    subjects: 'protobufNumbers',
  },
  'unknown-field': {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'A field with an unknown number is skipped.',
    subjects: 'unknownNumbers',
  },
  'subresource-bodies': {
    level: 'convention',
    source: ['Kinds by path prefix/subresource bodies', 'Conventions/3'],
    text: 'Scale, DeploymentRollback and DeleteOptions are taken as protobuf.',
    subjects: 'protobufOptions',
  },
  'patch-refused': {
    level: 'convention',
    source: ['Conventions/3', 'Errors/1'],
    text: 'A patch in protobuf is 415, since patches have types of their own.',
    subjects: 'protobufPatches',
  },
  errors: {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A Status comes in the type that the client asked for.',
    subjects: 'absentInProtobuf',
  },
  'best-type': {
    level: 'convention',
    source,
    text: "Of several accepted types the client's best one wins.",
    subjects: 'acceptedTypes',
  },
  'without-definition': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'What has no protobuf form, such as a Table, is 406 to a client that accepts no other type, never JSON instead.',
    subjects: 'undefinedForms',
  },
  // Hostile bytes
  truncated: {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A body that ends too early is an error, and nothing is written.',
    subjects: 'hostileProtobuf',
  },
  'without-magic': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A body without the first four bytes is an error, and nothing is written.',
    subjects: 'hostileProtobuf',
  },
  'wrong-kind': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A body whose kind is not that of the path is an error, and nothing is written.',
    subjects: 'hostileProtobuf',
  },
  'wrong-wire-type': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A field of a wrong wire type is an error, and nothing is written.',
    subjects: 'hostileProtobuf',
  },
  'huge-length': {
    level: 'convention',
    source: ['Errors/1', 'Limits/4'],
    text: 'A length beyond the body is an error in bounded memory, and the server goes on.',
    subjects: 'hostileProtobuf',
  },
  'deep-nesting': {
    level: 'convention',
    source: ['Errors/1', 'Limits/4'],
    text: 'A body nested without end is an error, and the server goes on.',
    subjects: 'hostileProtobuf',
  },
} as const satisfies Chapter;
