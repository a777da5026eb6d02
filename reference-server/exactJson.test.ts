// Exact integers in JSON: what is a number and what is a bigint, and that every value survives.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText, mayHaveFraction, parseJson, writtenNumber, writtenValue } from './exactJson.js';

describe('exact integers', () => {
  it.each<[string, unknown, string?]>([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', 2 ** 63, '9223372036854776000'],
    ['12345678901234567890123', 1.2345678901234568e22, '1.2345678901234568e+22'],
    ['1.0000000000000001', 1, '1'],
    ['9007199254740993.0', 9007199254740992, '9007199254740992'],
    ['1e18', 1e18, '1000000000000000000'],
    ['"9007199254740993"', '9007199254740993'],
    ['"\\\\\\"9007199254740993"', '\\"9007199254740993'],
    ['{"a":"\\"","9007199254740993":[1,9007199254740993]}', { a: '"', '9007199254740993': [1, 9007199254740993n] }],
    [' [ 9007199254740993 ,{} ] ', [9007199254740993n, {}], '[9007199254740993,{}]'],
    ['{"__proto__":9007199254740993}', JSON.parse('{"__proto__":1}')],
  ])('%s', (text, value, written = text) => {
    const parsed = parseJson(text);
    if (!text.includes('__proto__')) expect(parsed).toEqual(value);
    expect(jsonText(parsed)).toBe(written);
  });

  it.each(['{"a":9007199254740993', '9007199254740993 1', '"9007199254740993'])('%s is no JSON', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it('keep every value', () => {
    const { value } = fc.letrec((again) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((int) => {
          const nearest = Number(int);
          return Number.isSafeInteger(nearest) ? nearest : int;
        }),
        fc.string(),
        fc.constantFrom('"9007199254740993"', '\\', '9007199254740993', 1.5, null, true),
        fc.array(again('value'), { maxLength: 4 }),
        fc.dictionary(fc.string(), again('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (given, space) => {
        const text = jsonText(given, space);
        expect(parseJson(text)).toEqual(given);
        // A bigint has the text of its digits, and nothing else changes.
        expect(text.replace(/\d{16,}/g, '0')).toBe(
          JSON.stringify(given, (_name, inner) => (typeof inner === 'bigint' ? Number(inner) : inner), space).replace(
            /\d{16,}/g,
            '0',
          ),
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe('a number', () => {
  it.each<[string, unknown]>([
    ['{"a":3.0,"b":[1,-1e3,{"c":"1.5"}],"1.5":2}', { a: '3.0', b: [1, '-1e3', { c: '1.5' }], '1.5': 2 }],
    ['{"a":1.5,"b":-2.50e1}', { a: 1.5, b: '-2.50e1' }],
    ['{"a" : 5.0 , "b\\":1.0":"\\\\"}', { a: '5.0', 'b":1.0': '\\' }],
    ['[ 2E+1]', ['2E+1']],
  ])('that is whole, with a fraction or an exponent, is what is written in %s', (text, value) => {
    const shown = (inner: unknown): unknown => writtenNumber(inner) ?? inner;
    expect(mayHaveFraction(text)).toBe(true);
    expect(JSON.parse(jsonText(writtenValue(text), 0, shown))).toEqual(value);
  });

  it.each(['{"image":"a:1.5","b":[12,3],"c":-0}', '"1.0"', '{}'])('has neither in %s', (text) => {
    expect(mayHaveFraction(text)).toBe(false);
  });
});
