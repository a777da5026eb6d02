// Frames of SPDY/3.1: the bytes of the draft, for any boundaries of chunks.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { controlFrame, dataFrame, FrameReader, fin, uint32 } from './frames.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

it.each([
  ['data', dataFrame(5, Buffer.from('abc'), true), '00000005 01000003 616263'],
  ['a reset', controlFrame('rst', 3, uint32(5)), '80030003 00000008 00000003 00000005'],
  ['a ping', controlFrame('ping', 2, Buffer.alloc(0)), '80030006 00000004 00000002'],
])('writes the bytes of the draft: %s', (_, bytes, expected) => {
  expect(bytes).toEqual(hex(expected));
});

it.each([
  ['00000005 01000003 616263', { kind: 'data', flags: fin, stream: 5, payload: Buffer.from('abc') }],
  ['80030002 00000004 00000001', { kind: 'synReply', flags: 0, stream: 1, payload: Buffer.alloc(0) }],
  ['80030004 0000000c 00000001 04000007 00010000', { kind: 'settings', flags: 0, stream: 0 }],
  ['80030007 00000008 00000003 00000001', { kind: 'goAway', stream: 3, payload: uint32(1) }],
  ['80030009 00000008 00000000 00010000', { kind: 'windowUpdate', stream: 0, payload: uint32(65_536) }],
])('reads %s', (bytes, frame) => {
  expect(new FrameReader().push(hex(bytes))).toMatchObject([frame]);
});

it('skips a frame of an unknown type', () => {
  expect(new FrameReader().push(hex('8003000b 00000003 010203 80030006 00000004 00000002'))).toMatchObject([
    { kind: 'ping', stream: 2 },
  ]);
});

it.each([
  ['of SPDY/2', '80020006 00000004 00000002', 'version 2'],
  ['that is too short', '80030003 00000002 0000', 'rst frame of 2 bytes'],
])('refuses a frame %s', (_, bytes, message) => {
  expect(() => new FrameReader().push(hex(bytes))).toThrow(message);
});

it('reads the same from any pieces', () => {
  const bytes = Buffer.concat([
    dataFrame(1, Buffer.from('one')),
    controlFrame('ping', 4, Buffer.alloc(0)),
    dataFrame(1, Buffer.alloc(300, 'x')),
    dataFrame(1, Buffer.alloc(0), true),
  ]);
  const whole = new FrameReader().push(bytes);
  expect(whole).toHaveLength(4);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
      const reader = new FrameReader();
      const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const frames = edges.slice(1).flatMap((end, index) => reader.push(bytes.subarray(edges[index], end)));
      expect(frames).toEqual(whole);
    }),
    { numRuns: 50 },
  );
});
