// The lines of a stream are the same for any boundaries of chunks.
import { expect, it } from 'vitest';
import { LineSequence } from './lineSequence.js';

it.each([1, 2, 3, 100])('finds the lines in chunks of %i bytes', (size) => {
  const [sequence, bytes] = [new LineSequence(), Buffer.from('one\n\ntwö\r\nhalf')];
  const lines = [];
  for (let from = 0; from < bytes.length; from += size) lines.push(...sequence.push(bytes.subarray(from, from + size)));
  expect(lines.map((line) => line.bytes.toString())).toEqual(['one', '', 'twö\r']);
  expect(sequence.rest.toString()).toBe('half');
});
