import { expect, it } from 'vitest';
import { Recent } from './recent.js';

it('drops the oldest where there are too many', () => {
  const recent = new Recent<number>();
  for (let thing = 0; thing < 20_005; thing += 1) recent.add(thing, 100);
  expect([recent.all.length, recent.all[0], recent.all.at(-1)]).toEqual([20_000, 5, 20_004]);
});

it('drops the oldest where they are too long', () => {
  const recent = new Recent<string>();
  const megabytes = 1024 * 1024;
  recent.add('first', 40 * megabytes);
  recent.add('second', 20 * megabytes);
  recent.add('third', 30 * megabytes);
  expect(recent.all).toEqual(['second', 'third']);
});
