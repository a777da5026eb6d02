import fc from 'fast-check';
import { CORE_SCHEMA, load, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { jsonText, parseJson } from '../exactJson.js';
import { StatusError } from '../statusError.js';
import { yaml } from './yaml.js';

const decode = (text: string) => yaml.decode(Buffer.from(text));
const encode = (value: Record<string, unknown>) => Buffer.from(yaml.encode(value, false)).toString();
const fault = (text: string): string => {
  try {
    decode(text);
  } catch (error) {
    if (error instanceof StatusError && error.code === 400) return error.message;
    throw error;
  }
  return 'no fault';
};

describe('scalars are read as API servers read them', () => {
  it.each([
    ['y', true],
    ['No', false],
    ['on', true],
    ['010', 8],
    ['0o10', 8],
    ['0x1F', 31],
    ['0b11', 3],
    ['1_000', 1000],
    ['+1', 1],
    ['1e3', 1000],
    ['.5', 0.5],
    ['1.', 1],
    ['2020-01-01', '2020-01-01'],
    ['2001-12-14t21:59:43.10-05:00', '2001-12-14t21:59:43.10-05:00'],
    ['12:30:45', '12:30:45'],
    ['12:30:45.5', '12:30:45.5'],
    ['~', null],
    ['Null', null],
    ['', null],
    ['1,000', '1,000'],
    ['!!str 5', '5'],
    ['"yes"', 'yes'],
  ])('%s', (text, value) => expect(decode(`a: ${text}`)).toEqual({ a: value }));

  it('a number that no float holds is a text', () =>
    expect(decode('a: [740e452689378683, -1.5E+9999]')).toEqual({ a: ['740e452689378683', '-1.5E+9999'] }));

  it('keys are strings', () => expect(decode('1: a\ntrue: b\nnull: c')).toEqual({ 1: 'a', true: 'b', null: 'c' }));
});

describe('refused texts', () => {
  it.each([
    ['a: 1\na: 2', 'duplicated mapping key (line 2, column 1)'],
    ['a: {__proto__: 1}', 'the key "__proto__" is not allowed (line 1, column 5)'],
    ['a: .inf', 'unsupported value: .inf'],
    ['a: .NaN', 'unsupported value: .NaN'],
    ['a: !!binary aGk=', 'unknown scalar tag !<tag:yaml.org,2002:binary> (line 1, column 4)'],
    ['a: !thing x', 'unknown scalar tag !<!thing> (line 1, column 4)'],
    ['? [1]\n: 2', 'a key of a mapping must be a scalar (line 1, column 1)'],
    ['a: [', 'unexpected end of the stream within a flow collection (line 1, column 5)'],
    ['a: b: c', 'bad indentation of a mapping entry (line 1, column 5)'],
    ['a: 1\n---\nb: 2', '2 documents, where one is expected'],
    ['a: *nobody', 'unidentified alias "nobody" (line 1, column 5)'],
    ['a: &a [*a]', 'the aliases of the document expand to too much'],
    ['['.repeat(1001), 'nesting exceeded maxDepth (1000) (line 1, column 1000)'],
  ])('%j', (text, message) => {
    expect(fault(text)).toBe(`yaml parse error: ${message}`);
  });

  it('bytes that are not UTF-8', () => {
    expect(() => yaml.decode(Buffer.from('613aff', 'hex'))).toThrow('invalid UTF-8 (line 1, column 3)');
  });
});

describe('aliases', () => {
  it('are copies', () => {
    const value = decode('a: &x {b: [1]}\nc: *x\nd:\n  <<: *x\n  e: 2') as { a: object; c: object };
    expect(value).toEqual({ a: { b: [1] }, c: { b: [1] }, d: { b: [1], e: 2 } });
    expect(value.a).not.toBe(value.c);
  });

  const chain = (levels: number, width: number) => [
    'k0: &k0 [x]',
    ...Array.from(
      { length: levels },
      (_, at) => `k${at + 1}: &k${at + 1} [${new Array(width).fill(`*k${at}`).join()}]`,
    ),
  ];

  it.each([
    ['ten levels of nine', chain(10, 9).join('\n')],
    ['forty levels of two', chain(40, 2).join('\n')],
    ['more than a hundred', ['a: &a 1', ...Array.from({ length: 101 }, (_, at) => `k${at}: *a`)].join('\n')],
    [
      'a long text fifty times',
      `a: &a "${'x'.repeat(100_000)}"\n${Array.from({ length: 50 }, (_, at) => `k${at}: *a`).join('\n')}`,
    ],
    [
      'depth upon depth',
      [
        'k0: &k0 []',
        ...Array.from({ length: 9 }, (_, at) => `k${at + 1}: &k${at + 1} ${'['.repeat(500)}*k${at}${']'.repeat(500)}`),
      ].join('\n'),
    ],
    [
      'depth upon depth, met the deep end first',
      [
        '"9": &k0 []',
        ...Array.from({ length: 9 }, (_, at) => `"${8 - at}": &k${at + 1} ${'['.repeat(500)}*k${at}${']'.repeat(500)}`),
      ].join('\n'),
    ],
  ])('are bounded: %s', (_, text) => {
    expect(fault(text)).toMatch(/aliases|nesting/);
  });
});

describe('encoding', () => {
  it('is block style with sorted keys', () => {
    const value = {
      kind: 'List',
      items: [{ metadata: { name: 'a' }, data: {} }, [1, [2]]],
      empty: [],
      at: '2026-11-21T01:26:55Z',
    };
    expect(encode(value)).toBe(
      'at: "2026-11-21T01:26:55Z"\nempty: []\nitems:\n- data: {}\n  metadata:\n    name: a\n- - 1\n  - - 2\nkind: List\n',
    );
  });

  it.each([
    'yes',
    'y',
    'on',
    'No',
    '010',
    '0o17',
    '0x1f',
    '1e3',
    '1_000',
    '.5',
    '2020-01-01',
    '12:30:45',
    '~',
    'null',
    '',
    'true',
    '.inf',
    '- a',
    'a: b',
    '#x',
    'a #b',
    '*a',
    '&a',
    '!x',
    '@x',
    '`x',
    '%x',
    '?',
    '=',
    '<<',
    'a\nb\n',
    ' lead',
    'trail ',
    '\t',
    '\u0007',
    '\ufeff',
    "it's",
    '"q"',
  ])('%j survives a reader of either version, as a value and as a key', (text) => {
    const source = encode({ [text]: text, list: [text] });
    for (const schema of [CORE_SCHEMA, YAML11_SCHEMA])
      expect(load(source, { schema })).toEqual({ [text]: text, list: [text] });
    expect(decode(source)).toEqual({ [text]: text, list: [text] });
  });

  it.each(['x', ' ', '1', '<<', '\\', 'a\n', '"\n', ': ', '\u2028', '\ud83d\ude00'])(
    'a long text of %j survives, and other texts beside it are written as before',
    (unit) => {
      const long = unit.repeat(3_000_000 / unit.length);
      const source = encode({ a: 'one\ntwo\n', items: [{ long }, { short: 'x' }], z: 'x'.repeat(70_000) });
      expect(source).toMatch(/^a: \|\n {2}one\n {2}two\nitems:\n- long: "/);
      expect(decode(source)).toEqual({ a: 'one\ntwo\n', items: [{ long }, { short: 'x' }], z: 'x'.repeat(70_000) });
    },
  );

  it('a long text under the key __proto__ is a member like others', () => {
    const value = JSON.parse(`{"a":"b","__proto__":"${'x'.repeat(70_000)}"}`) as Record<string, unknown>;
    expect(encode(value)).toMatch(/^__proto__: "x{70000}"\na: b\n$/);
  });

  it('a text of many lines is a block up to a megabyte', () => {
    const text = 'a line\n'.repeat(100_000);
    expect(encode({ text })).toMatch(/^text: \|\n {2}a line\n/);
    expect(decode(encode({ text }))).toEqual({ text });
  });

  it('any value survives its own reader', () => {
    const values = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(values, (value) => {
        const plain = parseJson(JSON.stringify(value)) as Record<string, unknown>;
        if (jsonText(plain).includes('__proto__')) return;
        expect(parseJson(jsonText(decode(encode(plain))))).toEqual(plain);
      }),
      { numRuns: 300 },
    );
  });
});

it.each(['9e5147', '-1.5E+9999', '.5e99999', '1e3', '476_38.6', '.', '0x1F', '12:30', 'yes', '~'])(
  'quotes the text %s',
  (text) => {
    expect(encode({ text })).toBe(`text: "${text}"\n`);
  },
);
