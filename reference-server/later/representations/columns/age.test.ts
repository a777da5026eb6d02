import { expect, it } from 'vitest';
import { ageOf, durationText } from './age.js';

const [minute, hour, day, year] = [60, 3600, 86_400, 31_536_000];

it.each([
  [-2, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [119, '119s'],
  [2 * minute, '2m'],
  [3 * minute + 10, '3m10s'],
  [10 * minute + 59, '10m'],
  [3 * hour - 1, '179m'],
  [3 * hour, '3h'],
  [7 * hour + 59 * minute, '7h59m'],
  [8 * hour + 59 * minute, '8h'],
  [47 * hour, '47h'],
  [2 * day, '2d'],
  [2 * day + 4 * hour, '2d4h'],
  [8 * day + 4 * hour, '8d'],
  [2 * year - 1, '729d'],
  [2 * year, '2y'],
  [6 * year + 328 * day, '6y328d'],
  [8 * year + 300 * day, '8y'],
])('%s seconds are %s', (seconds, text) => expect(durationText(seconds * 1000)).toBe(text));

it('the age of an absent time is unknown', () => {
  expect([ageOf(undefined, 0), ageOf(null, 0), ageOf('', 0)]).toEqual(['<unknown>', '<unknown>', '<unknown>']);
  expect(ageOf('1970-01-01T00:00:05Z', 7500)).toBe('2s');
});
