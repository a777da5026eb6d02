// Servers that break the protobuf chapter.
import { isProtobuf } from '../../support/decoders.js';
import { isObject, type Json, type JsonObject, merge } from '../../support/json.js';
import { decodeObject, encodeObject, envelopeOf, openEnvelope } from '../../support/protobuf/envelope.js';
import { delimitedField, readFields, varintField, wireTypes } from '../../support/protobuf/wire.js';
import {
  type ChangeEvent,
  type Fault,
  failure,
  line,
  metadata,
  type Passing,
  type PassingEvent,
  reply,
} from './parts.js';

const batch = '/apis/batch/v1';

/** Breaks these requirements and no other of the chapter. */
const fails = (grep: string, requirements: readonly string[], name: string, broken: Partial<Fault>): Fault => ({
  name,
  grep,
  chapters: ['protobuf'],
  fails: requirements.map((requirement) => `protobuf.${requirement}`),
  ...broken,
});

const sendsProtobuf = ({ headers }: Passing): boolean => isProtobuf(headers['content-type']);
const acceptsProtobuf = ({ headers }: Passing): boolean => headers.accept?.includes('protobuf') === true;

/** Changes an object that is written as protobuf, a character a byte. */
const rewritten = (body: string, change: (object: JsonObject) => JsonObject): string =>
  Buffer.from(encodeObject(change(decodeObject(Buffer.from(body, 'latin1'))))).toString('latin1');

/** Changes the object of every successful answer in protobuf. */
const showing =
  (change: (object: JsonObject) => JsonObject): NonNullable<Fault['reply']> =>
  (returning) =>
    returning.status < 300 && isProtobuf(returning.headers['content-type'])
      ? { ...returning, body: rewritten(returning.body, change) }
      : returning;

/** The object, and all in it, without the numbers that are zero. */
function withoutZeros(object: JsonObject): JsonObject {
  const members = Object.entries(object).filter(([, value]) => value !== 0);
  return Object.fromEntries(members.map(([key, value]) => [key, value === undefined ? value : cleaned(value)]));
}
const cleaned = (value: Json): Json =>
  Array.isArray(value) ? value.map(cleaned) : isObject(value) ? withoutZeros(value) : value;

/** Changes the frames of a watch in protobuf. */
const framing =
  (frame: (event: PassingEvent) => Buffer): NonNullable<Fault['watch']> =>
  (passing): ChangeEvent =>
  (event) => [!acceptsProtobuf(passing) || event === undefined ? line(event) : frame(event).toString('latin1')];

type Swap = readonly [one: number, other: number];

/** A message with two numbers swapped in the messages at a path of numbers. */
function swapped(message: Uint8Array, [first, ...rest]: readonly number[], [one, other]: Swap): Uint8Array {
  const fields = readFields(message).map(({ number, wireType, value, bytes }) => {
    if (first !== undefined)
      return written(number, wireType, value, number === first ? swapped(bytes, rest, [one, other]) : bytes);
    return written(number === one ? other : number === other ? one : number, wireType, value, bytes);
  });
  return Buffer.concat(fields);
}
function written(number: number, wireType: number, value: bigint, bytes: Uint8Array): Uint8Array {
  if (wireType === wireTypes.varint) return varintField(number, value);
  if (wireType === wireTypes.delimited) return delimitedField(number, bytes);
  throw new Error(`no message has a field of the wire type ${wireType}`);
}

/** Writes and reads the objects of a kind with two numbers swapped, as a server does whose table is wrong. */
function swapping(kind: string, path: readonly number[], swap: Swap): Pick<Fault, 'request' | 'reply'> {
  const change = (body: string): string => {
    try {
      const envelope = openEnvelope(Buffer.from(body, 'latin1'));
      if (envelope.kind !== kind) return body;
      return Buffer.from(envelopeOf({ ...envelope, raw: swapped(envelope.raw, path, swap) })).toString('latin1');
    } catch {
      // Bytes that are none on purpose.
      return body;
    }
  };
  return {
    request: (passing) => (sendsProtobuf(passing) ? { ...passing, body: change(passing.body) } : passing),
    reply: (returning) =>
      isProtobuf(returning.headers['content-type']) ? { ...returning, body: change(returning.body) } : returning,
  };
}

