// The formats of strings: which texts they take, as apiextensions-apiserver 0.36 does, whatever the length of the text.
import { describe, expect, it } from 'vitest';
import { formatCheck, formatNames } from './formats.js';

/** Texts of each format, and texts that are not. */
const texts: Readonly<Record<string, readonly [taken: readonly string[], refused: readonly string[]]>> = {
  bsonobjectid: [['507f1f77bcf86cd799439011'], ['', '507f1f77-bcf86cd799439011']],
  byte: [
    ['aGk=', 'YQ==', 'AAAA'],
    ['', 'aGk', 'A===', 'AA=A', 'AA==AA==', 'a-_=', 'AA==\n'],
  ],
  cidr: [
    ['1.2.3.4/8', '1.2.3.4/08', '::/128'],
    ['1.2.3.4', '1.2.3.4/33', '1.2.3.4/-1', '::/129', '::1%a/64'],
  ],
  creditcard: [
    ['4111111111111111', '4111-1111-1111-1111', '378282246310005'],
    ['', '4111111111111112', '49927398716'],
  ],
  date: [
    ['2020-01-01', '2020-02-29', '0000-01-01'],
    ['2021-02-29', '2020-1-1', '2020-01-01 ', '02020-01-01'],
  ],
  'date-time': [
    ['2020-12-31T00:00:00Z', '2020-12-31t00:00:00z', '2020-12-31T00:00:00.123+01:00', '2020-12-31T00:00:00,5Z'],
    [
      '2020-12-31T00:00:00',
      '2020-12-31 00:00:00Z',
      '2020-12-31T24:00:00Z',
      '2020-12-31T23:59:60Z',
      '2020-12-31T00:00Z',
    ],
  ],
  duration: [
    ['0', '1s', '1.5h', '1.h', '.5h', '-1h', '1h30m', '22 ns', '2 weeks', '1wk', '5 minutes', '1μs', 'P1D', '1 s x'],
    ['', '1', 's', '1x', '2 wks', '3 hrs', '1fortnight', '9999999999999999999999s', '1µ'],
  ],
  email: [
    ['a@b', 'A <a@b.c>', 'A. B. <a@b>', '"a b"@c.d', '"A@" <a@b>', 'a@[1.2.3.4]', 'a@b (of c)', ' a@b ', 'é@b.c'],
    ['a', 'a@b.', '.a@b', 'a..b@c', 'a b@c.d', 'A@ <a@b>', 'a@b,c@d', 'a@b\n', '""@b', 'a@b@c', '(of c) a@b', '<a@b'],
  ],
  hexcolor: [
    ['#FFF', '#ffffff', 'fff'],
    ['#ffff', '#12345g'],
  ],
  hostname: [
    ['a', 'example.com', 'a--b.cd', 'a-b', 'n-', 'x.éé', '€.com', `a.${'b'.repeat(63)}`],
    ['', '1.2.3.4', 'my-name', '-a.com', 'a-.com', 'a..bc', 'a.com.', 'a_b.com', 'a.b', `${'x'.repeat(64)}.com`],
  ],
  ipv4: [
    ['1.2.3.4', '01.2.3.4', '::ffff:1.2.3.4'],
    ['', '1.2.3', '1.2.3.256', '::1', '1.2.3.4 '],
  ],
  ipv6: [
    ['::1', '::01', '::1.2.3.4'],
    ['1.2.3.4', 'fe80::1%eth0', '1::2::3', '12345::'],
  ],
  isbn: [
    ['0321751043', '978-0321751041', '0 321 75104 3'],
    ['0321751044', '9780321751042', 'X321751043'],
  ],
  isbn10: [
    ['0321751043', '080442957X'],
    ['9780321751041', '080442957x'],
  ],
  isbn13: [['9780321751041', '978 0321751041'], ['0321751043']],
  'k8s-long-name': [
    ['my.name', 'x'.repeat(64), '1.5'],
    ['', 'My-name', 'a.', 'a..b', '-n', `${'a.'.repeat(127)}a`],
  ],
  'k8s-short-name': [
    ['my-name', '1'],
    ['', 'my.name', 'n-', 'x'.repeat(64)],
  ],
  mac: [
    ['00:00:5e:00:53:01', '00-00-5E-00-53-01', '0000.5e00.5301', '00005e005301', '00:00:5e:00:53:01:02:03'],
    ['00:00:5e-00:53:01', '0000-5e00-5301', '0:0:5e:0:53:1', '00:00:5e:00:53', 'zz:00:5e:00:53:01'],
  ],
  rgbcolor: [
    ['rgb(1,2,3)', 'rgb( 1 , 2 ,255 )'],
    ['rgb(256,1,1)', 'rgb(01,2,3)', 'rgba(1,2,3)', 'RGB(1,2,3)'],
  ],
  ssn: [
    ['111-22-3333', '111 22-3333'],
    ['111223333', '11-22-3333'],
  ],
  uri: [
    [
      'http://a.b/c',
      '/rel',
      '//a/b',
      'a:b',
      'http://',
      '*',
      'http://[::1]:80/',
      'http://a.b:/',
      '/a b',
      'http://a?b=%zz',
    ],
    [
      '',
      'a',
      ':a',
      '?x',
      'http://a b',
      'http://a.b:80a/',
      'http://a.b/%zz',
      'http://[::1',
      'http://u p@h/',
      'http://a\tb',
    ],
  ],
  uuid: [
    ['987fbc97-4bed-5078-9f07-9141ba07c9f3', '987fbc974bed50789f079141ba07c9f3'],
    ['{987fbc97-4bed-5078-9f07-9141ba07c9f3}', 'urn:uuid:987fbc97-4bed-5078-9f07-9141ba07c9f3'],
  ],
  uuid3: [['a987fbc9-4bed-3078-0f07-9141ba07c9f3'], ['57b73598-8764-4ad0-a76a-679bb6640eb1']],
  uuid4: [['57b73598-8764-4ad0-a76a-679bb6640eb1'], ['57b73598-8764-4ad0-076a-679bb6640eb1']],
  uuid5: [['987fbc97-4bed-5078-af07-9141ba07c9f3'], ['987fbc97-4bed-5078-0f07-9141ba07c9f3']],
};

