// What differs between runs by requirement: how much of each holds in each run, and which became worse or better.
import type { Requirement } from '../matrix/requirements/index.js';
import type { ComparedRun, Difference, Kind } from './compare.js';
import { type Counts, count, groupBy, isFailure, type JudgedCase, stateOf } from './counts.js';

/** How much of a requirement, or of a kind and verb, holds in a run. */
export interface Share {
  readonly counts: Counts;
  readonly state: ReturnType<typeof stateOf>;
  readonly passed: number;
  /** The cases that say something of the server. */
  readonly judged: number;
}

/** A requirement in all runs. */
export interface ComparedRequirement {
  readonly requirement: Requirement;
  /** `worse` where a case is worse, whatever else is better; `same` where no case differs. */
  readonly kind: Kind | 'same';
  /** One for each run; absent where the run has no case of it. */
  readonly shares: readonly (Share | undefined)[];
  /** The cases that differ. */
  readonly differences: readonly Difference[];
}

const order = ['worse', 'better', 'other', 'same'] as const satisfies readonly ComparedRequirement['kind'][];

/** The requirements of some runs: worse first, required before recommended, then by how much less or more holds. */
export function comparedRequirements(
  runs: readonly ComparedRun[],
  differences: readonly Difference[],
): ComparedRequirement[] {
  const differing = groupBy(differences, ({ requirement }) => requirement.id);
  const byRun = runs.map(({ verdict }) => new Map(verdict.requirements.map((one) => [one.requirement.id, one.cases])));
  const known = new Map(
    runs.flatMap(({ verdict }) => verdict.requirements.map((one) => [one.requirement.id, one.requirement] as const)),
  );
  return [...known.values()]
    .flatMap((requirement): ComparedRequirement[] => {
      const shares = byRun.map((cases) => shareOf(cases.get(requirement.id) ?? []));
      if (shares.every((share) => share === undefined)) return [];
      const own = differing.get(requirement.id) ?? [];
      return [{ requirement, kind: kindOf(own), shares, differences: own }];
    })
    .sort((a, b) => weight(a) - weight(b) || loss(b) - loss(a) || b.differences.length - a.differences.length);
}

/** How much holds of some cases; undefined where there are none. */
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

/** By kind and level; where all that got worse is blocked, something else is the cause and comes first. */
function weight({ kind, requirement, differences }: ComparedRequirement): number {
  const fails = differences.some(({ results }) => results.some((result) => result?.verdict === 'failed'));
  const level = requirement.row.level === 'stated' ? 0 : 1;
  return 4 * order.indexOf(kind) + 2 * level + (kind === 'worse' && !fails ? 1 : 0);
}

/** How much less holds in the last run than in the first. */
function loss({ shares }: ComparedRequirement): number {
  const part = (share: Share | undefined): number =>
    share === undefined || share.judged === 0 ? 0 : share.passed / share.judged;
  return Math.abs(part(shares[0]) - part(shares.at(-1)));
}
