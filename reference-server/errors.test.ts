// What the log says of an error that should not have happened.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { reportError } from './errors.js';

describe('an internal error', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('shows its message on one line, and where it was thrown', () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    reportError(new TypeError('bad \x1b[31m\nnode: all is well'));
    const [first, second] = written.join('').split('\n');
    expect(first).toBe('internal error: TypeError: bad ?[31m?node: all is well');
    expect(second).toMatch(/^ +at /);
  });
});
