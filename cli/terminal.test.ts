// Tests colours, and log lines: text of any client stays on one line, without control characters.
import { describe, expect, it } from 'vitest';
import { hasColours, logLine } from './terminal.js';

describe('a line of the log', () => {
  it.each([
    ['as it is, ümläute and 密码 too', 'as it is, ümläute and 密码 too'],
    ['\x1b[31mred\x1b[0m', '\\u001b[31mred\\u001b[0m'],
    ['a\r\nb\tc\x00\x7f\x9b', 'a\\u000d\\u000ab\\u0009c\\u0000\\u007f\\u009b'],
    ['left\u202eright\u2028', 'left\\u202eright\\u2028'],
    ['x'.repeat(3000), `${'x'.repeat(2000)}… (3000 characters)`],
  ])('has %j', (text, shown) => expect(logLine(text)).toBe(shown));
});

describe('colours', () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '3' }, false, true],
    [{ FORCE_COLOR: 'true' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: 'false' }, true, false],
    [{ FORCE_COLOR: '' }, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ NO_COLOR: '', FORCE_COLOR: '1' }, false, true],
  ])('%j on a terminal %s: %s', (environment, isTerminal, shown) => {
    expect(hasColours(environment, isTerminal)).toBe(shown);
  });
});
