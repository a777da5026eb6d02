// Servers that break the protobuf chapter.
import { isProtobuf } from '../../support/decoders.js';
import { isObject, type Json, type JsonObject } from '../../support/json.js';
import { decodeObject, encodeObject } from '../../support/protobuf/envelope.js';
import { delimitedField } from '../../support/protobuf/wire.js';
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

const eventBytes = ({ type, object }: PassingEvent): Buffer =>
  Buffer.concat([delimitedField(1, type), delimitedField(2, delimitedField(1, encodeObject(object)))]);

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
  fails(batch, ['envelope', 'round-trip', 'subresource-bodies', 'unknown-field'], 'takes no body in protobuf', {
    request: (passing) => (sendsProtobuf(passing) ? failure(415, 'UnsupportedMediaType') : passing),
  }),
  fails(
    batch,
    [
      'deep-nesting',
      'envelope',
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
    ['watch', 'watch-events', 'watch-framing', 'watch-stream'],
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
  fails(`${batch}/watch`, ['watch-events'], 'streams other objects in protobuf than in JSON', {
    watch: framing(({ type, object }) => {
      const bytes = eventBytes({ type, object: { ...object, metadata: { ...metadata(object), labels: {} } } });
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return Buffer.concat([length, bytes]);
    }),
  }),
];
