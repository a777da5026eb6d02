// Tests values in messages: short ones are whole, long ones are cut.
import { expect, test } from 'vitest';
import { excerpt } from './excerpt.js';

test.each([
  ['a', '"a"'],
  ['a"b', '"a\\"b"'],
  [5, '5'],
  [null, 'null'],
  [undefined, 'null'],
  [[], '[]'],
  [[1, 'b', [true]], '[1,"b",[true]]'],
  [{ a: 1, b: undefined, c: { d: [] } }, '{"a":1,"c":{"d":[]}}'],
])('%j is quoted as %s', (value, text) => expect(excerpt(value)).toBe(text));

test.each([
  ['a text', 'x'.repeat(1_000_000)],
  ['a list', Array.from({ length: 100_000 }, () => 'x')],
  ['an object', Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]))],
  ['a name', { ['x'.repeat(1_000_000)]: 1 }],
  ['what is nested deep', JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`)],
])('a long %s is cut', (_, value) => {
  const text = excerpt(value);
  expect(text.length).toBeLessThan(300);
  expect(text.endsWith('…')).toBe(true);
});
