// A list of a version that is still to come is a fault, unless the list has reached it.
import { expect, it } from 'vitest';
import { Reply } from '../client/reply.js';
import { showsNothingOlder } from './lists.js';

const wanted = '1152921504606846976';
const reply = (status: number, metadata: object): Reply =>
  new Reply('GET', status, { 'content-type': 'application/json' }, Buffer.from(JSON.stringify({ metadata })));

it.each([
  ['has the version', reply(200, { resourceVersion: wanted })],
  ['is newer', reply(200, { resourceVersion: '1152921504607846979' })],
  ['is refused', reply(504, {})],
  ['does not come', undefined],
])('a list that %s passes', (_, answer) => {
  expect(() => showsNothingOlder(answer, wanted)).not.toThrow();
});

it.each([
  ['is older', reply(200, { resourceVersion: '1152921504606846975' })],
  ['is older, in fewer digits', reply(200, { resourceVersion: '9' })],
  ['has no version', reply(200, {})],
  ['has no number', reply(200, { resourceVersion: 'later' })],
])('a list that %s fails', (_, answer) => {
  expect(() => showsNothingOlder(answer, wanted)).toThrow(/while the version asked for is still to come/);
});
