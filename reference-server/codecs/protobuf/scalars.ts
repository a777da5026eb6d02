// The scalar types of the field table in protobuf, one row each.

import type { Scalar } from '../../../matrix/api/modern/index.js';
import { exactInteger, jsonText, parseJson } from '../../exactJson.js';
import {
  badProtobuf,
  delimited,
  eightBytes,
  enter,
  leave,
  type Reader,
  skip,
  slice,
  tagOf,
  text,
  varint,
  type Writer,
  writeText,
} from './wire.js';

/** The encoding of the values of a type, without their tag. */
export interface WireFormat {
  readonly wire: number;
  write(value: unknown, writer: Writer): void;
  /** Returns undefined for a value that equals an absent field. */
  read(reader: Reader): unknown;
}

function writeInt64(value: unknown, writer: Writer): void {
  writer.int64(typeof value === 'bigint' ? String(value) : (value as number));
}

/** Returns an int64: a number, or a bigint if a number cannot hold it. */
function readInt64(reader: Reader): number | bigint {
  const long = reader.int64() as unknown as { toNumber(): number };
  const nearest = long.toNumber();
  return Number.isSafeInteger(nearest) ? nearest : exactInteger(String(long));
}

/** Returns an int64 as the nearest number. */
const readNumber = (reader: Reader): number => Number(readInt64(reader));

const string: WireFormat = {
  wire: delimited,
  write: (value, writer) => writeText(value as string, writer),
  read: text,
};
const integer32: WireFormat = {
  wire: varint,
  write: (value, writer) => writer.int32(value as number),
  read: (reader) => reader.int32(),
};

export const protobufScalars: Readonly<Record<Scalar, WireFormat>> = {
  string,
  boolean: {
    wire: varint,
    write: (value, writer) => writer.bool(value as boolean),
    read: (reader) => reader.bool(),
  },
  int32: integer32,
  int64: { wire: varint, write: writeInt64, read: readInt64 },
  number: {
    wire: eightBytes,
    write: (value, writer) => writer.double(value as number),
    read: (reader) => {
      const value = reader.double();
      if (!Number.isFinite(value)) throw badProtobuf(`${value} is not a number in JSON`);
      return value;
    },
  },
  bytes: {
    wire: delimited,
    write: (value, writer) => writer.bytes(Buffer.from(value as string, 'base64')),
    read: (reader) => base64(slice(reader)),
  },
  quantity: {
    wire: delimited,
    write: (value, writer) => {
      writer.fork().uint32(tagOf(1, delimited)).string(String(value)).ldelim();
    },
    read: (reader) => {
      let quantity = '0';
      for (const number of fields(reader, delimited)) if (number === 1) quantity = text(reader);
      return quantity;
    },
  },
  intOrString: {
    wire: delimited,
    write: (value, writer) => {
      const isString = typeof value === 'string';
      writer
        .fork()
        .uint32(tagOf(1, varint))
        .int64(isString ? 1 : 0);
      writer.uint32(tagOf(2, varint)).int32(isString ? 0 : (value as number));
      writer
        .uint32(tagOf(3, delimited))
        .string(isString ? value : '')
        .ldelim();
    },
    read: (reader) => {
      let [type, number, name] = [0, 0, ''];
      for (const field of fields(reader, varint, varint, delimited)) {
        if (field === 1) type = readNumber(reader);
        else if (field === 2) number = reader.int32();
        else name = text(reader);
      }
      if (type !== 0 && type !== 1) throw badProtobuf(`an int or string of type ${type}`);
      return type === 1 ? name : number;
    },
  },
  time: {
    wire: delimited,
    write: (value, writer) => {
      writer
        .fork()
        .uint32(tagOf(1, varint))
        .int64(Math.floor(Date.parse(value as string) / 1000));
      writer.uint32(tagOf(2, varint)).int32(0).ldelim();
    },
    read: (reader) => readTime(reader)?.seconds,
  },
  microTime: {
    wire: delimited,
    write: (value, writer) => {
      const [, fraction = ''] = /\.(\d+)/.exec(value as string) ?? [];
      writer
        .fork()
        .uint32(tagOf(1, varint))
        .int64(Math.floor(Date.parse(value as string) / 1000));
      writer
        .uint32(tagOf(2, varint))
        .int32(Number(fraction.padEnd(9, '0').slice(0, 9)))
        .ldelim();
    },
    read: (reader) => {
      const time = readTime(reader);
      return time && `${time.seconds.slice(0, 19)}.${String(Math.floor(time.nanos / 1000)).padStart(6, '0')}Z`;
    },
  },
  raw: {
    wire: delimited,
    write: (value, writer) => {
      writer
        .fork()
        .uint32(tagOf(1, delimited))
        .bytes(Buffer.from(jsonText(value)))
        .ldelim();
    },
    read: (reader) => {
      let json: Uint8Array | undefined;
      for (const number of fields(reader, delimited)) if (number === 1) json = slice(reader);
      return json === undefined ? undefined : parse(json);
    },
  },
};

const earliest = -62_167_219_200;
const latest = 253_402_300_799;

/** Reads a time in whole seconds, as JSON has it, and the rest. An empty message means no time; 1970 is a valid time. */
function readTime(reader: Reader): { readonly seconds: string; readonly nanos: number } | undefined {
  let seconds: number | undefined;
  let nanos = 0;
  for (const number of fields(reader, varint, varint)) {
    if (number === 1) seconds = readNumber(reader);
    else {
      nanos = reader.int32();
      seconds ??= 0;
    }
  }
  if (seconds === undefined) return undefined;
  if (seconds < earliest || seconds > latest) throw badProtobuf('a time outside of the years 0 to 9999');
  if (nanos < 0 || nanos > 999_999_999) nanos = 0;
  return { seconds: `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`, nanos };
}

/**
 * Yields the fields of a small message, whose numbers count from 1 in the order of `wires`; the caller reads each
 * value. Skips unknown fields.
 */
function* fields(reader: Reader, ...wires: readonly number[]): Generator<number> {
  const outer = enter(reader);
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    const expected = wires[(tag >>> 3) - 1];
    if (expected === undefined) {
      skipField(reader, tag);
      continue;
    }
    requireWire(tag, expected);
    yield tag >>> 3;
  }
  leave(reader, outer);
}

export function skipField(reader: Reader, tag: number): void {
  if (tag >>> 3 === 0) throw badProtobuf('illegal tag 0');
  skip(reader, tag & 7);
}

/** Throws 400 if a field has another wire type than its type. */
export function requireWire(tag: number, expected: number): void {
  if ((tag & 7) !== expected) throw badProtobuf(`wrong wireType ${tag & 7} for field ${tag >>> 3}`);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function parse(json: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(json).toString());
  } catch {
    throw badProtobuf('a raw extension that is not JSON');
  }
}
