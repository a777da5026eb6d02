// The wire format below messages: the library, which loads on first use, and checks that its reader lacks.
import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import type { Reader, Writer } from 'protobufjs';
import { badRequest } from '../../errors.js';

export type { Reader, Writer } from 'protobufjs';

export const varint = 0;
export const eightBytes = 1;
export const delimited = 2;

/** Returns the tag of a field: its number and its wire type. */
export const tagOf = (number: number, wire: number): number => (number << 3) | wire;

type Library = Pick<typeof import('protobufjs'), 'Reader' | 'Writer'>;

let library: Library | undefined;

/**
 * Loads the library on first use, because other formats do not need it, and synchronously, because encoding is
 * synchronous.
 */
function loaded(): Library {
  library ??= createRequire(import.meta.url)('protobufjs/minimal') as Library;
  return library;
}

let shared: Writer | undefined;

/** Returns the written bytes in their own buffer. */
export function write(fill: (writer: Writer) => void): Uint8Array {
  // A writer that is in use, or failed within a message, is not reused.
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

/** The largest message whose writer is kept with its memory, in bytes. */
const mostShared = 1024 * 1024;

/** The library throws for truncated or invalid bytes: `faultOf` makes a 400 of such an error. */
export const readerOf = (bytes: Uint8Array): Reader =>
  loaded().Reader.create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));

export function faultOf(error: unknown): unknown {
  const isOfLibrary = error instanceof RangeError || (error instanceof Error && error.constructor === Error);
  return isOfLibrary ? badProtobuf(error.message) : error;
}

/** 400 for invalid protobuf. */
export const badProtobuf = (what: string) => badRequest(`proto: ${what}`);

/** Enters a delimited value. Returns the end of its parent, for `leave`. */
export function enter(reader: Reader): number {
  refuseLong(reader);
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw badProtobuf('unexpected EOF');
  const outer = reader.len;
  reader.len = end;
  return outer;
}

/** Throws 400 for a length of more than 32 bits, which the library would cut silently. */
function refuseLong({ buf, pos }: Reader): void {
  for (let at = pos; at < pos + 4; at += 1) if ((buf[at] ?? 0) < 0x80) return;
  if ((buf[pos + 4] ?? 0) > 0x0f) throw badProtobuf('unexpected EOF');
}

/** Leaves a delimited value after its end. */
export function leave(reader: Reader, outer: number): void {
  reader.len = outer;
}

/** Returns the bytes of a delimited value; they share the message's memory. */
export function slice(reader: Reader): Uint8Array {
  const outer = enter(reader);
  const bytes = reader.buf.subarray(reader.pos, reader.len);
  reader.pos = reader.len;
  leave(reader, outer);
  return bytes;
}

/** Reads a string. Throws 400 if it is not valid UTF-8. */
export function text(reader: Reader): string {
  refuseLong(reader);
  const start = reader.pos;
  const value = reader.string();
  // The library puts this character for invalid bytes; checking all bytes a second time would cost more.
  if (value.includes('\ufffd')) {
    reader.pos = start;
    if (!isUtf8(slice(reader))) throw badProtobuf('invalid UTF-8 in a string');
  }
  return value;
}

/** Writes a string. An unpaired surrogate, which JSON allows, is replaced because UTF-8 has no form for it. */
export function writeText(value: string, writer: Writer): void {
  writer.string(value.toWellFormed());
}

const groupStart = 3;
const groupEnd = 4;

/** Skips the value of an unknown field. Obsolete groups are counted, without recursion. */
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
