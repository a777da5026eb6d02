// The envelope of an object: the magic number and runtime.Unknown with the kind; WatchEvent and its frame.
import { badRequest } from '../../errors.js';
import { requireWire, skipField } from './scalars.js';
import { delimited, enter, leave, readerOf, slice, tagOf, text } from './wire.js';

const magic = Buffer.from('k8s\0');
/** The encoding and the content type of an envelope, both empty, which is the default. */
const tail = Buffer.of(tagOf(3, delimited), 0, tagOf(4, delimited), 0);

/** The kind and the content of an envelope. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The message of the object. */
  readonly content: Uint8Array;
}

/** The tag of the object in an envelope, and of the items in a list. */
export const contentTag = tagOf(2, delimited);

const heads = new Map<string, Uint8Array>();

/** The bytes before the object's field, cached by kind: there are few kinds. */
function headOf(apiVersion: string, kind: string): Uint8Array {
  const key = `${apiVersion} ${kind}`;
  let head = heads.get(key);
  if (head === undefined) {
    head = makeHead(apiVersion, kind);
    heads.set(key, head);
  }
  return head;
}

function makeHead(apiVersion: string, kind: string): Uint8Array {
  const version = Buffer.from(apiVersion);
  const name = Buffer.from(kind);
  const typeMeta = Buffer.concat([field(1, version.length), version, field(2, name.length), name]);
  return Buffer.concat([magic, field(1, typeMeta.length), typeMeta]);
}

/** Returns an object in its envelope, as parts. `content` includes the tag and length of its field. */
export function wrap(apiVersion: string, kind: string, content: readonly Uint8Array[]): Uint8Array[] {
  return [headOf(apiVersion, kind), ...content, tail];
}

/** Returns the tag and length of a delimited field. */
export function field(number: number, length: number): Uint8Array {
  const bytes = [tagOf(number, delimited)];
  let rest = length;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** Parses an envelope. Throws 400 if the bytes are not an envelope, and the errors of the library. */
export function unwrap(bytes: Uint8Array): Envelope {
  if (!magic.equals(bytes.subarray(0, magic.length))) {
    throw badRequest(`provided data does not appear to be a protobuf message, expected prefix [${magic.join(' ')}]`);
  }
  const reader = readerOf(bytes.subarray(magic.length));
  let [apiVersion, kind] = ['', ''];
  let content: Uint8Array = new Uint8Array();
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    const number = tag >>> 3;
    if (number === 1) {
      requireWire(tag, delimited);
      const outer = enter(reader);
      while (reader.pos < reader.len) {
        const inner = reader.tag();
        if (inner === tagOf(1, delimited)) apiVersion = text(reader);
        else if (inner === tagOf(2, delimited)) kind = text(reader);
        else skipField(reader, inner);
      }
      leave(reader, outer);
    } else if (number === 2) {
      requireWire(tag, delimited);
      content = slice(reader);
    } else skipField(reader, tag);
  }
  return { apiVersion, kind, content };
}

/** The length of the length prefix of stream events, in bytes. */
export const lengthBytes = 4;

/** Returns a WatchEvent around an object in its envelope, with its length prefix (Events, 3). */
export function watchFrame(type: string, object: Uint8Array): Uint8Array {
  const name = Buffer.from(type);
  const raw = field(1, object.length);
  const event = [field(1, name.length), name, field(2, raw.length + object.length), raw, object];
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(event.reduce((sum, part) => sum + part.length, 0));
  return Buffer.concat([length, ...event]);
}
