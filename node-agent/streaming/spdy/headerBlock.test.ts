// Tests header blocks: the dictionary, the compression of other clients, damaged blocks.
import { constants, createDeflate, deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  dictionary,
  dictionaryId,
  HeaderCompressor,
  HeaderDecompressor,
  type SpdyHeaders,
  SpdyProtocolError,
} from './headerBlock.js';

const headers = (entries: Record<string, string>): SpdyHeaders => new Map(Object.entries(entries));
const blocks = [
  headers({ streamtype: 'error', port: '8080', requestid: '0' }),
  headers({}),
  headers({ streamtype: 'data', port: '8080', requestid: '0' }),
  headers({ several: 'one\0two', empty: '', umlaut: 'Grüße', long: 'x'.repeat(40_000) }),
  headers({ streamtype: 'error', port: '8080', requestid: '1', long: 'x'.repeat(40_000) }),
];
const plain = (...parts: readonly (number | string)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(0, 0, part >> 8, part & 255))),
  );
const finishFlush = constants.Z_SYNC_FLUSH;
const first = (block: Buffer) => deflateSync(block, { finishFlush, dictionary });

/** Compresses like Go and Chromium: one deflate stream for the whole session, flushed after each block. */
async function compressInOneStream(inputs: readonly Buffer[], level: number): Promise<Buffer[]> {
  const deflate = createDeflate({ dictionary, level });
  const outputs: Buffer[] = [];
  for (const input of inputs) {
    deflate.write(input);
    await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, resolve));
    const parts: Buffer[] = [];
    for (let part = deflate.read(); part !== null; part = deflate.read()) parts.push(part);
    outputs.push(Buffer.concat(parts));
  }
  deflate.destroy();
  return outputs;
}

it('has the dictionary with the sum in every SPDY/3 stream', () => {
  expect(dictionary.length).toBe(1423);
  expect(deflateSync('', { dictionary }).readUInt32BE(2)).toBe(0xe3c6a7c2);
  expect(dictionaryId).toBe(0xe3c6a7c2);
});

it('decodes its own blocks, one after the other', () => {
  const [compressor, decompressor] = [new HeaderCompressor(), new HeaderDecompressor()];
  for (const block of blocks) expect(decompressor.decompress(compressor.compress(block))).toEqual(block);
});

it.each([0, 1, 6, 9])('reads blocks that refer to earlier blocks (level %i)', async (level) => {
  const texts = Array.from({ length: 40 }, (_, index) => `value ${index % 7} ${'y'.repeat(index * 60)}`);
  const inputs = texts.map((text) => plain(1, 4, 'name', text.length, text));
  const decompressor = new HeaderDecompressor();
  for (const [index, block] of (await compressInOneStream(inputs, level)).entries())
    expect(decompressor.decompress(block).get('name')).toBe(texts[index]);
});

it('reads a stream without a dictionary', () => {
  const block = deflateSync(plain(1, 1, 'a', 1, 'b'), { finishFlush });
  expect(new HeaderDecompressor().decompress(block)).toEqual(headers({ a: 'b' }));
});

describe('a block is refused', () => {
  const other = Buffer.from(first(plain(0)));
  other.writeUInt32BE(1, 2);
  it.each([
    ['that is empty', Buffer.alloc(0)],
    ['that is not a zlib stream', Buffer.from('streamtype: data')],
    ['with another dictionary', other],
    ['that is cut', first(plain(1, 1, 'a', 1, 'b')).subarray(0, -7)],
    ['that is damaged', Buffer.concat([first(plain(0)).subarray(0, 6), Buffer.alloc(20, 0xff)])],
    ['of 64 KiB and one byte', first(Buffer.alloc(64 * 1024 + 1))],
    ['that grows a thousandfold', first(Buffer.alloc(64 * 1024 * 1024))],
    ['with fewer headers than it says', first(plain(2, 1, 'a', 1, 'b'))],
    ['with more headers than it says', first(plain(0, 1, 'a', 1, 'b'))],
    ['with a value that is too short', first(plain(1, 1, 'a', 9, 'b'))],
    ['with a number of headers beyond all bounds', first(Buffer.alloc(4, 0xff))],
    ['with a header of capital letters', first(plain(1, 1, 'A', 1, 'b'))],
    ['with a header without a name', first(plain(1, 0, '', 1, 'b'))],
    ['with a header twice', first(plain(2, 1, 'a', 1, 'b', 1, 'a', 1, 'c'))],
  ])('%s', (_, block) => {
    expect(() => new HeaderDecompressor().decompress(block)).toThrow(SpdyProtocolError);
  });

  it('that is damaged, after a good one', () => {
    const decompressor = new HeaderDecompressor();
    decompressor.decompress(first(plain(0)));
    expect(() => decompressor.decompress(deflateRawSync('nothing of the kind').subarray(0, 9))).toThrow(
      SpdyProtocolError,
    );
  });
});
