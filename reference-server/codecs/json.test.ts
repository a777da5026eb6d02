import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StatusError } from '../statusError.js';
import { json } from './json.js';
import { maximumDepth } from './jsonScanner.js';

const decode = (text: string | Uint8Array) => json.decode(Buffer.from(text as string));
const fault = (text: string | Uint8Array): string => {
  try {
    decode(text);
  } catch (error) {
    if (error instanceof StatusError && error.code === 400) return error.message;
    throw error;
  }
  return 'no fault';
};

/** Returns a value with numbers in the place of bigints. */
function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rounded(inner)]));
}

describe('malformed JSON is reported with reason and position', () => {
  it.each([
    ['', 'unexpected end of JSON input (line 1, column 1)'],
    ['{"a":', 'unexpected end of JSON input (line 1, column 6)'],
    ['"abc', 'unexpected end of JSON input (line 1, column 5)'],
    ['nul', 'unexpected end of JSON input (line 1, column 4)'],
    ['not json', "invalid character 'o' in literal null (expecting 'u') (line 1, column 2)"],
    ['{"a":\n  tru}', "invalid character '}' in literal true (expecting 'e') (line 2, column 6)"],
    ['{} x', "invalid character 'x' after top-level value (line 1, column 4)"],
    ['[1 2]', "invalid character '2' after array element (line 1, column 4)"],
    ['{"a":1 "b":2}', `invalid character '\\"' after object key:value pair (line 1, column 8)`],
    ['{"a" 1}', "invalid character '1' after object key (line 1, column 6)"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string (line 1, column 8)"],
    ["{'a':1}", `invalid character "'" looking for beginning of object key string (line 1, column 2)`],
    ['[1,]', "invalid character ']' looking for beginning of value (line 1, column 4)"],
    ['[}', "invalid character '}' looking for beginning of value (line 1, column 2)"],
    ['01', "invalid character '1' after top-level value (line 1, column 2)"],
    ['-', "invalid character '-' looking for beginning of value (line 1, column 1)"],
    ['.5', "invalid character '.' looking for beginning of value (line 1, column 1)"],
    ['"\\x"', "invalid character 'x' in string escape code (line 1, column 3)"],
    ['"\\u12g4"', "invalid character 'u' in string escape code (line 1, column 3)"],
    ['"a\nb"', "invalid character '\\n' in string literal (line 1, column 3)"],
    ['"a\u0000b"', "invalid character '\\u0000' in string literal (line 1, column 3)"],
    ['\u0000', "invalid character '\\u0000' looking for beginning of value (line 1, column 1)"],
    ['[1e999]', 'the number is too large (line 1, column 2)'],
    ['{"a":1,\n"a":2}', 'duplicate key "a" (line 2, column 1)'],
    ['{"a":{"b":1},"\\u0061":2}', 'duplicate key "a" (line 1, column 14)'],
    ['[{"__proto__":1}]', 'the key "__proto__" is not allowed (line 1, column 3)'],
    ['{"\\u005f_proto__":1}', 'the key "__proto__" is not allowed (line 1, column 2)'],
    ['['.repeat(maximumDepth + 1), `nesting is deeper than 1000 (line 1, column ${maximumDepth + 1})`],
  ])('%j', (text, message) => expect(fault(text)).toBe(`json parse error: ${message}`));

  it('also if it is not UTF-8', () => {
    expect(fault(Buffer.from('7b0a2261c3a9223a22ff227d', 'hex'))).toBe(
      'json parse error: invalid UTF-8 (line 2, column 7)',
    );
  });
});

describe('JSON', () => {
  it('at the greatest allowed depth is read', () => {
    const text = '['.repeat(maximumDepth) + ']'.repeat(maximumDepth);
    expect(JSON.stringify(decode(text))).toBe(text);
  });

  it.each([
    '{"a":{"x":1},"b":{"x":1}}',
    '[{"a":1},{"a":1}]',
    ' { "" : [ ] } \n',
    '"\\ud800"',
    '-0.5e+3',
    '{"constructor":1}',
  ])('is read as JSON.parse reads it: %s', (text) => expect(decode(text)).toEqual(JSON.parse(text)));

  it('is accepted and refused as by JSON.parse, for any text', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b\\n"',
      '1',
      '-2.5e3',
      'true',
      'null',
      ' ',
      '"',
      '\\',
      'x',
    );
    const texts = fc.oneof(
      fc.json(),
      fc.array(pieces, { maxLength: 12 }).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const verdict = fault(text);
        if (/duplicate key|__proto__|too large/.test(verdict)) return;
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(verdict).not.toBe('no fault');
          return;
        }
        expect(verdict).toBe('no fault');
        expect(rounded(decode(text))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['one string', JSON.stringify({ a: 'x'.repeat(3_000_000) })],
    ['many numbers', `[${new Array(1_000_000).fill(1).join()}]`],
    ['many escapes', JSON.stringify('\\"'.repeat(700_000))],
    ['many keys', `{${Array.from({ length: 150_000 }, (_, index) => `"key-${index}":0`).join()}}`],
  ])('of 3 MiB is read unchanged: %s', (_, text) => {
    expect(JSON.stringify(decode(text))).toBe(text);
  });
});

describe('encoding', () => {
  const object = { kind: 'ConfigMap', data: { a: 'é' } };
  const text = (bytes: Uint8Array | readonly Uint8Array[]) =>
    (bytes instanceof Uint8Array ? Buffer.from(bytes) : Buffer.concat(bytes)).toString();

  it('is one line and a newline', () => {
    expect(text(json.encode(object, false))).toBe('{"kind":"ConfigMap","data":{"a":"é"}}\n');
  });

  it('is indented by two when pretty', () => {
    expect(text(json.encode(object, true))).toBe('{\n  "kind": "ConfigMap",\n  "data": {\n    "a": "é"\n  }\n}');
  });

  it.each([{}, { data: { a: 'é' } }])('turns a list item into an object: %j', (item) => {
    const whole =
      json.wholeOf?.('v1', 'ConfigMap', json.encodeItem?.('v1', 'ConfigMap', item) ?? Buffer.alloc(0)) ?? '';
    expect(whole.toString()).toBe(`${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', ...item })}\n`);
  });

  it('joins lists from encoded items', () => {
    const items = [object, object].map((item) => json.encodeItem?.('v1', 'ConfigMap', item) ?? Buffer.alloc(0));
    const list = { kind: 'ConfigMapList', metadata: {} };
    for (const of of [[], items.slice(1), items]) {
      const joined = text([...(json.joinList?.(list, () => of) ?? [])]);
      expect(joined).toBe(`${JSON.stringify({ ...list, items: of.map(() => object) })}\n`);
    }
  });

  it('frames events', () => {
    const framed = text(json.frame?.('ADDED', json.encode(object, false)) ?? []);
    expect(framed).toBe('{"type":"ADDED","object":{"kind":"ConfigMap","data":{"a":"é"}}}\n');
  });
});
