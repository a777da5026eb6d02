import { expect, it } from 'vitest';
import { withBoth } from './firstOfAll.js';

const pair = { one: 'ip', all: 'ips', itemOf: (ip: string) => ({ ip }), valueIn: ({ ip }: { ip: string }) => ip };

it.each([
  [{}, {}],
  [{ ip: 'a' }, { ip: 'a', ips: [{ ip: 'a' }] }],
  [{ ips: [{ ip: 'a' }, { ip: 'b' }] }, { ip: 'a', ips: [{ ip: 'a' }, { ip: 'b' }] }],
  [
    { ip: 'a', ips: [{ ip: 'a' }, { ip: 'b' }] },
    { ip: 'a', ips: [{ ip: 'a' }, { ip: 'b' }] },
  ],
  [
    { ip: 'c', ips: [{ ip: 'a' }, { ip: 'b' }] },
    { ip: 'c', ips: [{ ip: 'c' }] },
  ],
  [
    { ip: '', ips: [] },
    { ip: '', ips: [] },
  ],
])('%j becomes %j', (fields, expected) => {
  expect(withBoth(fields, pair)).toEqual(expected);
});
