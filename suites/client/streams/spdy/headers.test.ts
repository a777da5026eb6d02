// Header blocks: one compressed sequence per connection, with the draft's dictionary.
import { constants, deflateSync, inflateSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { dictionary } from './dictionary.js';
import { HeaderBlocks } from './headers.js';

const made: HeaderBlocks[] = [];
const blocks = (): HeaderBlocks => {
  const next = new HeaderBlocks();
  made.push(next);
  return next;
};
afterEach(() => {
  for (const each of made.splice(0)) each.close();
});

it('has the dictionary whose sum every SPDY/3 stream carries', () => {
  expect(dictionary.length).toBe(1423);
  expect(deflateSync('', { dictionary }).readUInt32BE(2)).toBe(0xe3c6a7c2);
});

it('reads the blocks of another encoder, one after another', async () => {
  const [writer, reader] = [blocks(), blocks()];
  for (const headers of [
    { streamtype: 'error', port: '8080' },
    {},
    { empty: '', umlaut: 'Grüße', long: 'x'.repeat(40_000) },
  ]) {
    expect(await reader.decode(await writer.encode(headers))).toEqual(headers);
  }
});

it('writes names in lower case, each text with its length in four bytes', async () => {
  const block = await blocks().encode({ StreamType: 'data' });
  const plain = inflateSync(block, { dictionary, finishFlush: constants.Z_SYNC_FLUSH });
  const counted = (text: string) => Buffer.concat([Buffer.of(0, 0, 0, text.length), Buffer.from(text)]);
  expect(plain).toEqual(Buffer.concat([Buffer.of(0, 0, 0, 1), counted('streamtype'), counted('data')]));
});

const packed = (...bytes: number[]) => deflateSync(Buffer.from(bytes), { dictionary });

it.each([
  ['that ends within a header', packed(0, 0, 0, 1, 0, 0, 0, 9, 65)],
  ['of fewer headers than it says', packed(0, 0, 0, 2)],
  ['that is not compressed', Buffer.from('plain text')],
])('refuses a block %s', async (_, block) => {
  await expect(blocks().decode(block)).rejects.toThrow();
});
