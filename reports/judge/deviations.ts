// Deviations: the cases that show each, and stale declarations.
import { groupBy } from '../../matrix/api/groupBy.js';
import {
  type Case,
  covers,
  type Deviation,
  type NotSupported,
  type Requirement,
  requirementsOf,
  subjectsOf,
} from '../../suites/requirements/index.js';
import type { JudgedCase } from './counts.js';

/** A declaration that no longer describes the target. It fails the run until its line is deleted. */
export interface StaleDeviation {
  readonly deviation: Deviation;
  /** The reason, and the line of the target file to delete. */
  readonly message: string;
}

export interface DeclaredRun {
  readonly target: string;
  readonly deviations: readonly Deviation[];
  readonly requirements: readonly Requirement[];
  readonly all: readonly Case[];
  readonly judged: ReadonlyMap<string, JudgedCase>;
}

/** Returns the cases of each observed deviation, in the order in which the deviations first occur. */
export function byDeviation(cases: readonly JudgedCase[]): Map<Deviation, JudgedCase[]> {
  const isDeviating = (judged: JudgedCase): judged is JudgedCase & { readonly deviation: Deviation } =>
    judged.deviation !== undefined;
  return groupBy(cases.filter(isDeviating), ({ deviation }) => deviation);
}

/** Returns the declarations that no longer hold, each with the line to delete. */
export function staleDeviations(run: DeclaredRun): StaleDeviation[] {
  return run.deviations.flatMap((deviation) => {
    const why = whyStale(deviation, run);
    if (deviation.sometimes && isUnseen(deviation, run)) return [];
    if (!why) return [];
    const subjects = some(subjectsOf(deviation));
    const line = [
      `requirement: ${some(requirementsOf(deviation))}`,
      ...(subjects === '' ? [] : [`subject: ${subjects}`]),
    ].join(', ');
    const what = `${why}: delete the deviation "${line}" of target ${run.target}`;
    return [{ deviation, message: placed(deviation.at, what) }];
  });
}

/** Returns a sentence after its file and line, which a cut must not lose. */
const placed = (at: string | undefined, what: string): string => (at === undefined ? what : `${at}: ${what}`);

/** The number of names, and the length of one, that identify a row. */
const [mostNames, longestName] = [2, 60];

/** Returns the first names of a row, cut, and the number of the others. */
function some(names: readonly string[]): string {
  const first = names.slice(0, mostNames);
  const shown = first.map((name) => (name.length > longestName ? `${name.slice(0, longestName)}…` : name)).join(', ');
  return names.length > first.length ? `${shown} and ${names.length - first.length} more` : shown;
}

/** Returns one sentence for each deviation that occurs sometimes and did not occur in this run. */
export function unseenDeviations(run: DeclaredRun): string[] {
  return run.deviations.flatMap((deviation) => {
    if (!deviation.sometimes || !isUnseen(deviation, run)) return [];
    const [requirement, subjects] = [requirementsOf(deviation).join(', '), subjectsOf(deviation).join(', ')];
    const what = subjects === '' ? requirement : `${requirement}, subject ${subjects}`;
    return [`a deviation that is seen sometimes was not seen in this run: ${what} (${deviation.reason})`];
  });
}

/** Reports whether a deviation covers cases and all of them pass: it may occur again in the next run. */
function isUnseen(deviation: Deviation, run: DeclaredRun): boolean {
  const covered = run.all.filter(({ requirement, subject }) => covers(deviation, requirement.id, subject.id));
  return covered.length > 0 && whyStale(deviation, run) !== undefined;
}

function whyStale(deviation: Deviation, { requirements, all, judged }: DeclaredRun): string | undefined {
  const ids = requirementsOf(deviation);
  const unknown = ids.find((wanted) => !requirements.some(({ id }) => id === wanted));
  if (unknown !== undefined) return `no requirement has the id ${unknown}`;
  const ofRequirement = all.filter(({ requirement }) => ids.includes(requirement.id));
  // A requirement that no request can show has no cases, so the deviation can be neither confirmed nor stale.
  if (ofRequirement.length === 0) return undefined;
  const covered = ofRequirement.filter(({ requirement, subject }) => covers(deviation, requirement.id, subject.id));
  if (covered.length === 0) return 'no case of the requirement has this subject';
  const results = covered.map(({ id }) => judged.get(id));
  const settled = results.every((result) => result?.verdict === 'passed' || result?.verdict === 'not-supported');
  const passes = results.filter((result) => result?.verdict === 'passed').length;
  // If a case was skipped or blocked, the deviation may still exist. If no case was supported, it could not occur.
  if (!settled || passes === 0) return undefined;
  return passes === 1 ? 'its only case passes now' : `all ${passes} cases that it covers pass now`;
}

/** An absence in the target's file of a capability that the target offers. It fails the run until it is deleted. */
export interface StaleAbsence {
  readonly absence: NotSupported;
  /** The evidence, and the line to delete. */
  readonly message: string;
}

/** Returns the absences that no longer hold, each with the line to delete. */
export function staleAbsences(target: string, notSupported: readonly NotSupported[]): StaleAbsence[] {
  return notSupported.flatMap((absence) => {
    const { capability, offered, at } = absence;
    if (offered === undefined) return [];
    const what = `${offered}: delete the absence "capability: ${capability}" of target ${target}`;
    return [{ absence, message: placed(at, what) }];
  });
}

/** The beginning of a deviation's reason while the cause is unknown. */
export const unexplained = 'to be explained';

/** Reports whether the cause of a deviation is still unknown. */
export function isUnexplained({ reason }: Deviation): boolean {
  return reason.startsWith(unexplained);
}
