// The frames of SPDY/3.1 as bytes: a header of eight bytes, then the payload.
import { ByteQueue } from '../../../../matrix/api/byteQueue.js';

/** A frame of any kind. `stream` is the stream of a data frame, or the first number of a control frame. */
export interface SpdyFrame {
  readonly kind: Kind | 'data';
  readonly flags: number;
  readonly stream: number;
  /** The bytes after the stream, or the whole payload of a frame without a stream. */
  readonly payload: Buffer;
}

/** The known control frames, by the numbers of the draft. */
const kinds = { synStream: 1, synReply: 2, rst: 3, settings: 4, ping: 6, goAway: 7, headers: 8, windowUpdate: 9 };
type Kind = keyof typeof kinds;

/** The flag of the last frame of a stream. */
export const fin = 0x01;

export function dataFrame(stream: number, content: Buffer, last = false): Buffer {
  return Buffer.concat([head(stream, last ? fin : 0, content.length), content]);
}

/** Returns a control frame; the payload begins after the stream. */
export function controlFrame(kind: Kind, stream: number, payload: Buffer): Buffer {
  const bytes = Buffer.concat([uint32(stream), payload]);
  return Buffer.concat([head(0x80030000 + kinds[kind], 0, bytes.length), bytes]);
}

/** Returns four bytes, big endian. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function head(first: number, flags: number, length: number): Buffer {
  return Buffer.concat([uint32(first), uint32(flags * 0x1000000 + length)]);
}

/** Cuts a sequence of bytes into frames. */
export class FrameReader {
  readonly #rest = new ByteQueue();

  /** Adds a chunk and returns the frames that it completes, without unknown kinds. Throws for another version. */
  push(chunk: Buffer): SpdyFrame[] {
    this.#rest.push(chunk);
    const bytes = this.#rest.bytes;
    const frames: SpdyFrame[] = [];
    let start = 0;
    while (bytes.length >= start + 8) {
      const end = start + 8 + bytes.readUIntBE(start + 5, 3);
      if (bytes.length < end) break;
      const frame = read(bytes.subarray(start, end));
      if (frame !== undefined) frames.push(frame);
      start = end;
    }
    this.#rest.drop(start);
    return frames;
  }
}

function read(bytes: Buffer): SpdyFrame | undefined {
  const first = bytes.readUInt32BE(0);
  const flags = bytes.readUInt8(4);
  const payload = bytes.subarray(8);
  if (first < 0x80000000) return { kind: 'data', flags, stream: first, payload };
  if (((first >>> 16) & 0x7fff) !== 3) throw new Error(`a frame of version ${(first >>> 16) & 0x7fff} of SPDY`);
  const [kind] = Object.entries(kinds).find(([, code]) => code === (first & 0xffff)) ?? [];
  if (kind === undefined) return undefined;
  if (payload.length < 4) throw new Error(`a ${kind} frame of ${payload.length} bytes`);
  if (kind === 'settings') return { kind, flags, stream: 0, payload };
  return { kind: kind as Kind, flags, stream: payload.readUInt32BE(0) & 0x7fffffff, payload: payload.subarray(4) };
}