describe.each(Object.entries(texts))('the format %s', (format, [taken, refused]) => {
  const check = formatCheck(format);
  it.each(taken)('takes "%s"', (text) => expect(check?.(text)).toBe(true));
  it.each(refused)('refuses "%s"', (text) => expect(check?.(text)).toBe(false));
});

it('knows no others', () => {
  const known = Object.keys(texts).map((name) => name.replaceAll('-', ''));
  expect([...known, 'password'].sort()).toEqual([...formatNames].sort());
  for (const name of ['ip', 'int32', 'ulid', 'uri-reference', 'constructor']) expect(formatCheck(name)).toBeUndefined();
});

describe('a long text of a client', () => {
  const parts = [
    '1s',
    '1',
    '1 ',
    's',
    '1.',
    '1min',
    'a',
    'a@',
    'a.',
    '%',
    ':',
    '-',
    '0000-00-00T00:00:00Z',
    '/',
    '"',
    '<',
  ];
  const takesAny = ['password', 'duration'];
  const names = formatNames.filter((name) => !takesAny.includes(name));
  it.each(names.flatMap((format) => parts.map((part) => [format, part] as const)))(
    'is read once by the format %s: many times "%s"',
    (format, part) => expect(formatCheck(format)?.(`${part.repeat(25_000)}!\u0001`)).toBe(false),
  );
  it.each(parts)('is read once as a duration: many times "%s"', (part) =>
    expect(formatCheck('duration')?.(`${part.repeat(25_000)}!`)).toBe(/^1 ?(s|min)/.test(part)),
  );
});
