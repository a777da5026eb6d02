// The objects of a stream are the same for any boundaries of chunks.
import { expect, it } from 'vitest';
import { JsonSequence } from './jsonSequence.js';

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
