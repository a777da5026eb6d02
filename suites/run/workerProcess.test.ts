import { expect, it } from 'vitest';
import { contextName } from './workerProcess.js';

it('names each context of a worker differently, and as a part of the names of objects', () => {
  const names = Array.from({ length: 700 }, (_, n) => contextName('1', n));
  expect(names[0]).toBe('1');
  expect(new Set(names).size).toBe(700);
  expect(names.filter((name) => !/^1[a-z]*$/.test(name))).toEqual([]);
});
