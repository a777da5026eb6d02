// Computes the verdict from all requirements and the evidence: one sentence and an exit code.
import { groupBy } from '../../matrix/api/groupBy.js';
import type { FoundKind } from '../../matrix/api/index.js';
import {
  allCases,
  type Baseline,
  type Case,
  type CaseResult,
  choose,
  requirements as everyRequirement,
  isChecked,
  type Level,
  type Outage,
  type Requirement,
  type RunHeader,
  subjectSets,
} from '../../suites/requirements/index.js';
import { countOf } from '../page/words.js';
import { type Counts, countVerdicts, type JudgedCase, rulesOf, type State, stateOf, totalOf } from './counts.js';
import {
  type StaleAbsence,
  type StaleDeviation,
  staleAbsences,
  staleDeviations,
  unseenDeviations,
} from './deviations.js';
import type { Evidence } from './evidence.js';
import { judgeAliased, judgeCases } from './judgedCases.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { parallelNote } from './prerequisites.js';
import { missingShards, wholeChoice } from './shards.js';
import { unsteadyNote } from './unsteady.js';

/** A requirement with the state of its cases. */
export interface RequirementVerdict {
  readonly requirement: Requirement;
  readonly state: State;
  readonly counts: Counts;
  readonly cases: readonly JudgedCase[];
}

/** The recommended requirements that hold, and those that were judged. They decide conformance only in a strict run. */
interface Recommended {
  readonly held: number;
  readonly judged: number;
  /** `recommended: M of K`; absent if none was judged. */
  readonly line?: string;
}

/** The verdicts on the kinds that only the target knows, by recommended requirements. */
interface KindsVerdict {
  /** The kinds, as the target declares them. */
  readonly found: readonly FoundKind[];
  /** The requirements that were asked of them, in the order of the chapters. */
  readonly requirements: readonly RequirementVerdict[];
  readonly cases: readonly JudgedCase[];
  readonly counts: Counts;
  /** `other kinds: M of K cases passed`; empty if none was judged. */
  readonly line: string;
}

/** The cases of aliased resources, with their verdicts under the alias. They never decide conformance. */
interface Aliased {
  readonly cases: readonly JudgedCase[];
  /** `aliased: N passed, M failed`, and the numbers of other verdicts; empty if nothing ran under an alias. */
  readonly line: string;
}

interface RunCheck {
  readonly name: string;
  /** One sentence each; empty if the check passed. */
  readonly problems: readonly string[];
}

/** The content of all reports. */
export interface Verdict extends Outcome {
  readonly recommended: Recommended;
  /** Whether recommended requirements decide like required ones. */
  readonly strict: boolean;
  /** Every requirement, in the order of the chapters, with its cases of the interface. */
  readonly requirements: readonly RequirementVerdict[];
  /** Absent if the run had no kinds that only the target knows. */
  readonly kinds?: KindsVerdict;
  /** Every case that was expected or judged, in the order of the requirements, those of other kinds last. */
  readonly cases: readonly JudgedCase[];
  readonly counts: Readonly<Record<Level, Counts>>;
  readonly staleDeviations: readonly StaleDeviation[];
  /** The cases that ran under aliases; `cases` has the same cases as not supported. */
  readonly aliased: Aliased;
  readonly staleAbsences: readonly StaleAbsence[];
  /** The cases that failed in the baseline and pass now; absent without a baseline. */
  readonly fixed?: readonly JudgedCase[];
  readonly leftovers: readonly string[];
  /** The outages of the target and the requests that were pending, one line each. */
  readonly outages: readonly string[];
  readonly notes: readonly string[];
  /** What the server has beyond what the suite knows, one line for each thing. */
  readonly beyond: readonly string[];
  /** All checks of the run, passed and failed ones. */
  readonly checks: readonly RunCheck[];
}

/** The expected cases and the settings, if they differ from those of the whole matrix and of the run. */
export interface JudgeOptions {
  /** Every case of a whole run; the choice of the run selects among them. */
  readonly expected?: readonly Case[];
  readonly requirements?: readonly Requirement[];
  /** Judges a shard by itself; otherwise the other shards are missing. */
  readonly shardAlone?: boolean;
  /** Whether recommended requirements decide like required ones; the setting of the run when absent. */
  readonly strict?: boolean;
  /** The earlier run to compare with; the baseline of the run when absent. */
  readonly baseline?: Baseline;
}

