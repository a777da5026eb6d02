// The frames of SPDY/3.1 (draft 3.1, 2.2 to 2.6): their encoding, and their decoding from pieces in bounded memory.
import { type HeaderCompressor, HeaderDecompressor, type SpdyHeaders, SpdyProtocolError } from './headerBlock.js';

/** Codes of RST_STREAM (2.6.3). */
export const resetStatus = { invalidStream: 2, refusedStream: 3, cancel: 5 } as const;
/** Codes of GOAWAY (2.6.6). */
export const goAwayStatus = { ok: 0, protocolError: 1 } as const;

const controlTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

const flags = { fin: 1, unidirectional: 2 } as const;

export interface SynStream {
  readonly type: 'synStream';
  readonly streamId: number;
  readonly fin: boolean;
  /** Whether only the peer that opened the stream sends on it. */
  readonly unidirectional: boolean;
  readonly headers: SpdyHeaders;
}

/** A DATA frame. The decoder yields a long frame in pieces as they arrive; only the last piece has `fin`. */
interface Data {
  readonly type: 'data';
  readonly streamId: number;
  readonly fin: boolean;
  readonly data: Buffer;
}

export type Frame =
  | SynStream
  | Data
  | {
      readonly type: 'synReply' | 'headers';
      readonly streamId: number;
      readonly fin: boolean;
      readonly headers: SpdyHeaders;
    }
  | { readonly type: 'rstStream'; readonly streamId: number; readonly status: number }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'goAway'; readonly lastStreamId: number; readonly status: number }
  | { readonly type: 'windowUpdate'; readonly streamId: number; readonly delta: number };

/** Encodes a frame. A DATA frame must have less than 16 MiB of data. */
export function encodeFrame(frame: Frame, compressor: HeaderCompressor): Buffer {
  switch (frame.type) {
    case 'data':
      return Buffer.concat([
        words(frame.streamId, lengthWord(frame.fin ? flags.fin : 0, frame.data.length)),
        frame.data,
      ]);
    case 'synStream': {
      const set = (frame.fin ? flags.fin : 0) | (frame.unidirectional ? flags.unidirectional : 0);
      // No associated stream, the highest priority, no credential slot.
      const fixed = Buffer.concat([words(frame.streamId, 0), Buffer.alloc(2)]);
      return control('synStream', set, fixed, compressor.compress(frame.headers));
    }
    case 'synReply':
    case 'headers':
      return control(frame.type, frame.fin ? flags.fin : 0, words(frame.streamId), compressor.compress(frame.headers));
    case 'rstStream':
      return control('rstStream', 0, words(frame.streamId, frame.status));
    case 'ping':
      return control('ping', 0, words(frame.id));
    case 'goAway':
      return control('goAway', 0, words(frame.lastStreamId, frame.status));
    case 'windowUpdate':
      return control('windowUpdate', 0, words(frame.streamId, frame.delta));
  }
}

function control(type: keyof typeof controlTypes, set: number, ...payload: Buffer[]): Buffer {
  const length = payload.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([words(0x8003_0000 + controlTypes[type], lengthWord(set, length)), ...payload]);
}

const lengthWord = (set: number, length: number): number => set * 2 ** 24 + length;

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

/** The most bytes of a control frame; frames of Kubernetes have a few hundred. */
const maxControlBytes = 16 * 1024;
const headBytes = 8;

interface Control {
  readonly type: number;
  readonly flags: number;
  readonly payload: Buffer;
}

/** Decodes the frames of one session, because the header compression has a history. */
export class FrameDecoder {
  readonly #decompressor = new HeaderDecompressor();
  #pending: Buffer = Buffer.alloc(0);
  #data: { readonly streamId: number; readonly fin: boolean; left: number } | undefined;

