// Edits of protobuf: bodies, field numbers, and the frames of a watch.
import { isProtobuf } from '../../../client/decoders.js';
import { isObject, type Json, type JsonObject } from '../../../client/json.js';
import { decodeObject, encodeObject, envelopeOf, openEnvelope } from '../../../client/protobuf/envelope.js';
import { delimitedField, readFields, varintField, wireTypes } from '../../../client/protobuf/wire.js';
import type { Broken, WireEvent } from './fault.js';
import type { Edit } from './objects.js';
import { anyStatus, bodies, isError, shownText } from './replies.js';
import { every, type Requests, sentText } from './requests.js';
import { line } from './watches.js';

/** Requests with a body in protobuf. */
export const sendsProtobuf: Requests = ({ headers }) => isProtobuf(headers['content-type']);
/** Requests for a reply in protobuf. */
export const wantsProtobuf = ({ headers }: { readonly headers: Readonly<Record<string, string>> }): boolean =>
  headers.accept?.includes('protobuf') === true;
const protobuf = /^application\/vnd\.kubernetes\.protobuf/;

const edited = (body: string, edit: Edit): string =>
  Buffer.from(encodeObject(edit(decodeObject(Buffer.from(body, 'latin1'))))).toString('latin1');

/** Edits request bodies in protobuf. */
export const sentProtobuf = (edit: Edit): Broken => sentText(sendsProtobuf, (body) => edited(body, edit));
/** Edits the bodies of successful replies in protobuf. */
export const shownProtobuf = (edit: Edit): Broken => shownText(every, (body) => edited(body, edit), protobuf);

/** Edits the Status of error replies in protobuf. */
export const errorsInProtobuf = (edit: Edit): Broken => bodies(every, isError, (body) => edited(body, edit), protobuf);

/** Drops zeros at any depth. */
export const withoutZeros: Edit = (object) => {
  const members = Object.entries(object).filter(([, value]) => value !== 0);
  return Object.fromEntries(members.map(([key, value]) => [key, value && cleaned(value)]));
};
const cleaned = (value: Json): Json =>
  Array.isArray(value) ? value.map(cleaned) : isObject(value) ? withoutZeros(value) : value;

type Swap = readonly [one: number, other: number];

/** Returns a message with two field numbers swapped, in the messages at a path of field numbers. */
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

/** Writes and reads the objects of a kind with two field numbers swapped, like a server with a wrong table. */
export function swapNumbers(kind: string, path: readonly number[], swap: Swap): Broken {
  const change = (body: string): string => {
    try {
      const envelope = openEnvelope(Buffer.from(body, 'latin1'));
      if (envelope.kind !== kind) return body;
      return Buffer.from(envelopeOf({ ...envelope, raw: swapped(envelope.raw, path, swap) })).toString('latin1');
    } catch {
      // The body is invalid protobuf on purpose.
      return body;
    }
  };
  return { ...sentText(sendsProtobuf, change), ...bodies(every, anyStatus, change, protobuf) };
}

const withLength = (bytes: Buffer, littleEndian: boolean): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([littleEndian ? length.reverse() : length, bytes]);
};
const eventBytes = ({ type, object }: WireEvent): Buffer =>
  Buffer.concat([delimitedField(1, type), delimitedField(2, delimitedField(1, encodeObject(object)))]);

/** Edits the objects of events in protobuf; with `littleEndian`, the length of a frame begins with its low byte. */
export const toldProtobuf = (edit: Edit, { littleEndian = false } = {}): Broken => ({
  watch: (request) => (event) => {
    if (!wantsProtobuf(request) || event === undefined) return [line(event)];
    const changed = { type: event.type, object: edit(event.object) as JsonObject };
    return [withLength(eventBytes(changed), littleEndian).toString('latin1')];
  },
});
