// Tests that a message whose two values are swapped is found, and no other.
import { expect, it } from 'vitest';
import { exchange, requirement, result, sampleCase } from '../../reports/testing/sample.js';
import { swappedIn } from './swapped.js';

const one = sampleCase(requirement('patch.merge-patch'), 'configmaps');
/** The suite sent `mine`, and the server answered `theirs`. */
const sample = exchange('1', {
  request: { method: 'PATCH', url: 'https://server/a-7', headers: [], body: { text: '{"a":"mine","b":5}', bytes: 18 } },
  response: { status: 200, headers: [], body: { text: '{"a":"theirs","b":0}', bytes: 20 } },
});

it.each([
  ['data.a: expected "mine", got "theirs"', false],
  ['data.a: expected "theirs", got "mine"', true],
  ['data.a is "mine", not "theirs"', true],
  ['data.a: expected "theirs", got absent', false],
  ['the server has no such object', false],
  ['data.b: expected 0, got 5', true],
  ['the size of the body: expected 0, got 18', false],
  ['a part of a name: expected 0, got 7', false],
])('%s: %j', (message, isSwapped) => {
  const failed = { ...result(one, 'failed'), message, exchanges: ['1'] };
  expect(swappedIn([failed], [sample])).toEqual(isSwapped ? [`${one.id}: ${message}`] : []);
});
