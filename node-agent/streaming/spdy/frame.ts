// The frames of SPDY/3.1 (draft 3.1, 2.2 to 2.6), and their encoding.
import type { HeaderCompressor, Headers } from './headerBlock.js';

/** Codes of RST_STREAM (2.6.3). */
export const resetStatus = {
  protocolError: 1,
  invalidStream: 2,
  refusedStream: 3,
  cancel: 5,
  internalError: 6,
} as const;
/** Codes of GOAWAY (2.6.6). */
export const goAwayStatus = { ok: 0, protocolError: 1, internalError: 2 } as const;

export const controlTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

export const flags = { fin: 1, unidirectional: 2 } as const;

export interface SynStream {
  readonly type: 'synStream';
  readonly streamId: number;
  readonly fin: boolean;
  /** Whether only the peer that opened the stream sends on it. */
  readonly unidirectional: boolean;
  readonly headers: Headers;
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
      readonly headers: Headers;
    }
  | { readonly type: 'rstStream'; readonly streamId: number; readonly status: number }
  | { readonly type: 'settings'; readonly values: ReadonlyMap<number, number> }
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
    case 'settings':
      return control('settings', 0, words(frame.values.size, ...[...frame.values].flat()));
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
