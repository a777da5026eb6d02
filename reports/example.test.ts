// The example of a failure: decoded, without names of the run, and with the difference marked.
import { describe, expect, it } from 'vitest';
import { exampleOf, exampleText, markDifference } from './example.js';
import { allHostile } from './testing/hostile.js';

const textOf = (message: string): string => exampleText(exampleOf('a subject', message), (text) => `<${text}>`);

it.each([
  [
    'GET /api/v1/pods?labelSelector=tier%3Da%2Cb, {"labelSelector":"tier=a,b"}: expected one two, got one two three',
    'GET /api/v1/pods?labelSelector=tier=a,b: expected one two, got one two <three>',
  ],
  [
    'GET /api/v1/namespaces/kac-ca1029-w0-main/pods/kac-ca1029-w0-12: expected 200, got 404 "pods \\"kac-ca1029-w0-12\\" not found"',
    'GET /api/v1/namespaces/kac-main/pods/kac-12: expected <200>, got <404 "pods \\"kac-12\\" not found">',
  ],
  ['PUT /x: spec.replicas is 3, not 1', 'PUT /x spec.replicas: expected <1>, got <3>'],
  ['the watch ended before the event', 'the watch ended before the event'],
  ['GET /x%0Ay%zz%ff: no answer\nat a line', 'GET /x y%zz%ff: no answer'],
])('%s', (message, text) => expect(textOf(message)).toBe(text));

it('cuts long values around the difference', () => {
  const long = 'word '.repeat(200);
  const text = textOf(`x: expected ${long}a ${long}, got ${long}b ${long}`);
  expect(text).toMatch(/^x: expected …[word ]{24}<a>[word ]{24}…, got …[word ]{24}<b>[word ]{24}…$/);
});

describe('the difference', () => {
  it.each([
    ['a b', 'a b', ['a b', '', ''], ['a b', '', '']],
    ['a b c', 'a x c', ['a ', 'b', ' c'], ['a ', 'x', ' c']],
    ['a a', 'a a a', ['a a', '', ''], ['a a ', 'a', '']],
    ['', 'a', ['', '', ''], ['', 'a', '']],
  ])('%s, %s', (expected, got, first, second) => {
    const [a, b] = markDifference(expected, got);
    expect([Object.values(a), Object.values(b)]).toEqual([first, second]);
  });
});

it('contains no control sequences for a terminal', () => {
  expect(textOf(allHostile)).not.toMatch(/\p{Cc}/u);
  expect(textOf(`x: expected ${allHostile}, got %1b%5b31m%0d`)).not.toMatch(/\p{Cc}/u);
});
