// The differences between runs by requirement: the share that holds in each run, and the changes.
import type { Requirement } from '../suites/requirements/index.js';
import { type Counts, count, groupBy, isFailure, type JudgedCase, stateOf } from './counts.js';
import type { Evidence } from './evidence.js';
import type { Verdict } from './verdict.js';

/** A run with the name of its column. */
export interface ComparedRun {
  readonly name: string;
  readonly verdict: Verdict;
  readonly evidence: Evidence;
}

/**
 * The meaning of a difference, compared with the first run. `worse`: another run fails and the first does not.
 * `better`: the first run fails and no other does. `other`: the number of undeclared failures does not change.
 */
export type Kind = 'worse' | 'other' | 'better';

/** A case with different verdicts in the runs. */
export interface Difference {
  readonly id: string;
  readonly requirement: Requirement;
  readonly subject: string;
  readonly kind: Kind;
  /** One result for each run; absent if the run does not have the case. */
  readonly results: readonly (JudgedCase | undefined)[];
}

/** The share of a requirement, or of a kind and verb, that holds in a run. */
export interface Share {
  readonly counts: Counts;
  readonly state: ReturnType<typeof stateOf>;
  readonly passed: number;
  /** The cases with a verdict about the server. */
  readonly judged: number;
}

/** A requirement in all runs. */
export interface ComparedRequirement {
  readonly requirement: Requirement;
  /** `worse` if a case is worse, even if others are better; `same` if no case differs. */
  readonly kind: Kind | 'same';
  /** One share for each run; absent if the run has no case of the requirement. */
  readonly shares: readonly (Share | undefined)[];
  /** The cases that differ. */
  readonly differences: readonly Difference[];
}

const order = ['worse', 'better', 'other', 'same'] as const satisfies readonly ComparedRequirement['kind'][];

/** Returns the requirements of some runs: worse first, required before recommended, then by the size of the change. */
export function comparedRequirements(
  runs: readonly ComparedRun[],
  differences: readonly Difference[],
): ComparedRequirement[] {
  const differing = groupBy(differences, ({ requirement }) => keyOf(requirement));
  const byRun = runs.map(({ verdict }) => new Map(everyOne(verdict).map((one) => [keyOf(one.requirement), one.cases])));
  const known = new Map(
    runs.flatMap(({ verdict }) => everyOne(verdict).map((one) => [keyOf(one.requirement), one.requirement] as const)),
  );
  return [...known.values()]
    .flatMap((requirement): ComparedRequirement[] => {
      const shares = byRun.map((cases) => shareOf(cases.get(keyOf(requirement)) ?? []));
      if (shares.every((share) => share === undefined)) return [];
      const own = differing.get(keyOf(requirement)) ?? [];
      return [{ requirement, kind: kindOf(own), shares, differences: own }];
    })
    .sort((a, b) => weight(a) - weight(b) || loss(b) - loss(a) || b.differences.length - a.differences.length);
}

/** Returns the requirements of a run, and those that were asked of kinds that only its target knows. */
const everyOne = ({ requirements, kinds }: Verdict) => [...requirements, ...(kinds?.requirements ?? [])];

const keyOf = ({ id, ofFound }: Requirement): string => (ofFound ? `${id}, other kinds` : id);

/** Returns the share of some cases that holds; undefined if there are none. */
export function shareOf(cases: readonly JudgedCase[]): Share | undefined {
  if (cases.length === 0) return undefined;
  const counts = count(cases);
  const passed = counts.passed;
  const judged = passed + counts['known-deviation'] + cases.filter(isFailure).length;
  return { counts, state: stateOf(counts), passed, judged };
}

function kindOf(differences: readonly Difference[]): ComparedRequirement['kind'] {
  const kinds = new Set(differences.map(({ kind }) => kind));
  return order.find((kind) => kind === 'same' || kinds.has(kind)) ?? 'same';
}

/** The order by kind and level. A requirement that only got blocked comes after the others, which have the cause. */
function weight({ kind, requirement, differences }: ComparedRequirement): number {
  const fails = differences.some(({ results }) => results.some((result) => result?.verdict === 'failed'));
  const level = requirement.row.level === 'required' ? 0 : 1;
  return 4 * order.indexOf(kind) + 2 * level + (kind === 'worse' && !fails ? 1 : 0);
}

/** Returns the difference between the shares of the first run and the last. */
function loss({ shares }: ComparedRequirement): number {
  const part = (share: Share | undefined): number =>
    share === undefined || share.judged === 0 ? 0 : share.passed / share.judged;
  return Math.abs(part(shares[0]) - part(shares.at(-1)));
}
