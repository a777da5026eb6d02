import { expect, it } from 'vitest';
import { nearest } from './nearest.js';

it.each([
  ['create.anwser', ['create.answer', 'create.effect'], 'create.answer'],
  ['', ['ab', 'a'], 'a'],
  ['errors', ['error', 'errand'], 'error'],
  ['x', [], undefined],
])('%s among %j is %s', (written, known, found) => expect(nearest(written, known)).toBe(found));
