// Tests allowed addresses and rewritten redirects.
import { describe, expect, test } from 'vitest';
import { requireAllowed } from './addresses.js';
import { proxiedLocation } from './proxy.js';

describe('an address', () => {
  test.each(['10.244.0.5', '192.168.1.1', '8.8.8.8', '2001:db8::1', 'fd00::1', '128.0.0.1'])(
    '%s is allowed',
    (address) => expect(() => requireAllowed(address)).not.toThrow(),
  );

  test.each([
    '127.0.0.1',
    '127.255.1.2',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0.0.0.0',
    '::',
    '169.254.169.254',
    '::ffff:169.254.169.254',
    'fe80::1',
    'fe80::1%eth0',
    '224.0.0.1',
    '239.1.2.3',
    'ff02::1',
    '255.255.255.255',
    'localhost',
    '127.1',
    '0x7f000001',
    '',
  ])('"%s" is not', (address) => expect(() => requireAllowed(address)).toThrow('address not allowed'));
});

test.each([
  ['/x?y=1', '/p/proxy/x?y=1'],
  ['/', '/p/proxy/'],
  ['/p/proxy/x', '/p/proxy/x'],
  ['/p/proxyx', '/p/proxy/p/proxyx'],
  ['x/y', 'x/y'],
  ['?q', '?q'],
  ['', ''],
  ['http://10.0.0.1:80/same/', '/p/proxy/same/'],
  ['HTTP://front/a', '/p/proxy/a'],
  ['https://front', '/p/proxy/'],
  ['//front/a', '/p/proxy/a'],
  ['//other/a', '//other/a'],
  ['http://other/a', 'http://other/a'],
  ['mailto:a@b', 'mailto:a@b'],
])('Location: %s', (location, expected) => {
  expect(proxiedLocation(location, { prefix: '/p/proxy', hosts: ['10.0.0.1:80', 'front'] })).toBe(expected);
});
