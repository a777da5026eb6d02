// The words of causes: texts as Go writes them, in which nothing is hidden.
import { expect, it } from 'vitest';
import { Causes } from './causes.js';

it.each([
  ['a "b" \\', '"a \\"b\\" \\\\"'],
  ['\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
  ['\0\x1b\x7f', '"\\x00\\x1b\\x7f"'],
  ['\u0085\u00a0\u2028\u200b\ufeff', '"\\u0085\\u00a0\\u2028\\u200b\\ufeff"'],
  ['é漢😀', '"é漢😀"'],
  ['\u{e0001}', '"\\U000e0001"'],
])('%j', (value, text) => {
  const causes = new Causes();
  causes.invalid('a', value, 'w');
  causes.duplicate('a', value);
  causes.notSupported('a', value, ['b']);
  expect(causes.list.map(({ message }) => message)).toEqual([
    `Invalid value: ${text}: w`,
    `Duplicate value: ${text}`,
    `Unsupported value: ${text}: supported values: "b"`,
  ]);
});