const eventBytes = ({ type, object }: PassingEvent): Buffer =>
  Buffer.concat([delimitedField(1, type), delimitedField(2, delimitedField(1, encodeObject(object)))]);

/** An event with its length before it. */
function framed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export const protobufFaults: readonly Fault[] = [
  fails(
    batch,
    ['best-type', 'discovery', 'envelope', 'errors', 'watch', 'watch-framing', 'watch-stream', 'without-definition'],
    'answers JSON to whoever asks for protobuf',
    {
      request: (passing) =>
        acceptsProtobuf(passing)
          ? { ...passing, headers: { ...passing.headers, accept: 'application/json' } }
          : passing,
    },
  ),
  fails(
    batch,
    ['envelope', 'field-numbers', 'round-trip', 'subresource-bodies', 'unknown-field'],
    'takes no body in protobuf',
    {
      request: (passing) => (sendsProtobuf(passing) ? failure(415, 'UnsupportedMediaType') : passing),
    },
  ),
  fails(
    batch,
    [
      'deep-nesting',
      'envelope',
      'field-numbers',
      'huge-length',
      'patch-refused',
      'round-trip',
      'subresource-bodies',
      'truncated',
      'unknown-field',
      'without-magic',
      'wrong-kind',
      'wrong-wire-type',
    ],
    'says that it took whatever is called protobuf',
    { request: (passing) => (sendsProtobuf(passing) ? reply(200, {}) : passing) },
  ),
  fails(
    'batch/v1/namespaces/{namespace}/jobs',
    ['field-numbers', 'round-trip', 'same-object', 'unknown-field'],
    'has the numbers of labels and annotations swapped',
    swapping('Job', [1], [11, 12]),
  ),
  fails(
    'protobuf.field-numbers › POST /apis/batch',
    ['field-numbers'],
    'has two numbers of a volume swapped',
    // spec, template, spec, volumes, the source, cephfs: path and user
    swapping('Job', [2, 6, 2, 1, 2, 14], [2, 3]),
  ),
  fails('protobuf.same-', ['same-list', 'same-object'], 'leaves the numbers out that are zero in protobuf', {
    reply: showing(withoutZeros),
  }),
  fails('protobuf.round-trip', ['round-trip'], 'loses the annotations of a body in protobuf', {
    request: (passing) =>
      sendsProtobuf(passing)
        ? {
            ...passing,
            body: rewritten(passing.body, (object) => ({
              ...object,
              metadata: { ...metadata(object), annotations: {} },
            })),
          }
        : passing,
  }),
  fails(
    `${batch}/watch`,
    ['watch', 'watch-events', 'watch-framing', 'watch-schema', 'watch-stream'],
    'writes the length of a frame with its low byte first',
    {
      watch: framing((event) => {
        const bytes = eventBytes(event);
        const length = Buffer.alloc(4);
        length.writeUInt32LE(bytes.length);
        return Buffer.concat([length, bytes]);
      }),
    },
  ),
  fails(`${batch}/watch`, ['watch-events', 'watch-schema'], 'streams a policy of restarts that there is not', {
    watch: framing(({ type, object }) =>
      framed(eventBytes({ type, object: merge(object, { spec: { template: { spec: { restartPolicy: 'Now' } } } }) })),
    ),
  }),
  fails(`${batch}/watch`, ['watch-events'], 'streams other objects in protobuf than in JSON', {
    watch: framing(({ type, object }) =>
      framed(eventBytes({ type, object: { ...object, metadata: { ...metadata(object), labels: {} } } })),
    ),
  }),
];