/**
 * Judges a run. Every case is included: a case without evidence is a failure, or skipped if the run ended early. A
 * requirement without cases is included too.
 */
export function judge(evidence: Evidence, options: JudgeOptions = {}): Verdict {
  const requirements = options.requirements ?? everyRequirement;
  const { run, end } = evidence;
  const all = options.expected ?? allCases(run?.kinds);
  const known = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const choice = run?.choice ?? {};
  const shards = options.shardAlone ? new Map<number, never>() : missingShards(choice, evidence.shards, all);
  const expected = run ? choose(options.shardAlone ? choice : wholeChoice(choice), all) : [];
  const lost = new Map([...shards].flatMap(([index, cases]) => cases.map(({ id }) => [id, index] as const)));
  const baseline = options.baseline ?? run?.baseline;
  const judged = judgeCases(evidence, { known, all, expected, lost, failedBefore: new Set(baseline?.failed) });
  const byScope = groupBy(judged.values(), isOfFoundKind);
  const verdicts = judgeRequirements(requirements, byScope.get(false)).filter(isOfRun);
  const kinds = kindsVerdict(run, byScope.get(true) ?? []);
  const cases = [...verdicts.flatMap((verdict) => verdict.cases), ...(kinds?.cases ?? [])];
  const declared = run && { target: run.target.name, deviations: run.deviations, requirements, all, judged };
  const stale = declared ? staleDeviations(declared) : [];
  const absences = run ? staleAbsences(run.target.name, run.notSupported) : [];
  const fixed = baseline?.failed.flatMap((id) => judged.get(id) ?? []).filter(({ verdict }) => verdict === 'passed');
  const recommended = recommendedOf(verdicts);
  const leftovers = end?.leftovers ?? [];
  const outages = (end?.outages ?? []).flatMap(outageLines);
  const unknown = [...evidence.cases.values()].filter(({ requirement }) => !known.has(requirement));

  const strict = options.strict ?? run?.strict ?? false;
  const aliased = judgeAliased(evidence, known);
  const outcome = outcomeOf({
    evidence,
    cases,
    aliased: aliased.length,
    all: all.length,
    strict,
    recommended: recommended.line,
    kinds: kinds?.line || undefined,
    stale,
    staleAbsences: absences,
    leftovers,
    missingShards: [...shards.keys()],
    fixed,
    unknown,
  });

  return {
    ...outcome,
    recommended,
    strict,
    requirements: verdicts,
    ...(kinds && { kinds }),
    cases,
    counts: { required: countLevel(cases, 'required'), recommended: countLevel(cases, 'recommended') },
    staleDeviations: stale,
    aliased: aliasedOf(aliased),
    staleAbsences: absences,
    ...(fixed && { fixed }),
    leftovers,
    outages,
    notes: [
      ...evidence.notes,
      ...parallelNote(run, cases),
      ...unsteadyNote(cases),
      ...(declared ? unseenDeviations(declared) : []),
      ...fixedNote(fixed),
    ],
    beyond: notedLines(evidence.cases.values()),
    checks: [
      { name: 'runs to its end', problems: hasEnded(outcome) ? outcome.unfinished : [outcome.line] },
      { name: 'declares no deviation that is gone', problems: [...stale, ...absences].map(({ message }) => message) },
      { name: 'leaves nothing behind', problems: leftovers.map((left) => `left on the target: ${left}`) },
      { name: 'finds the target there all the time', problems: outages },
    ],
  };
}

const hasEnded = ({ outcome, early }: Outcome): boolean => outcome !== 'could-not-run' || early === 'inconclusive';

/** Says what to do about cases that no longer fail: while they are in the baseline, they may fail again unnoticed. */
function fixedNote(fixed: readonly JudgedCase[] = []): string[] {
  if (fixed.length === 0) return [];
  const pass = fixed.length === 1 ? 'passes' : 'pass';
  return [`${countOf(fixed.length, 'case')} of the baseline ${pass} now: renew it with the report.json of this run`];
}

