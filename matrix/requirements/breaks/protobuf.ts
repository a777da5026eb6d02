// The consequences for clients if a requirement of the chapter protobuf is violated.
import type { Breaks } from './types.js';

export const protobuf = [
  [['discovery'], 'A client that uses protobuf everywhere does not start.'],
  [
    ['watch', 'watch-stream', 'watch-framing', 'watch-events', 'watch-schema'],
    'Controllers that use protobuf get no events, or wrong ones.',
  ],
  [['envelope', 'field-numbers', 'unknown-field'], 'A client decodes a value into the wrong field, without any error.'],
  [
    ['same-object', 'same-list', 'round-trip'],
    'A component that uses protobuf works with other data than a person sees in YAML.',
  ],
  [['subresource-bodies'], 'A client that uses protobuf cannot scale, roll back or delete with options.'],
  [['patch-refused'], 'A patch is decoded as something else and damages the object.'],
  [['errors'], 'A client that uses protobuf cannot read the error and shows "unknown error".'],
  [['best-type'], 'A client gets the slower format although both sides know the faster one.'],
  [['without-definition'], 'A client gets JSON where it expects bytes, and fails on the first one.'],
  [
    ['truncated', 'without-magic', 'wrong-kind', 'wrong-wire-type'],
    'A damaged request is stored as an object that no client wrote.',
  ],
  [['huge-length', 'deep-nesting'], 'One request stops the server for everybody.'],
] as const satisfies Breaks;
