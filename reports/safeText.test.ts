// Cuts of long texts: a mark is never longer than what it hides, and names keep their end.
import { expect, it } from 'vitest';
import { cutInside, cutTo } from './safeText.js';

it.each([
  ['x'.repeat(20), 'x'.repeat(20)],
  ['x'.repeat(36), 'x'.repeat(36)],
  ['x'.repeat(100), `${'x'.repeat(20)}… (80 characters more)`],
])('cuts %s', (text, cut) => {
  expect(cutTo(text, 20)).toBe(cut);
});

it.each([
  ['short', 'short'],
  ['a-very-long-name-before', 'a-v…ore'],
  ['two\nlines', 'two'],
])('cuts the name %s inside', (text, cut) => {
  expect(cutInside(text, 8)).toBe(cut);
});
