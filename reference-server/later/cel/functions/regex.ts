// The functions with patterns of RE2.
import { PatternBudget, PatternTooSlow, patternOf } from '../patterns.js';
import { List } from '../values.js';
import { define, fail, matchCost, type Overload } from './define.js';

/** The time that the patterns of the running expression may take. Who runs it sets the budget of the request. */
export const patternTime = { budget: new PatternBudget() };

/** Runs a match. A pattern that is none, or that takes too long, fails the expression. */
function withPattern<Result>(text: string, match: (pattern: ReturnType<typeof patternOf>) => Result): Result {
  try {
    return match(patternOf(text));
  } catch (error) {
    if (error instanceof PatternTooSlow) return fail(error.message);
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function findAll(text: string, pattern: string, most = -1n): List {
  if (most === 0n) return new List([]);
  const limit = most < 0n || most > 1_000_000n ? undefined : Number(most);
  return new List(withPattern(pattern, (known) => known.findAll(text, patternTime.budget, limit)));
}

export const regex: readonly Overload[] = [
  ...['(string).matches(string): bool', 'matches(string, string): bool'].map((signature) =>
    define<[string, string]>(
      signature,
      (text, pattern) => withPattern(pattern, (known) => known.matches(text, patternTime.budget)),
      matchCost,
    ),
  ),
  define<[string, string]>(
    '(string).find(string): string',
    (text, pattern) => withPattern(pattern, (known) => known.findAll(text, patternTime.budget, 1))[0] ?? '',
    matchCost,
    ({ most }) => ({ least: 0, most }),
  ),
  define<[string, string]>('(string).findAll(string): list(string)', findAll, matchCost, ({ most }) => ({
    least: 0,
    most,
  })),
  define<[string, string, bigint]>('(string).findAll(string, int): list(string)', findAll, matchCost, ({ most }) => ({
    least: 0,
    most,
  })),
];
