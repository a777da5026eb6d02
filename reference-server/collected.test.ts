import { expect, test } from 'vitest';
import { Collected } from './collected.js';

test.each([0, 1, 2, 1023, 1024, 1025, 5000])('%i chunks are the same bytes in few buffers', (count) => {
  const collected = new Collected();
  const chunks = Array.from({ length: count }, (_, index) => Buffer.from(`${index},`));
  for (const chunk of chunks) collected.add(chunk);
  expect(collected.bytes()).toEqual(Buffer.concat(chunks));
  expect(collected.size).toBe(Buffer.concat(chunks).length);
  expect(collected.buffers).toBeLessThan(1100);
});