  /**
   * Yields the frames that these bytes complete. Throws SpdyProtocolError, after which the decoder must not be used.
   */
  *decode(bytes: Buffer): Generator<Frame> {
    let rest = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    for (;;) {
      const taken: { frame?: Frame | undefined; bytes: number } | undefined =
        this.#data === undefined ? this.#takeHead(rest) : this.#takeData(rest, this.#data);
      if (taken === undefined) break;
      rest = rest.subarray(taken.bytes);
      if (taken.frame !== undefined) yield taken.frame;
    }
    // A copy, because a slice would keep the whole chunk in memory.
    this.#pending = Buffer.from(rest);
  }

  #takeData(rest: Buffer, data: { readonly streamId: number; readonly fin: boolean; left: number }) {
    if (rest.length === 0 && data.left > 0) return undefined;
    const piece = rest.subarray(0, data.left);
    data.left -= piece.length;
    if (data.left === 0) this.#data = undefined;
    const frame: Frame = { type: 'data', streamId: data.streamId, fin: data.fin && data.left === 0, data: piece };
    return { frame, bytes: piece.length };
  }

  #takeHead(rest: Buffer) {
    if (rest.length < headBytes) return undefined;
    const first = rest.readUInt32BE(0);
    const set = rest.readUInt8(4);
    const length = rest.readUIntBE(5, 3);
    if (first < 0x8000_0000) {
      this.#data = { streamId: notZero(first), fin: (set & flags.fin) !== 0, left: length };
      return { bytes: headBytes };
    }
    if (first >>> 16 !== 0x8003) throw new SpdyProtocolError('a frame is of another version than SPDY/3');
    if (length > maxControlBytes) throw new SpdyProtocolError('a control frame is too long');
    const end = headBytes + length;
    if (rest.length < end) return undefined;
    const frame = this.#parse({ type: first & 0xffff, flags: set, payload: rest.subarray(headBytes, end) });
    return { frame, bytes: end };
  }

  /** Returns undefined for SETTINGS, which the session does not need, and for unknown types (2.2.1: ignore them). */
  #parse({ type, flags: set, payload }: Control): Frame | undefined {
    const fin = (set & flags.fin) !== 0;
    switch (type) {
      case controlTypes.synStream: {
        atLeast(payload, 10);
        const unidirectional = (set & flags.unidirectional) !== 0;
        return {
          type: 'synStream',
          streamId: idAt(payload, 0),
          fin,
          unidirectional,
          headers: this.#headers(payload, 10),
        };
      }
      case controlTypes.synReply:
      case controlTypes.headers: {
        atLeast(payload, 4);
        const name = type === controlTypes.synReply ? 'synReply' : 'headers';
        return { type: name, streamId: idAt(payload, 0), fin, headers: this.#headers(payload, 4) };
      }
      case controlTypes.rstStream:
        exactly(payload, 8);
        return { type: 'rstStream', streamId: idAt(payload, 0), status: payload.readUInt32BE(4) };
      case controlTypes.ping:
        exactly(payload, 4);
        return { type: 'ping', id: payload.readUInt32BE(0) };
      case controlTypes.goAway:
        exactly(payload, 8);
        return { type: 'goAway', lastStreamId: payload.readUInt32BE(0) & 0x7fff_ffff, status: payload.readUInt32BE(4) };
      case controlTypes.windowUpdate:
        exactly(payload, 8);
        // Stream 0 is the session as a whole (2.6.8).
        return {
          type: 'windowUpdate',
          streamId: payload.readUInt32BE(0) & 0x7fff_ffff,
          delta: payload.readUInt32BE(4) & 0x7fff_ffff,
        };
      default:
        return undefined;
    }
  }

  #headers(payload: Buffer, offset: number) {
    return this.#decompressor.decompress(payload.subarray(offset));
  }
}

const idAt = (payload: Buffer, offset: number): number => notZero(payload.readUInt32BE(offset) & 0x7fff_ffff);

function notZero(streamId: number): number {
  if (streamId === 0) throw new SpdyProtocolError('a frame names the stream 0');
  return streamId;
}

function atLeast(payload: Buffer, bytes: number): void {
  if (payload.length < bytes) throw new SpdyProtocolError('a control frame is too short');
}

function exactly(payload: Buffer, bytes: number): void {
  if (payload.length !== bytes) throw new SpdyProtocolError('a control frame has the wrong length');
}
