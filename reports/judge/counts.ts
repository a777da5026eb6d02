// The words of a verdict: judged cases, their counts, and the state that follows from the counts.
import type {
  CaseVerdict,
  Deviation,
  Exchange,
  Level,
  Requirement,
  SkipReason,
  Subject,
  Timing,
} from '../../suites/requirements/index.js';
import { countOf, skipWord, stateWord } from '../page/words.js';

/** The verdict of a case after the deviations are applied. */
export type JudgedVerdict = CaseVerdict | 'known-deviation';

/** The state of a requirement: the combined verdict of its cases, or why it has none. */
export type State = JudgedVerdict | 'unobservable' | 'untested';

/** One case as the report shows it. */
export interface JudgedCase {
  /** `<requirement id> › <subject>`. */
  readonly id: string;
  readonly requirement: Requirement;
  readonly subject: string;
  /** The subject; absent for a case that the matrix does not have. */
  readonly about?: Subject;
  readonly verdict: JudgedVerdict;
  /** The kind of reason for a skipped case. */
  readonly skip?: SkipReason;
  readonly message?: string;
  /** Why a passed case failed when it was tried first. */
  readonly retried?: string;
  /** The deviation that makes a failed case a known deviation. */
  readonly deviation?: Deviation;
  /** Set if the case failed in the baseline too. */
  readonly known?: true;
  /** Set if there is no evidence: the run ended before this case did. */
  readonly missing?: true;
  readonly exchanges: readonly Exchange[];
  /** The times of the exchanges; absent if there are none. */
  readonly timing?: Timing;
}

export type Counts = Readonly<Record<JudgedVerdict, number>>;

/** The verdicts in the order of reports: the most urgent first. */
export const verdicts = [
  'failed',
  'blocked',
  'known-deviation',
  'passed',
  'skipped',
  'not-supported',
] as const satisfies readonly JudgedVerdict[];

const notJudged = ['skipped', 'not-supported'] as const satisfies readonly JudgedVerdict[];

/** Returns in one line why a case was not judged, starting with the kind of reason if the message lacks it. */
export function whyUnjudged({ skip, message }: Pick<JudgedCase, 'skip' | 'message'>): string {
  const kind = skip === undefined || skip === 'could-not-run' ? undefined : skipWord(skip);
  return [...(kind === undefined ? [] : [kind]), ...(message ? [message] : [])].join(': ') || 'no reason given';
}

/** Reports whether the run ended before the case. */
export function isUnreached({ skip }: Pick<JudgedCase, 'skip'>): boolean {
  return skip === 'not-reached';
}

