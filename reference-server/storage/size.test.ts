import { expect, test } from 'vitest';
import { sizeOf } from './size.js';

test.each([
  ['a long text by its length', 'x'.repeat(1000), 1000, 1100],
  ['a list by its items', Array.from({ length: 100 }, () => 1), 1600, 2000],
  ['fields by their names and values', { [`k${'x'.repeat(500)}`]: 'y'.repeat(500) }, 1000, 1100],
  ['what is nested', { a: [{ b: 'x'.repeat(1000) }] }, 1000, 1200],
  ['nothing as little', null, 1, 50],
])('counts %s', (_, value, least, most) => {
  expect(sizeOf(value)).toBeGreaterThanOrEqual(least);
  expect(sizeOf(value)).toBeLessThanOrEqual(most);
});
