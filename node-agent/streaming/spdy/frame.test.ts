// Tests frames: the bytes in the draft, in pieces of any size, and damaged.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, type Frame, FrameDecoder } from './frame.js';
import { HeaderCompressor, SpdyProtocolError } from './headerBlock.js';

const headers = new Map([['streamtype', 'stdin']]);
const frames: readonly Frame[] = [
  { type: 'synStream', streamId: 1, fin: false, unidirectional: false, headers },
  { type: 'synStream', streamId: 3, fin: true, unidirectional: true, headers: new Map() },
  { type: 'synReply', streamId: 1, fin: false, headers: new Map() },
  { type: 'headers', streamId: 1, fin: true, headers },
  { type: 'rstStream', streamId: 3, status: 5 },
  { type: 'ping', id: 0xffff_ffff },
  { type: 'goAway', lastStreamId: 0x7fff_ffff, status: 0 },
  { type: 'windowUpdate', streamId: 1, delta: 0x7fff_ffff },
  { type: 'data', streamId: 1, fin: false, data: Buffer.from('some bytes') },
  { type: 'data', streamId: 0x7fff_ffff, fin: true, data: Buffer.alloc(0) },
];

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const decode = (...pieces: readonly Buffer[]) => {
  const decoder = new FrameDecoder();
  return pieces.flatMap((piece) => [...decoder.decode(piece)]);
};
const encode = (all: readonly Frame[]) => {
  const compressor = new HeaderCompressor();
  return Buffer.concat(all.map((frame) => encodeFrame(frame, compressor)));
};

/** Joins the pieces of DATA frames. */
function joined(all: readonly Frame[]): Frame[] {
  const whole: Frame[] = [];
  for (const frame of all) {
    const last = whole.at(-1);
    const continues = frame.type === 'data' && last?.type === 'data' && last.streamId === frame.streamId && !last.fin;
    if (continues) whole[whole.length - 1] = { ...frame, data: Buffer.concat([last.data, frame.data]) };
    else whole.push(frame);
  }
  return whole;
}

// The bytes of the draft's figures, written by hand.
it.each<[string, Frame]>([
  ['80030003 00000008 00000003 00000005', { type: 'rstStream', streamId: 3, status: 5 }],
  ['80030006 00000004 00000002', { type: 'ping', id: 2 }],
  ['80030007 00000008 00000009 00000001', { type: 'goAway', lastStreamId: 9, status: 1 }],
  ['80030009 00000008 00000001 00004000', { type: 'windowUpdate', streamId: 1, delta: 0x4000 }],
  ['00000005 01000003 616263', { type: 'data', streamId: 5, fin: true, data: Buffer.from('abc') }],
])('reads %s', (bytes, frame) => {
  expect(decode(hex(bytes))).toEqual([frame]);
});

it('writes the bytes of the draft', () => {
  const bytes = '80030003 00000008 00000003 00000005 00000005 01000003 616263 80030006 00000004 00000002';
  const data: Frame = { type: 'data', streamId: 5, fin: true, data: Buffer.from('abc') };
  expect(encode([{ type: 'rstStream', streamId: 3, status: 5 }, data, { type: 'ping', id: 2 }])).toEqual(hex(bytes));
});

it('decodes its own frames, split at every byte', () => {
  const bytes = encode(frames);
  for (let at = 0; at <= bytes.length; at++)
    expect(joined(decode(bytes.subarray(0, at), bytes.subarray(at)))).toEqual(frames);
});

it('decodes its own frames, byte by byte', () => {
  expect(joined(decode(...[...encode(frames)].map((byte) => Buffer.of(byte))))).toEqual(frames);
});

it('yields a long DATA frame as it arrives', () => {
  const bytes = encode([{ type: 'data', streamId: 1, fin: true, data: Buffer.alloc(1_000_000) }]);
  const decoder = new FrameDecoder();
  const pieces = [0, 1000, 1008, 500_000].map((start, index, starts) => bytes.subarray(start, starts[index + 1]));
  const seen = pieces.flatMap((piece) => [...decoder.decode(piece)]);
  const dataFrames = seen.map((frame) => frame.type === 'data' && [frame.data.length, frame.fin]);
  expect(dataFrames).toEqual([
    [992, false],
    [8, false],
    [498_992, false],
    [500_008, true],
  ]);
});

it('reads a window of the session as a whole', () => {
  expect(decode(hex('80030009 00000008 00000000 00010000'))).toEqual([
    { type: 'windowUpdate', streamId: 0, delta: 65_536 },
  ]);
});

it.each([
  ['SETTINGS', '80030004 0000000c 00000001 01000007 00010000'],
  ['of an unknown type', '8003000b 00000003 010203'],
])('ignores a control frame %s', (_, bytes) => {
  expect(decode(hex(`${bytes} 80030006 00000004 00000002`))).toEqual([{ type: 'ping', id: 2 }]);
});

describe('a frame is refused', () => {
  it.each([
    ['of SPDY/2', '80020006 00000004 00000002'],
    ['with data on stream 0', '00000000 00000001 61'],
    ['that resets stream 0', '80030003 00000008 00000000 00000005'],
    ['that resets and is too short', '80030003 00000004 00000001'],
    ['that pings and is too long', '80030006 00000005 0000000200'],
    ['that says goodbye and is too short', '80030007 00000004 00000002'],
    ['with a window and too long', '80030009 0000000c 00000001 00000001 00000001'],
    ['that opens a stream and is too short', '80030001 00000009 000000010000000000'],
    ['that opens a stream without headers', '80030001 0000000a 00000001000000000000'],
    ['that replies and is empty', '80030002 00000000'],
    ['with a control frame of 16 MiB', '80030001 00ffffff'],
  ])('%s', (_, bytes) => {
    expect(() => decode(hex(bytes))).toThrow(SpdyProtocolError);
  });
});

const reads = (pieces: readonly Buffer[]) => {
  try {
    decode(...pieces);
  } catch (error) {
    expect(error).toBeInstanceOf(SpdyProtocolError);
  }
};

it('survives any bytes', () => {
  const piece = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  fc.assert(fc.property(fc.array(piece, { maxLength: 8 }), reads), { numRuns: 500 });
});

it('survives any change to good bytes', () => {
  const bytes = encode(frames);
  const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
  const check = (changes: readonly (readonly [number, number])[], at: number) => {
    const changed = Buffer.from(bytes);
    for (const [index, value] of changes) changed[index] = value;
    reads([changed.subarray(0, at), changed.subarray(at)]);
  };
  fc.assert(fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), fc.nat(bytes.length), check), {
    numRuns: 1000,
  });
});