/** Returns the verdicts on kinds that only the target knows; undefined if the run had none. */
function kindsVerdict(run: RunHeader | undefined, cases: readonly JudgedCase[]): KindsVerdict | undefined {
  if (run?.kinds === undefined) return undefined;
  const asked = [...groupBy(cases, ({ requirement }) => requirement).keys()];
  const requirements = judgeRequirements(asked, cases);
  const counts = countVerdicts(cases);
  const judged = counts.passed + counts.failed + counts.blocked + counts['known-deviation'];
  const line =
    judged === 0 ? '' : `other kinds: ${counts.passed.toLocaleString('en-US')} of ${countOf(judged, 'case')} passed`;
  return { found: run.kinds, requirements, cases: requirements.flatMap((one) => one.cases), counts, line };
}

/** Reports whether a case is about a kind that only the target knows, and about more than the target's OpenAPI. */
const isOfFoundKind = ({ requirement: { ofFound, row } }: JudgedCase): boolean =>
  ofFound === true && row.level === 'recommended';

function outageLines({ milliseconds, requests }: Outage): string[] {
  const away = `the target was gone for ${Math.max(1, Math.round(milliseconds / 1000))} s and came back`;
  const underWay = requests.length === 0 ? 'no request was under way' : 'it may have died of what was under way';
  return [`${away}: ${underWay}`, ...requests.map((request) => `under way: ${request}`)];
}

function judgeRequirements(
  requirements: readonly Requirement[],
  cases: readonly JudgedCase[] = [],
): RequirementVerdict[] {
  const byRequirement = groupBy(cases, ({ requirement }) => requirement.id);
  return requirements.map((requirement) => judgeRequirement(requirement, byRequirement.get(requirement.id)));
}

function judgeRequirement(requirement: Requirement, cases: readonly JudgedCase[] = []): RequirementVerdict {
  const counts = countVerdicts(cases);
  // The target's OpenAPI is required of it, and the requirement of the cases says so.
  const [{ requirement: own } = { requirement }] = cases;
  return { requirement: own, state: totalOf(counts) > 0 ? stateOf(counts) : emptyState(requirement), counts, cases };
}

/** Reports whether a requirement has cases in a run: those of a target's OpenAPI only where the target has one. */
function isOfRun({ requirement: { row }, cases }: RequirementVerdict): boolean {
  return cases.length > 0 || !isChecked(row) || subjectSets[row.subjects].length > 0;
}

function emptyState({ row }: Requirement): State {
  return isChecked(row) ? 'untested' : 'unobservable';
}

function countLevel(cases: readonly JudgedCase[], level: Level): Counts {
  return countVerdicts(cases.filter(({ requirement }) => requirement.row.level === level));
}

function recommendedOf(verdicts: readonly RequirementVerdict[]): Recommended {
  const { held, judged, deviating } = rulesOf('recommended', verdicts);
  const declared = deviating > 0 ? ` (${countOf(deviating, 'known deviation')})` : '';
  return { held, judged, ...(judged > 0 && { line: `recommended: ${held} of ${judged}${declared}` }) };
}

function aliasedOf(cases: readonly JudgedCase[]): Aliased {
  if (cases.length === 0) return { cases, line: '' };
  const { passed, failed, blocked, 'known-deviation': deviating, skipped } = countVerdicts(cases);
  const more = [
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ...(deviating > 0 ? [countOf(deviating, 'known deviation')] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return { cases, line: [`aliased: ${passed} passed`, `${failed} failed`, ...more].join(', ') };
}

/** Returns the combined notes: `Pod has more than the suite knows: metadata.managedFields, spec.priority`. */
function notedLines(cases: Iterable<Pick<CaseResult, 'note'>>): string[] {
  const noted = new Map<string, Set<string>>();
  for (const { note = '' } of cases) {
    const end = note.indexOf(': ');
    if (end < 0) continue;
    const about = note.slice(0, end);
    const known = noted.get(about) ?? new Set<string>();
    for (const what of note.slice(end + 2).split(', ')) known.add(what);
    noted.set(about, known);
  }
  return [...noted]
    .sort()
    .map(([about, what]) => `${about} has more than the suite knows: ${[...what].sort().join(', ')}`);
}
