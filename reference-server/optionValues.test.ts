import { expect, it } from 'vitest';
import { OptionError, parseDuration } from './optionValues.js';

it.each([
  ['0', 0],
  ['0s', 0],
  ['500ms', 500],
  ['90s', 90_000],
  ['2m', 120_000],
  ['2m0s', 120_000],
  ['1.5h', 5_400_000],
  ['1h30m5s10ms', 5_405_010],
])('%s is %d ms', (text, milliseconds) => expect(parseDuration('--ttl', text)).toBe(milliseconds));

it.each(['', '2', '-2m', 'm', '2 m', '2d', '1.m', 'two'])('"%s" is not a duration', (text) => {
  expect(() => parseDuration('--ttl', text)).toThrow(OptionError);
  expect(() => parseDuration('--ttl', text)).toThrow(`--ttl: "${text}" is not a duration`);
});
