// The failures of a run for human readers: one group for each failing requirement, the worst first, and fair selections.
import { groupBy } from '../../matrix/api/groupBy.js';
import type { Requirement } from '../../suites/requirements/index.js';
import { countOf, type LevelWord } from '../page/words.js';
import { causeOf } from './causes.js';
import { isFailure, type JudgedCase } from './counts.js';
import { type Example, exampleOf, messageShape } from './failureMessage.js';
import { columnOf } from './kindMap.js';
import type { Verdict } from './verdict.js';

/** A requirement that fails. */
export interface FailureGroup {
  readonly requirement: Requirement;
  readonly failing: readonly JudgedCase[];
  /** The number of the requirement's cases with a verdict about the server. */
  readonly judged: number;
  /** Whether all failures were blocked: a prerequisite failed. */
  readonly blocked: boolean;
  /** Whether there is no evidence of any of them. */
  readonly missing: boolean;
  /** Whether all failures are in the baseline. */
  readonly known: boolean;
  /**
   * `5 of 37 operations`, or `cases` if the cases are not one for each operation: those that failed, with the number of
   * blocked ones beside them, or those that were blocked if none failed.
   */
  readonly fraction: string;
  /** The same as a number from 0 to 1. */
  readonly share: number;
  /** The kinds of those cases: `all 37 kinds`, `configmaps, secrets and 3 more`; empty if the cases have none. */
  readonly kinds: string;
  /** The verbs, in the same form. */
  readonly verbs: string;
  readonly example: Example;
  /** Equal for requirements that mostly fail for one cause. */
  readonly cause: string;
}

/** Requirements that fail for one cause: the one that shows it most, and the others, which are its symptoms. */
export interface CauseGroup {
  readonly shown: FailureGroup;
  /** In the order of their weight. */
  readonly symptoms: readonly FailureGroup[];
}

/**
 * Returns the groups by their cause, the worst first: causes that fail required rules, and then those that fail most
 * cases.
 */
export function byCommonCause(groups: readonly FailureGroup[]): CauseGroup[] {
  const size = (members: readonly FailureGroup[]): number =>
    members.reduce((sum, { failing }) => sum + failing.length, 0);
  const rank = (members: readonly FailureGroup[]): number => Math.min(...members.map(rankOf));
  return [...groupBy(groups, ({ cause }) => cause).values()]
    .sort((a, b) => rank(a) - rank(b) || size(b) - size(a))
    .flatMap((members) => {
      // A requirement that fails in every case is nearer to the cause than one that fails in two of 521.
      const most = Math.max(...members.map(({ share }) => share));
      const isNear = ({ share }: FailureGroup): number => (share >= most / 2 ? 0 : 1);
      const [shown, ...symptoms] = members.toSorted((a, b) => isNear(a) - isNear(b) || byWeight(a, b));
      return shown === undefined ? [] : [{ shown, symptoms }];
    });
}

/** Returns what is said about the symptoms of a cause: `the same in 5 more, 2 of them required`. */
export function symptomsText(symptoms: readonly FailureGroup[]): string {
  const required = symptoms.filter((one) => levelOf(one) === 'required').length;
  const of = required === symptoms.length ? 'required' : `${required.toLocaleString('en-US')} of them required`;
  return `the same in ${symptoms.length.toLocaleString('en-US')} more${required === 0 ? '' : `, ${of}`}`;
}

/** Returns the first causes; those that only blocked cases only if there are no others. */
export function worstOf(groups: readonly FailureGroup[], limit: number): readonly CauseGroup[] {
  const own = groups.filter(({ blocked }) => !blocked);
  return byCommonCause(own.length > 0 ? own : groups).slice(0, limit);
}

/**
 * Returns the requirements that fail: required ones first, then by the share of their cases that fail. Requirements
 * whose failures are all blocked come after the others.
 */
export function failureGroups(cases: readonly JudgedCase[]): FailureGroup[] {
  return [...groupBy(cases, ({ requirement }) => requirement).values()].flatMap(groupOf).sort(byWeight);
}

/** Returns the failing requirements of a run. If the run could not run, cases without evidence do not count. */
export function groupsOfRun({ outcome, cases }: Pick<Verdict, 'outcome' | 'cases'>): FailureGroup[] {
  return failureGroups(outcome === 'could-not-run' ? cases.filter(({ missing }) => !missing) : cases);
}

/** Returns the level of a group: `required`, `recommended`. */
export function levelOf({ requirement: { row } }: FailureGroup): LevelWord {
  return row.level;
}

/** Returns the level of a group, and what else a reader should know: `required, blocked`, `recommended, known`. */
export function standingOf(group: FailureGroup): string {
  const { blocked, missing } = group;
  const why = missing ? ['no verdict'] : blocked ? ['blocked'] : [];
  return [levelOf(group), ...why, ...(group.known ? ['known'] : [])].join(', ');
}

