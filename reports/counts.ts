// The words that a verdict is told in: judged cases, their counts, and the state that counts add up to.
import type {
  CaseVerdict,
  Deviation,
  Exchange,
  Requirement,
  SkipReason,
  Subject,
} from '../matrix/requirements/index.js';
import type { Timing } from './evidence.js';
import { spellSkip } from './page/words.js';

/** A case's verdict once deviations are taken into account. */
export type JudgedVerdict = CaseVerdict | 'known-deviation';

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
  /** Why it was skipped, in a word. */
  readonly skip?: SkipReason;
  readonly message?: string;
  /** The declaration that makes a failed case a known deviation. */
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
  'blocked',
  'known-deviation',
  'passed',
  'skipped',
  'not-supported',
] as const satisfies readonly JudgedVerdict[];

/** The verdicts that say nothing of the server. */
const notJudged = ['skipped', 'not-supported'] as const satisfies readonly JudgedVerdict[];

/** How reports spell a verdict or state. */
export function wordOf(state: State): string {
  return state.replace('-', ' ');
}

/** Why a case was not judged, in one line: it starts with the kind of reason, where that says more than the message. */
export function whyUnjudged({ skip, message }: Pick<JudgedCase, 'skip' | 'message'>): string {
  const kind = skip === undefined || skip === 'could-not-run' ? undefined : spellSkip(skip);
  return [...(kind === undefined ? [] : [kind]), ...(message ? [message] : [])].join(': ') || 'no reason given';
}

/** Whether the run ended before the case. */
export function isUnreached({ skip }: Pick<JudgedCase, 'skip'>): boolean {
  return skip === 'not-reached';
}

/** Counts the cases by verdict. */
export function count(cases: Iterable<Pick<JudgedCase, 'verdict'>>): Counts {
  const counts: Record<JudgedVerdict, number> = {
    passed: 0,
    failed: 0,
    'known-deviation': 0,
    blocked: 0,
    'not-supported': 0,
    skipped: 0,
  };
  for (const { verdict } of cases) counts[verdict] += 1;
  return counts;
}

/**
 * What counts add up to: the worst of the cases that were judged; `skipped` or `not-supported` only where none was.
 * `isPartial` tells where a state speaks for a part of the cases.
 */
export function stateOf(counts: Counts): JudgedVerdict | 'untested' {
  return verdicts.find((verdict) => counts[verdict] > 0) ?? 'untested';
}

/** Whether some cases of these counts were judged and others were not supported or skipped. */
export function isPartial(counts: Counts): boolean {
  const unjudged = notJudged.reduce((sum, verdict) => sum + counts[verdict], 0);
  return unjudged > 0 && unjudged < total(counts);
}

/** The sum of the counts. */
export function total(counts: Counts): number {
  return verdicts.reduce((sum, verdict) => sum + counts[verdict], 0);
}

/** Whether a case counts as a failure: it failed undeclared, or was blocked. */
export function isFailure({ verdict }: Pick<JudgedCase, 'verdict'>): boolean {
  return verdict === 'failed' || verdict === 'blocked';
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
