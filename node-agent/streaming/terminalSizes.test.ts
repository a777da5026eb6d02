// Tests the sizes of a terminal: in pieces, and damaged.
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { terminalSizes } from './terminalSizes.js';

async function read(...pieces: readonly string[]): Promise<string[]> {
  const sizes: string[] = [];
  const input = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  for await (const { width, height } of terminalSizes(input)) sizes.push(`${width}x${height}`);
  return sizes;
}

it.each([
  ['one size', ['{"Width":80,"Height":24}'], ['80x24']],
  ['sizes on lines', ['{"Width":80,"Height":24}\n{"Width":1,"Height":65535}\n'], ['80x24', '1x65535']],
  [
    'sizes of clients that write the names in other cases',
    ['{"width":80,"height":24}{"WIDTH":81,"Height":25}'],
    ['80x24', '81x25'],
  ],
  ['zero where the client sends no number', ['{"width":80}{"Height":24,"Width":null}'], ['80x0', '0x24']],
  ['a size with other fields', ['{"type":"resize","width":80,"height":24}'], ['80x24']],
  ['a size in pieces', ['{"Wid', 'th":80,"Hei', 'ght":24', '}'], ['80x24']],
  ['nothing', [], []],
  ['nothing after invalid JSON', ['{"Width":80,"Height":24}{"Width":}{"Width":81,"Height":24}'], ['80x24']],
  [
    'nothing after an invalid size',
    ['{"Width":80,"Height":24}{"Width":-1,"Height":24}{"Width":81,"Height":24}'],
    ['80x24'],
  ],
  ['nothing after a size that is not an object', ['"Width"}{"Width":81,"Height":24}'], []],
  ['nothing after a size in words', ['{"width":"80","height":24}{"Width":81,"Height":24}'], []],
  ['nothing of a text without an end', ['x'.repeat(2000), '{"Width":80,"Height":24}'], []],
])('reads %s', async (_, pieces, sizes) => {
  expect(await read(...pieces)).toEqual(sizes);
});
