// Patterns in the syntax of RE2: what they match, which ones are refused, and that none holds up the server.
import { describe, expect, it } from 'vitest';
import { slowPattern, slowText } from '../testing/slowPattern.js';
import { PatternBudget, PatternTooSlow, patternMatcherOf } from './patterns.js';

const matches = (pattern: string, text: string, budget = new PatternBudget()) =>
  patternMatcherOf(pattern)(text, budget);

describe('a pattern', () => {
  it.each([
    ['^a+$', 'aaa', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['(?i)^ABC$', 'abc', true],
    ['^(?i)(red|blue)$', 'RED', true],
    ['(?i:abc)d', 'ABCd', true],
    ['(?i:abc)d', 'ABCD', false],
    ['(?-i)a', 'A', false],
    ['(?U)a+', 'a', true],
    ['(a(?i)b)C', 'aBC', true],
    ['(a(?i)b)C', 'aBc', false],
    ['(?s).+', '\n', true],
    ['^.$', '\n', false],
    ['(?m)^a$', 'b\na', true],
    ['\\Aabc\\z', 'abc', true],
    ['\\Aabc\\z', 'abcd', false],
    ['^[[:alpha:]]+[[:digit:]_]$', 'ab_', true],
    ['[[:^digit:]]', 'a', true],
    ['^(?P<name>a)b$', 'ab', true],
    ['^(?<name>a)b$', 'ab', true],
    ['^\\p{L}+$', 'äß', true],
    ['^\\pL+$', 'äß', true],
    ['^\\pN$', '٣', true],
    ['^\\p{Greek}$', 'α', true],
    ['^\\PL$', 'a', false],
    ['^\\x{41}$', 'A', true],
    ['^a\\Qb.c\\E$', 'ab.c', true],
    ['^a\\Qb.c\\E$', 'abxc', false],
    ['^\\p{letter}\\p{Upper-case Letter}\\pl$', 'aBc', true],
    ['^\\p{^Letter}\\P{ASCII}[\\p{ASCII}-]$', '1éa', true],
    ['^[^\\p{Letter}][\\P{ascii}]$', '1é', true],
    ['^[^\\p{Letter}]$', 'é', false],
    ['^\\p{greek}\\p{old italic}$', 'α𐌀', true],
    ['^(?:(?P<n>a)|(?P<n>b))(?<n>c)$', 'bc', true],
    ['^[(?P<n>](?P<n>a)[](?P<n>b]$', '<ab', true],
    ['^\\Q\\p{x}(?P<n>\\E(?P<n>a)$', '\\p{x}(?P<n>a', true],
    ['^\\p{Any}\\p{Assigned}\\p{LC}\\p{Cn}$', '1ab\u0378', true],
    ['^.$', '😀', true],
    ['^\\\\A$', '\\A', true],
    ['a{,2}', 'a{,2}', true],
    ['^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$', 'a-1', true],
    ['^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$', 'a-', false],
  ])('%s on %s: %s', (pattern, text, expected) => expect(matches(pattern, text)).toBe(expected));

  it.each([
    ['(', 'missing closing ): `(`'],
    ['[', 'missing closing ]: `[`'],
    ['(?=a)b', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<!a)b', 'invalid named capture: `(?<!a)b`'],
    ['(?x)a', 'invalid or unsupported Perl syntax: `(?x`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['\\C', 'invalid escape sequence: `\\C`'],
    ['\\Z', 'invalid escape sequence: `\\Z`'],
    ['[a-\\d]', 'invalid escape sequence: `\\d`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['\\p{Foo}', 'invalid character class range: `\\p{Foo}`'],
    ['\\p{White_Space}', 'invalid character class range: `\\p{White_Space}`'],
    ['[\\P{Emoji}]', 'invalid character class range: `\\P{Emoji}`'],
    ['\\p{Script=Greek}', 'invalid character class range: `\\p{Script=Greek}`'],
    ['\\p{}', 'invalid character class range: `\\p{}`'],
    ['\\p{L', 'invalid character class range: `\\p{L`'],
    ['(a{1000}){1000}', 'invalid repeat count: `{1000}`'],
  ])('%s is refused: %s', (pattern, why) => {
    expect(() => patternMatcherOf(pattern)).toThrow(`error parsing regexp: ${why}`);
  });

  it.each(['^(a+)+$', '^(a|aa)*b$', '(x+x+)+y', '^(a{1,20}){1,20}(a{1,20}){1,20}$'])(
    '%s matches in linear time',
    (pattern) => expect(matches(pattern, `${'a'.repeat(100_000)}!`)).toBe(false),
  );

  it('is given up where the matches of one request would hold up the server', () => {
    const pattern = patternMatcherOf(slowPattern);
    const [budget, other] = [new PatternBudget(), new PatternBudget()];
    budget.left = 50;
    expect(() => pattern(slowText(), budget)).toThrow(PatternTooSlow);
    expect(pattern('ac', other)).toBe(true);
  });
});
