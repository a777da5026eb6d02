// Reads a file line by line with the byte range of each line, so that single lines can be read again later.
import { closeSync, openSync, readSync } from 'node:fs';

/** The position of a line in its file, in bytes. */
export interface ByteRange {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** One line without its newline. `ended` is false for a last line without a newline. */
export interface FileLine {
  /** Valid until the next line is read. */
  readonly bytes: Buffer;
  readonly number: number;
  readonly range: ByteRange;
  readonly ended: boolean;
}

const newline = 0x0a;
/** The number of bytes that are read at once; more only for a longer line. */
const chunk = 1 << 20;
/** The most bytes of a line. What has no lines at all must not fill the memory. */
const longest = 64 * chunk;

/** Yields the lines of a file in one pass, with one chunk in memory. Throws `tooLong` for a line of more than 64 MiB. */
export function* readLines(file: string, tooLong: (line: number) => Error): Generator<FileLine> {
  const descriptor = openSync(file, 'r');
  try {
    let buffer = Buffer.allocUnsafe(chunk);
    /** The bytes at the start of the buffer of a line whose end is not read yet, and their position in the file. */
    let kept = 0;
    let offset = 0;
    let number = 0;
    const lineOf = (bytes: Buffer, ended: boolean): FileLine => {
      number += 1;
      const range = { file, offset, length: bytes.length };
      offset += bytes.length + 1;
      return { bytes, number, range, ended };
    };
    for (;;) {
      if (kept === longest) throw tooLong(number + 1);
      if (kept === buffer.length) buffer = Buffer.concat([buffer], 2 * kept);
      const read = readSync(descriptor, buffer, kept, buffer.length - kept, null);
      if (read === 0) break;
      const filled = buffer.subarray(0, kept + read);
      let start = 0;
      for (let end = filled.indexOf(newline, kept); end !== -1; end = filled.indexOf(newline, start)) {
        yield lineOf(filled.subarray(start, end), true);
        start = end + 1;
      }
      buffer.copy(buffer, 0, start, filled.length);
      kept = filled.length - start;
    }
    if (kept > 0) yield lineOf(buffer.subarray(0, kept), false);
  } finally {
    closeSync(descriptor);
  }
}

/** Yields the texts of the lines at the given byte ranges, in their order. */
export function* readRanges(ranges: Iterable<ByteRange>): Generator<string> {
  const descriptors = new Map<string, number>();
  try {
    for (const { file, offset, length } of ranges) {
      const descriptor = descriptors.get(file) ?? openSync(file, 'r');
      descriptors.set(file, descriptor);
      const bytes = Buffer.allocUnsafe(length);
      yield bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, length, offset));
    }
  } finally {
    for (const descriptor of descriptors.values()) closeSync(descriptor);
  }
}
