// Tests which addresses may be dialled: none of this machine, under any name. No test sends anything.
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { requireAllowed, requireOthers } from './addresses.js';

const refusal = expect.objectContaining({ code: 400, message: 'address not allowed' });
const errorOf = (act: () => void): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe('an address', () => {
  it.each(['127.0.0.1', '127.9.9.9', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1', '169.254.169.254', 'fe80::1%lo'])(
    '%s is never dialled',
    (address) => {
      expect(errorOf(() => requireAllowed(address))).toEqual(refusal);
      expect(errorOf(() => requireOthers(address, []))).toEqual(refusal);
    },
  );

  it.each([
    ['192.0.2.7', ['192.0.2.7'], refusal],
    ['::ffff:192.0.2.7', ['192.0.2.7'], refusal],
    ['192.0.2.8', ['192.0.2.7'], undefined],
    ['2001:db8::7', ['2001:db8::7', '192.0.2.7'], refusal],
    ['2001:db8:0:0::7', ['2001:db8::7'], refusal],
    ['2001:db8::8', ['2001:db8::7', 'fe80::1%eth0'], undefined],
  ])('%s on a machine with %j', (address, own, answer) => {
    expect(errorOf(() => requireOthers(address, own))).toEqual(answer);
  });

  it('of this machine is not dialled', () => {
    for (const { address } of Object.values(networkInterfaces()).flatMap((each = []) => each))
      expect([address, errorOf(() => requireOthers(address))]).toEqual([address, refusal]);
  });
});