export function countVerdicts(cases: Iterable<Pick<JudgedCase, 'verdict'>>): Counts {
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
 * Returns the state that follows from counts: the worst verdict of the judged cases; `skipped` or `not-supported` only
 * if no case was judged. `isPartial` reports whether the state covers only a part of the cases.
 */
export function stateOf(counts: Counts): JudgedVerdict | 'untested' {
  return verdicts.find((verdict) => counts[verdict] > 0) ?? 'untested';
}

/** How many requirements of a level hold, of those that were judged, and how many deviate as the target declares. */
export interface Rules {
  readonly judged: number;
  readonly held: number;
  readonly deviating: number;
}

interface RuleState {
  readonly requirement: Pick<Requirement, 'row'>;
  readonly state: State;
}

export function rulesOf(level: Level, requirements: readonly RuleState[]): Rules {
  const states = requirements.filter(({ requirement }) => requirement.row.level === level).map(({ state }) => state);
  const count = (...those: readonly State[]): number => states.filter((state) => those.includes(state)).length;
  return {
    judged: count('passed', 'failed', 'blocked', 'known-deviation'),
    held: count('passed'),
    deviating: count('known-deviation'),
  };
}

/** Reports whether some cases were judged and others were not supported or skipped. */
export function isPartial(counts: Counts): boolean {
  const unjudged = notJudged.reduce((sum, verdict) => sum + counts[verdict], 0);
  return unjudged > 0 && unjudged < totalOf(counts);
}

export function totalOf(counts: Counts): number {
  return verdicts.reduce((sum, verdict) => sum + counts[verdict], 0);
}

/** Reports whether a case is a failure: it failed undeclared, or was blocked. */
export function isFailure({ verdict }: Pick<JudgedCase, 'verdict'>): boolean {
  return verdict === 'failed' || verdict === 'blocked';
}

/** Returns a line for each case that passed when it was tried again: its id, and why it failed first. */
export function retries(cases: readonly JudgedCase[]): string[] {
  return cases.flatMap(({ id, retried }) => (retried === undefined ? [] : [`${id}: ${retried}`]));
}

/** The failures that fail a run, by what is known of each: every format takes its numbers from here. */
export interface Failing {
  readonly failed: number;
  readonly blocked: number;
  /** Without evidence. */
  readonly missing: number;
  /** Failed or blocked in the baseline too: these do not fail the run. */
  readonly known: number;
}

/** Returns `5 failed, 110 blocked, 12 without a verdict`; undefined if there are none. */
export function failureWords({ failed, blocked, missing = 0 }: Partial<Failing>): string | undefined {
  const words = [
    ...(failed ? [`${failed.toLocaleString('en-US')} failed`] : []),
    ...(blocked ? [`${blocked.toLocaleString('en-US')} blocked`] : []),
    ...(missing > 0 ? [`${missing.toLocaleString('en-US')} without a verdict`] : []),
  ];
  return words.length === 0 ? undefined : words.join(', ');
}

/** The columns of a table of cases: the verdicts, and the cases without evidence beside those that failed. */
export const shownVerdicts = [
  'failed',
  'no verdict',
  'blocked',
  'known-deviation',
  'passed',
  'skipped',
  'not-supported',
] as const satisfies readonly (JudgedVerdict | 'no verdict')[];

export type ShownCounts = Readonly<Record<(typeof shownVerdicts)[number], number>>;

/** Returns the head of a column. */
export const columnWord = (column: (typeof shownVerdicts)[number]): string =>
  column === 'no verdict' ? column : stateWord(column);

/** Counts the cases of each column. */
export function countShown(cases: readonly JudgedCase[]): ShownCounts {
  const counts = countVerdicts(cases.filter(({ missing }) => !missing));
  return { ...counts, 'no verdict': cases.filter(({ missing }) => missing).length };
}

/** Returns one line for scripts with the number of cases for each verdict. */
export function countLine({ cases }: { readonly cases: readonly JudgedCase[] }): string {
  const { passed, failed, blocked, 'known-deviation': declared, ...rest } = countShown(cases);
  const known = cases.filter((judged) => judged.known && isFailure(judged)).length;
  return (
    `cases: ${passed} passed, ${failed} failed, ${blocked} blocked, ${declared} known deviations, ` +
    `${rest['not-supported']} not supported, ${rest.skipped} skipped` +
    (rest['no verdict'] > 0 ? `, ${rest['no verdict']} without a verdict` : '') +
    (known > 0 ? `; ${countOf(known, 'known failure')} among them` : '')
  );
}

/** How many of some cases hold. */
export interface Share {
  readonly counts: Counts;
  readonly state: JudgedVerdict | 'untested';
  readonly passed: number;
  /** The cases with a verdict about the server. */
  readonly judged: number;
}

/** Returns the share of some cases that holds; undefined if there are none. */
export function shareOf(cases: readonly JudgedCase[]): Share | undefined {
  if (cases.length === 0) return undefined;
  const counts = countVerdicts(cases);
  const passed = counts.passed;
  const judged = passed + counts['known-deviation'] + cases.filter(isFailure).length;
  return { counts, state: stateOf(counts), passed, judged };
}

/** Returns the share that holds: `27/29`; if nothing was judged, the reason. */
export function shareText(share: Share | undefined): string {
  if (share === undefined) return 'not selected';
  if (share.judged === 0) return share.state === 'untested' ? '–' : stateWord(share.state);
  return `${share.passed.toLocaleString('en-US')}/${share.judged.toLocaleString('en-US')}`;
}
