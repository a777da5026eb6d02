// Decodes SPDY/3.1 frames from bytes in pieces of any size, in bounded memory.
import { controlTypes, type Frame, flags } from './frame.js';
import { HeaderDecompressor, SpdyProtocolError } from './headerBlock.js';

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

  /** Parses a control frame. Returns undefined for an unknown type, which must be ignored (2.2.1). */
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
      case controlTypes.settings:
        return { type: 'settings', values: settings(payload) };
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

function settings(payload: Buffer): ReadonlyMap<number, number> {
  atLeast(payload, 4);
  const count = payload.readUInt32BE(0);
  exactly(payload, 4 + 8 * count);
  const values = new Map<number, number>();
  // The byte before an id has flags about storing the value, which are ignored.
  for (let at = 4; at < payload.length; at += 8)
    values.set(payload.readUIntBE(at + 1, 3), payload.readUInt32BE(at + 4));
  return values;
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
