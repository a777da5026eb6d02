// Reads a file line by line with the place of each line, so that a line can be read again later.
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Where a line lies in its file, in bytes. */
export interface Place {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** One line without its newline. `ended` is false for a last line that has none. */
export interface Line {
  readonly bytes: Buffer;
  readonly number: number;
  readonly place: Place;
  readonly ended: boolean;
}

const newline = 0x0a;

/** The lines of a file, in one pass and with one chunk in memory. */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let pieces: Buffer[] = [];
  let offset = 0;
  let number = 0;

  const take = (last: Buffer, ended: boolean): Line => {
    const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    pieces = [];
    number += 1;
    const place = { file, offset, length: bytes.length };
    offset += bytes.length + 1;
    return { bytes, number, place, ended };
  };

  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield take(chunk.subarray(start, end), true);
      start = end + 1;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
  if (pieces.length > 0) yield take(Buffer.alloc(0), false);
}

/** The text of the lines at the given places, in their order. */
export async function* readPlaces(places: Iterable<Place>): AsyncGenerator<string> {
  const handles = new Map<string, FileHandle>();
  try {
    for (const { file, offset, length } of places) {
      const handle = handles.get(file) ?? (await open(file));
      handles.set(file, handle);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
      yield buffer.toString('utf8', 0, bytesRead);
    }
  } finally {
    for (const handle of handles.values()) await handle.close();
  }
}