/** Returns the kinds and verbs of a group: `all 37 kinds; list`; empty if there are none. */
export function aboutOf({ kinds, verbs }: FailureGroup): string {
  return [kinds, verbs].filter((part) => part !== '').join('; ');
}

function groupOf(members: readonly JudgedCase[]): FailureGroup[] {
  const failing = members.filter(isFailure);
  const [first] = failing;
  if (first === undefined) return [];
  const judged = members.filter(
    ({ verdict }) => isFailure({ verdict }) || verdict === 'passed' || verdict === 'known-deviation',
  );
  const typical = typicalOf(failing);
  const failed = failing.filter(({ verdict }) => verdict === 'failed');
  const shown = failed.length > 0 ? failed : failing;
  return [
    {
      requirement: first.requirement,
      failing,
      judged: judged.length,
      blocked: failing.every(({ verdict, missing }) => verdict !== 'failed' || missing),
      missing: failing.every(({ missing }) => missing),
      known: failing.every(({ known }) => known),
      share: shown.length / judged.length,
      fraction: fractionOf(shown, failing, judged),
      kinds: some(shown.flatMap(kindOf), judged.flatMap(kindOf), 'kind'),
      verbs: some(shown.flatMap(verbOf), judged.flatMap(verbOf), 'verb'),
      example: exampleOf(typical.subject, typical.message),
      cause: causeOf(typical).key,
    },
  ];
}

function fractionOf(
  shown: readonly JudgedCase[],
  failing: readonly JudgedCase[],
  judged: readonly JudgedCase[],
): string {
  const rest = failing.length - shown.length;
  const beside = rest > 0 ? `, ${rest.toLocaleString('en-US')} blocked` : '';
  return `${shown.length.toLocaleString('en-US')} of ${countOf(judged.length, nounOf(judged))}${beside}`;
}

const rankOf = ({ requirement, blocked, known }: FailureGroup): number =>
  (requirement.row.level === 'required' ? 0 : 4) + (blocked ? 2 : 0) + (known ? 1 : 0);

function byWeight(a: FailureGroup, b: FailureGroup): number {
  return rankOf(a) - rankOf(b) || b.share - a.share || b.failing.length - a.failing.length;
}

/** Returns the most typical failure: the first case with the most frequent message. */
function typicalOf(failing: readonly JudgedCase[]): JudgedCase {
  const withMessage = failing.filter(({ verdict, missing }) => verdict === 'failed' && !missing);
  const shapes = groupBy(withMessage.length > 0 ? withMessage : failing, ({ message = '' }) =>
    messageShape(message.slice(0, 500)),
  );
  const [most = []] = [...shapes.values()].sort((a, b) => b.length - a.length);
  return most[0] ?? (failing[0] as JudgedCase);
}

function nounOf(cases: readonly JudgedCase[]): string {
  const operations = new Set(cases.map(({ about }) => about?.operation?.id));
  return operations.size === cases.length && !operations.has(undefined) ? 'operation' : 'case';
}

const kindOf = ({ about }: JudgedCase): string[] => (about?.operation?.resource ? [about.resource] : []);

const verbOf = ({ about }: JudgedCase): string[] =>
  about?.operation && about.operation.verb !== 'discover' ? [columnOf(about.operation.verb)] : [];

/** Returns `all 37 kinds`, or two names and the number of the others. */
function some(failing: readonly string[], judged: readonly string[], noun: string): string {
  const [names, all] = [new Set(failing), new Set(judged)];
  if (names.size > 3 && names.size === all.size) return `all ${countOf(names.size, noun)}`;
  const short = [...names].map((name) => name.replace(/^.*\//, ''));
  if (short.length <= 3) return short.join(', ');
  return `${short.slice(0, 2).join(', ')} and ${short.length - 2} more`;
}

/** Returns the failures: required ones first, cases without evidence last. */
export function failuresOf(cases: readonly JudgedCase[]): JudgedCase[] {
  const rank = ({ requirement, missing }: JudgedCase): number =>
    (missing ? 2 : 0) + (requirement.row.level === 'required' ? 0 : 1);
  return cases.filter(isFailure).sort((a, b) => rank(a) - rank(b));
}

/**
 * Returns up to `limit` of the cases in their order, and the first case of every requirement before any second case: a
 * requirement with a thousand failures does not displace a requirement with one.
 */
export function fairShare(cases: readonly JudgedCase[], limit: number): JudgedCase[] {
  const groups = [...groupBy(cases, ({ requirement }) => requirement.id).values()];
  const chosen = new Set<JudgedCase>();
  for (let round = 0; chosen.size < Math.min(limit, cases.length); round += 1) {
    for (const group of groups) {
      const next = group[round];
      if (next && chosen.size < limit) chosen.add(next);
    }
  }
  return cases.filter((judged) => chosen.has(judged));
}
