// The wire format below messages: the library, which is loaded with the first message, and what its reader leaves open.
import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import type { Reader, Writer } from 'protobufjs';
import { badRequest } from '../../errors.js';

export type { Reader, Writer } from 'protobufjs';

export const varint = 0;
export const delimited = 2;

/** What stands before a field's value: its number and its wire type. */
export const tagOf = (number: number, wire: number): number => (number << 3) | wire;

type Library = Pick<typeof import('protobufjs'), 'Reader' | 'Writer'>;

let library: Library | undefined;

/** Loads without waiting: whoever encodes cannot. Clients of the other formats never pay for it. */
function loaded(): Library {
  library ??= createRequire(import.meta.url)('protobufjs/minimal') as Library;
  return library;
}

let shared: Writer | undefined;

/** The bytes of what is written, in memory of their own. */
export function write(fill: (writer: Writer) => void): Uint8Array {
  // One that is busy, or was left in the middle of a message, is not used again.
  const writer = shared ?? loaded().Writer.create();
  shared = undefined;
  writer.reset();
  fill(writer);
  const content = writer.finish(true);
  const bytes = Buffer.allocUnsafeSlow(content.length);
  bytes.set(content);
  if (content.length <= mostShared) shared = writer;
  return bytes;
}

/** The largest message, in bytes, whose writer is kept with its memory. */
const mostShared = 1024 * 1024;

/** Reads bytes to their end. Throws 400 for bytes that are no message. */
export function read<Result>(bytes: Uint8Array, from: (reader: Reader) => Result): Result {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return from(loaded().Reader.create(buffer));
  } catch (error) {
    // What the library says of bytes that end early or stand for nothing.
    if (error instanceof RangeError || (error instanceof Error && error.constructor === Error)) {
      throw badProtobuf(error.message);
    }
    throw error;
  }
}

/** 400 for bytes that cannot be read, with what is wrong. */
export const badProtobuf = (what: string) => badRequest(`proto: ${what}`);

/** Goes into a delimited value; answers where what is around it ends, for `leave`. */
export function enter(reader: Reader): number {
  refuseLong(reader);
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw badProtobuf('unexpected EOF');
  const outer = reader.len;
  reader.len = end;
  return outer;
}

/** The library keeps 32 bits of a length and would read on where a longer one does not point. */
function refuseLong({ buf, pos }: Reader): void {
  for (let at = pos; at < pos + 4; at += 1) if ((buf[at] ?? 0) < 0x80) return;
  if ((buf[pos + 4] ?? 0) > 0x0f) throw badProtobuf('unexpected EOF');
}

/** Goes out of a delimited value that was read to its end. */
export function leave(reader: Reader, outer: number): void {
  reader.len = outer;
}

/** The bytes of a delimited value; they share the message's memory. */
export function slice(reader: Reader): Uint8Array {
  const outer = enter(reader);
  const bytes = reader.buf.subarray(reader.pos, reader.len);
  reader.pos = reader.len;
  leave(reader, outer);
  return bytes;
}

/** Text, which has to be UTF-8. */
export function text(reader: Reader): string {
  refuseLong(reader);
  const start = reader.pos;
  const value = reader.string();
  // The library writes this character for what it cannot read; looking at all bytes twice would cost more.
  if (value.includes('\ufffd')) {
    reader.pos = start;
    if (!isUtf8(slice(reader))) throw badProtobuf('invalid UTF-8 in a string');
  }
  return value;
}

/** Writes text. A half of a surrogate pair, which JSON can say, has no form in UTF-8. */
export function writeText(value: string, writer: Writer): void {
  writer.string(value.toWellFormed());
}

const groupStart = 3;
const groupEnd = 4;

/** Skips the value of an unknown field. Groups, which nobody writes any more, are counted and not recursed into. */
export function skip(reader: Reader, wire: number): void {
  let depth = 0;
  for (let next = wire; ; next = reader.tag() & 7) {
    if (next === varint) reader.skip();
    else if (next === 1) reader.skip(8);
    else if (next === delimited) slice(reader);
    else if (next === 5) reader.skip(4);
    else if (next === groupStart) depth += 1;
    else if (next === groupEnd && depth > 0) depth -= 1;
    else throw badProtobuf(`illegal wireType ${next}`);
    if (depth === 0) return;
  }
}
