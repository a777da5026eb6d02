import { expect, it } from 'vitest';
import { nearest, unknownField, unknownName } from './nearest.js';

it.each([
  ['create.anwser', ['create.answer', 'create.effect'], 'create.answer'],
  ['', ['ab', 'a'], 'a'],
  ['errors', ['error', 'errand'], 'error'],
  ['rnu', ['rnuxx', 'run'], 'run'],
  ['x', [], undefined],
])('%s among %j is %s', (written, known, found) => expect(nearest(written, known)).toBe(found));

it.each([
  ['smok', 'there is no profile smok; did you mean smoke? There are smoke, full'],
  ['tiny', 'there is no profile tiny; there are smoke, full'],
])('%s is suggested a name only where one is near', (written, sentence) => {
  expect(unknownName('profile', written, ['smoke', 'full'])).toBe(sentence);
});

it('lists no more names than somebody reads', () => {
  const kinds = Array.from({ length: 31 }, (_, index) => `kind${index}s`);
  expect(unknownName('kind', 'kind7', kinds)).toBe('there is no kind kind7; did you mean kind7s?');
});

it('suggests the name of a field', () => {
  expect(unknownField('nmae', ['name', 'url'])).toBe('unknown field nmae; did you mean name? Known are name, url');
  expect(unknownField('zzzzz', ['name'])).toBe('unknown field zzzzz; known are name');
});
