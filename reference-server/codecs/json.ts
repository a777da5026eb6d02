// JSON: compact and pretty output, strict input, and lists and events from cached bytes.
import { isUtf8 } from 'node:buffer';
import { mediaTypes } from '../../matrix/api/index.js';
import { badRequest } from '../errors.js';
import { jsonText, mayHaveFraction, parseJson, writtenValue } from '../exactJson.js';
import type { StatusError } from '../statusError.js';
import { doInTurns, type Steps } from '../turns.js';
import type { ApiObject, Codec, GroupVersionKind, ListField } from './codec.js';
import type { RepeatedFields } from './fieldPaths.js';
import { jsonPieces } from './jsonPieces.js';
import { type Fault, JsonScanner } from './jsonScanner.js';
import { parseLongJson } from './longJson.js';

const newline = 0x0a;
const comma = 0x2c;
const itemEnd = Buffer.of(comma);
const listEnd = Buffer.from(']}\n');
const frameEnd = Buffer.from('}\n');

/** Returns the bytes without the final newline. */
function trimmed(bytes: Uint8Array): Uint8Array {
  return bytes[bytes.length - 1] === newline ? bytes.subarray(0, -1) : bytes;
}

export const json: Codec = {
  mediaType: mediaTypes.json,

  encode(value: ApiObject, pretty: boolean): Uint8Array {
    return Buffer.from(pretty ? jsonText(value, 2) : `${jsonText(value)}\n`);
  },

  decode(bytes: Uint8Array, _expected?: GroupVersionKind, duplicates?: RepeatedFields): unknown {
    const text = textOf(bytes);
    const scanner = new JsonScanner(text, undefined, duplicates);
    const fault = scanner.scan(Number.POSITIVE_INFINITY);
    if (fault !== undefined) throw malformed(text, fault);
    return parseJson(text, scanner.hasLongNumber);
  },

  async decodeInTurns(bytes: Uint8Array, _expected?: GroupVersionKind, duplicates?: RepeatedFields): Promise<unknown> {
    const text = textOf(bytes);
    const parsed = await doInTurns(parseLongJson(text, duplicates));
    if ('fault' in parsed) throw malformed(text, parsed.fault);
    return parsed.value;
  },

  /**
   * The item with the comma that separates it from the next one. The cache keeps items for a long time, so each has its
   * own buffer.
   */
  encodeItem(_apiVersion: string, _kind: string, item: ApiObject): Uint8Array {
    const text = jsonText(item);
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text) + 1);
    bytes[bytes.write(text)] = comma;
    return bytes;
  },

  wholeOf(apiVersion: string, kind: string, item: Uint8Array, inList = false): Uint8Array {
    const head = `{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)}`;
    // The bytes of the item: an opening brace, its fields, a closing brace, a comma.
    const fields = item.length - 3;
    const whole = Buffer.allocUnsafe(Buffer.byteLength(head) + fields + (fields > 0 ? 3 : 2));
    let at = whole.write(head);
    if (fields > 0) at = whole.writeUInt8(comma, at);
    whole.set(item.subarray(1, -1), at);
    whole[whole.length - 1] = inList ? comma : newline;
    return whole;
  },

  *joinList(envelope: ApiObject, items: () => Iterable<Uint8Array>, field: ListField = 'items'): Iterable<Uint8Array> {
    const head = jsonText(envelope).slice(0, -1);
    yield Buffer.from(`${head}${head.length > 1 ? ',' : ''}"${field}":[`);
    let last: Uint8Array | undefined;
    for (const item of items()) {
      if (last !== undefined) yield last;
      last = item;
    }
    if (last !== undefined) yield last.subarray(0, -1);
    yield listEnd;
  },

  *listInParts(
    envelope: ApiObject,
    items: Iterable<ApiObject>,
    _pretty: boolean,
    field: ListField = 'items',
  ): Iterable<Uint8Array> {
    yield Buffer.from(`${jsonText(envelope, 2).slice(0, -2)},\n  "${field}": [`);
    let isEmpty = true;
    for (const item of items) {
      const text = jsonText(item, 2).replaceAll('\n', '\n    ');
      yield Buffer.from(`${isEmpty ? '' : ','}\n    ${text}`);
      isEmpty = false;
    }
    yield Buffer.from(isEmpty ? ']\n}' : '\n  ]\n}');
  },

  frame(type: string, object: Uint8Array): Uint8Array {
    return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), trimmed(object), frameEnd]);
  },
};

/** Returns a function that parses valid JSON as a `writtenValue`; undefined if no number has a fraction or an exponent. */
export function writtenIn(bytes: Uint8Array): (() => unknown) | undefined {
  const text = textOf(bytes);
  return mayHaveFraction(text) ? () => writtenValue(text) : undefined;
}

/** Returns what `json.encodeItem` returns. */
export function* encodeLongItem(item: ApiObject): Steps<Uint8Array> {
  const parts: Buffer[] = [];
  for (const piece of jsonPieces(item)) {
    parts.push(Buffer.from(piece));
    yield;
  }
  return Buffer.concat([...parts, itemEnd]);
}

function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw badRequest(`json parse error: ${findInvalidUtf8(bytes)}`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

const malformed = (text: string, { what, at }: Fault): StatusError =>
  badRequest(`json parse error: ${what} (${position(text, at)})`);

/** Returns a position such as `line 3, column 14`. Both count characters from 1. */
function position(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  let line = 1;
  for (let found = text.indexOf('\n'); found !== -1 && found < lineStart; found = text.indexOf('\n', found + 1)) line++;
  return `line ${line}, column ${at - lineStart + 1}`;
}

/** The block size of the search, in bytes. */
const block = 64 * 1024;

/**
 * Returns the position of the first invalid UTF-8. No multi-byte character contains a newline, so lines can be checked
 * one by one.
 */
export function findInvalidUtf8(bytes: Uint8Array): string {
  let line = 1;
  for (let start = 0, atLeast = block; start <= bytes.length; ) {
    const found = bytes.indexOf(newline, start + atLeast);
    const end = found === -1 ? bytes.length : found;
    const content = bytes.subarray(start, end);
    if (isUtf8(content)) {
      for (const byte of content) if (byte === newline) line += 1;
      line += 1;
      start = end + 1;
    } else if (atLeast > 0) {
      // The invalid bytes are in this block: now check it line by line.
      atLeast = 0;
    } else {
      const column = Buffer.from(content).toString('utf8').indexOf('\ufffd') + 1;
      return `invalid UTF-8 (line ${line}, column ${column})`;
    }
  }
  return 'invalid UTF-8';
}
