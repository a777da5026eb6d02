// The words that a verdict is told in: judged cases, their counts, and the state that counts add up to.
import type { CaseVerdict, Deviation, Exchange, Requirement, Subject } from '../matrix/requirements/index.js';
import type { Timing } from './evidence.js';

/** A case's verdict once deviations are taken into account. */
export type JudgedVerdict = CaseVerdict | 'deviation';

/** A requirement's state: what its cases add up to, or why it has none. */
export type State = JudgedVerdict | 'planned' | 'unobservable' | 'untested';

/** One case as the report shows it. */
export interface JudgedCase {
  /** `<requirement id> › <subject>`. */
  readonly id: string;
  readonly requirement: Requirement;
  readonly subject: string;
  /** What the case is about; absent for a case that the matrix does not know. */
  readonly about?: Subject;
  readonly verdict: JudgedVerdict;
  readonly message?: string;
  /** The declaration that makes a failed case a deviation. */
  readonly deviation?: Deviation;
  /** It fails as it did in the run that this one is compared with. */
  readonly known?: true;
  /** No evidence at all: the run ended before this case did. */
  readonly missing?: true;
  readonly exchanges: readonly Exchange[];
  /** When they were made; absent where there are none. */
  readonly timing?: Timing;
}

/** How many cases have each verdict. */
export type Counts = Readonly<Record<JudgedVerdict, number>>;

/** The verdicts in the order in which reports list them: what needs attention first. */
export const verdicts = [
  'failed',
  'not-testable',
  'deviation',
  'passed',
  'not-reached',
  'not-run',
  'not-offered',
] as const satisfies readonly JudgedVerdict[];

/** The verdicts that say nothing of the server. */
const notJudged = ['not-reached', 'not-run', 'not-offered'] as const satisfies readonly JudgedVerdict[];

/** How reports spell a verdict or state. */
export function wordOf(state: State): string {
  return state.replace('-', ' ');
}

/** Counts the cases by verdict. */
export function count(cases: Iterable<Pick<JudgedCase, 'verdict'>>): Counts {
  const counts: Record<JudgedVerdict, number> = {
    passed: 0,
    failed: 0,
    deviation: 0,
    'not-testable': 0,
    'not-offered': 0,
    'not-run': 0,
    'not-reached': 0,
  };
  for (const { verdict } of cases) counts[verdict] += 1;
  return counts;
}

/**
 * What counts add up to: the worst of the cases that were judged; `not-reached`, `not-run` or `not-offered` only
 * where none was.
 * `isPartial` tells where a state speaks for a part of the cases.
 */
export function stateOf(counts: Counts): JudgedVerdict | 'untested' {
  return verdicts.find((verdict) => counts[verdict] > 0) ?? 'untested';
}

/** Whether some cases of these counts were judged and others were not offered, not run or not reached. */
export function isPartial(counts: Counts): boolean {
  const unjudged = notJudged.reduce((sum, verdict) => sum + counts[verdict], 0);
  return unjudged > 0 && unjudged < total(counts);
}

/** The sum of the counts. */
export function total(counts: Counts): number {
  return verdicts.reduce((sum, verdict) => sum + counts[verdict], 0);
}

/** Whether a case counts as a failure: it failed undeclared, or could not be tested. */
export function isFailure({ verdict }: Pick<JudgedCase, 'verdict'>): boolean {
  return verdict === 'failed' || verdict === 'not-testable';
}

/** Groups values by a key, in the order in which the keys first occur. */
export function groupBy<T, Key>(values: Iterable<T>, keyOf: (value: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** A number with its noun, as a sentence needs it: `1 case`, `12,000 cases`. */
export function plural(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
