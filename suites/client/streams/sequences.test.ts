// The objects and the lines of a stream are the same for any boundaries of chunks.
import { expect, it } from 'vitest';
import { JsonSequence, LineSequence } from './sequences.js';

const text = '{"a":"}\\"{\\\\"}\n{"b":[{"c":1},"]"]}{"d":"é"}\r\n{"half":';

function read(size: number) {
  const [sequence, bytes] = [new JsonSequence(), Buffer.from(text)];
  const pieces = [];
  for (let from = 0; from < bytes.length; from += size)
    pieces.push(...sequence.push(bytes.subarray(from, from + size)));
  return { pieces, rest: sequence.rest.toString() };
}

it.each([1, 2, 3, 7, 20, 1000])('finds the objects in chunks of %i bytes', (size) => {
  const { pieces, rest } = read(size);
  expect(pieces.map(({ bytes }) => bytes.toString())).toEqual([
    '{"a":"}\\"{\\\\"}',
    '{"b":[{"c":1},"]"]}',
    '{"d":"é"}',
  ]);
  expect(pieces.map(({ endsLine }) => endsLine)).toEqual([true, false, false]);
  expect(rest).toBe('{"half":');
});

it('shows bytes that are not an object', () => {
  const pieces = new JsonSequence().push(Buffer.from('ok\n{}\n'));
  expect(pieces.map(({ bytes }) => bytes.toString())).toEqual(['o', 'k', '{}']);
});

it.each([1, 2, 3, 100])('finds the lines in chunks of %i bytes', (size) => {
  const [sequence, bytes] = [new LineSequence(), Buffer.from('one\n\ntwö\r\nhalf')];
  const lines = [];
  for (let from = 0; from < bytes.length; from += size) lines.push(...sequence.push(bytes.subarray(from, from + size)));
  expect(lines.map((line) => line.bytes.toString())).toEqual(['one', '', 'twö\r']);
  expect(sequence.rest.toString()).toBe('half');
});
