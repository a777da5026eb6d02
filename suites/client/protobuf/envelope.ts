// The envelope of protobuf: four bytes, then an Unknown that names the type of its object.
import { typeOf, typeOfKind } from '../../../matrix/api/types/index.js';
import { type Json, type JsonObject, utf8Of } from '../json.js';
import { decodeMessage, encodeMessage } from './messages.js';
import { delimitedField, readFields } from './wire.js';

/** The prefix of every object: `k8s` and zero. */
export const protobufMagic: Uint8Array = Buffer.from('k8s\0');

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** Opens an envelope. Throws if the bytes are not an envelope. */
export function openEnvelope(bytes: Uint8Array): Envelope {
  if (!Buffer.from(bytes.subarray(0, protobufMagic.length)).equals(protobufMagic)) {
    throw new Error('the first four bytes are not k8s and zero');
  }
  const unknown = lastOf(bytes.subarray(protobufMagic.length));
  const typeMeta = lastOf(unknown.get(1) ?? Buffer.alloc(0));
  const text = (number: number): string => utf8Of(typeMeta.get(number) ?? Buffer.alloc(0));
  return { apiVersion: text(1), kind: text(2), raw: unknown.get(2) ?? Buffer.alloc(0) };
}

/** Puts the bytes of an object into an envelope. */
export function envelopeOf({ apiVersion, kind, raw }: Envelope): Uint8Array {
  const typeMeta = Buffer.concat([delimitedField(1, apiVersion), delimitedField(2, kind)]);
  return Buffer.concat([protobufMagic, delimitedField(1, typeMeta), delimitedField(2, raw)]);
}

/**
 * Decodes an object in its envelope to its JSON form. Throws if the bytes are malformed or the kind has no type. A kind
 * without apiVersion is of version v1: some servers return discovery without a version.
 */
export function decodeObject(bytes: Uint8Array): JsonObject {
  const { apiVersion, kind, raw } = openEnvelope(bytes);
  const type = typeOfKind(apiVersion || 'v1', kind);
  if (type === undefined) throw new Error(`no message for ${kind || 'no kind'} in ${apiVersion || 'no version'}`);
  return { ...(apiVersion === '' ? {} : { apiVersion }), kind, ...decodeMessage(type, raw) };
}

/** Encodes an object of a known kind in its envelope. */
export function encodeObject(object: JsonObject): Uint8Array {
  const [apiVersion, kind] = [String(object.apiVersion), String(object.kind)];
  const type = typeOfKind(apiVersion, kind);
  if (type === undefined) throw new Error(`no message for ${kind} in ${apiVersion}`);
  return envelopeOf({ apiVersion, kind, raw: encodeMessage(type, object) });
}

/** Decodes an event of a watch: a WatchEvent without an envelope that contains an object with one. */
export function decodeEvent(bytes: Uint8Array): JsonObject {
  const event = lastOf(bytes);
  const object: Json = decodeObject(lastOf(event.get(2) ?? Buffer.alloc(0)).get(1) ?? Buffer.alloc(0));
  const { type = '' } = decodeMessage(typeOf('WatchEvent'), delimitedField(1, event.get(1) ?? ''));
  return { type, object };
}

/** Returns an object of version `from` as an object of version `to`; other bytes are returned unchanged. */
export function renameObject(bytes: Uint8Array, from: string, to: string): Uint8Array {
  try {
    const envelope = openEnvelope(bytes);
    return envelope.apiVersion === from ? envelopeOf({ ...envelope, apiVersion: to }) : bytes;
  } catch {
    return bytes;
  }
}

/** Returns a watch event of version `from` as an event of version `to`; other bytes are returned unchanged. */
export function renameEvent(bytes: Uint8Array, from: string, to: string): Uint8Array {
  try {
    const event = lastOf(bytes);
    const object = lastOf(event.get(2) ?? Buffer.alloc(0)).get(1) ?? Buffer.alloc(0);
    const renamed = delimitedField(1, renameObject(object, from, to));
    return Buffer.concat([delimitedField(1, event.get(1) ?? ''), delimitedField(2, renamed)]);
  } catch {
    return bytes;
  }
}

/** Returns the bytes of the delimited fields, by number. The last field of a number counts. */
function lastOf(message: Uint8Array): Map<number, Uint8Array> {
  return new Map(readFields(message).map(({ number, bytes }) => [number, bytes]));
}
