// Patterns in the syntax of RE2: what they match, which ones are refused, and that none holds up the server.
import { describe, expect, it } from 'vitest';
import { PatternTooSlow, patternMatcherOf } from './patterns.js';

describe('a pattern', () => {
  it.each([
    ['^a+$', 'aaa', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['(?i)^ABC$', 'abc', true],
    ['\\Aabc\\z', 'abc', true],
    ['\\Aabc\\z', 'abcd', false],
    ['^[[:alpha:]]+[[:digit:]_]$', 'ab_', true],
    ['^(?P<name>a)b$', 'ab', true],
    ['^\\p{L}+$', 'äß', true],
    ['^\\\\A$', '\\A', true],
    ['^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$', 'a-1', true],
    ['^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$', 'a-', false],
  ])('%s on %s: %s', (pattern, text, matches) => expect(patternMatcherOf(pattern)(text)).toBe(matches));

  it.each(['(', '(?=a)b', '(?<!a)b', '(a)\\1', '[', 'a**'])('%s is refused', (pattern) => {
    expect(() => patternMatcherOf(pattern)).toThrow(SyntaxError);
  });

  it('matches in linear time where the engine can', () => {
    expect(patternMatcherOf('^(a+)+$')(`${'a'.repeat(100_000)}!`)).toBe(false);
    expect(patternMatcherOf('^(a|aa)*b$')('a'.repeat(100_000))).toBe(false);
  });

  it('matches long texts in the faster engine, and gives up where both would hold up the server', () => {
    expect(patternMatcherOf('^[a-z]+$')('a'.repeat(300_000))).toBe(true);
    expect(() => patternMatcherOf('^(a+)+$')(`${'a'.repeat(3_000_000)}!`)).toThrow(PatternTooSlow);
  });

  it('is given up where a match takes too long', () => {
    expect(() => patternMatcherOf('^(a{1,20}){1,20}(a{1,20}){1,20}$')(`${'a'.repeat(500)}!`)).toThrow(PatternTooSlow);
  });
});
