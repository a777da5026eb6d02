// Tests the log of unexpected errors.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { reportError } from './statusError.js';

describe('an internal error', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('is logged with its message on one line, and its stack', () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    reportError(new TypeError('bad \x1b[31m\nnode: all is well'));
    const [first, second] = written.join('').split('\n');
    expect(first).toBe('internal error: TypeError: bad ?[31m?node: all is well');
    expect(second).toMatch(/^ +at /);
  });
});
