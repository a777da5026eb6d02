// Lines of the log: whatever somebody sent, they stay lines, and a terminal obeys none of it.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { reportError } from './errors.js';
import { logLine } from './logLine.js';

describe('a line of the log', () => {
  it.each([
    ['as it is, ümläute and 密码 too', 'as it is, ümläute and 密码 too'],
    ['\x1b[31mred\x1b[0m', '\\u001b[31mred\\u001b[0m'],
    ['a\r\nb\tc\x00\x7f\x9b', 'a\\u000d\\u000ab\\u0009c\\u0000\\u007f\\u009b'],
    ['left\u202eright\u2028', 'left\\u202eright\\u2028'],
    ['x'.repeat(3000), `${'x'.repeat(2000)}… (3000 characters)`],
  ])('has %j', (text, shown) => expect(logLine(text)).toBe(shown));
});

describe('an internal error', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('shows its message on one line, and where it was thrown', () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    reportError(new TypeError('bad \x1b[31m\nnode: all is well'));
    const [first, second] = written.join('').split('\n');
    expect(first).toBe('internal error: TypeError: bad \\u001b[31m\\u000anode: all is well');
    expect(second).toMatch(/^ +at /);
  });
});
