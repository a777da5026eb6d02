// The outcome: one line, the reasons where it is bad, and the exit code.
import type { CaseResult } from '../matrix/requirements/index.js';
import { count, type JudgedCase, plural } from './counts.js';
import type { StaleDeviation } from './deviations.js';
import type { Evidence } from './evidence.js';
import { lacking } from './lacking.js';

/** What a run comes to. */
export interface Outcome {
  readonly outcome: 'conformant' | 'partial' | 'not-conformant' | 'could-not-run';
  /**
   * `conformant`, `conformant with N deviations`, `partial: …`, `not conformant` or `could not run: …`; where it
   * holds for a part of the cases only, it says so after a semicolon.
   */
  readonly line: string;
  /** Why the target is not conformant, a sentence each; empty otherwise. */
  readonly reasons: readonly string[];
  /** 0: conformant, if partial or with deviations; 1: not conformant; 2: could not run. */
  readonly exitCode: 0 | 1 | 2;
}

/** What an outcome is drawn from. */
export interface Findings {
  readonly evidence: Evidence;
  readonly cases: readonly JudgedCase[];
  /** How many cases a whole run has. */
  readonly all: number;
  readonly stale: readonly StaleDeviation[];
  readonly leftovers: readonly string[];
  /** Results of requirements that the matrix does not have. */
  readonly unknown: readonly CaseResult[];
}

/** The outcome of a run. */
export function outcomeOf(findings: Findings): Outcome {
  const stopped = whyNotRun(findings);
  if (stopped !== undefined) {
    return { outcome: 'could-not-run', line: `could not run: ${stopped}`, reasons: [], exitCode: 2 };
  }
  const reasons = whyNotConformant(findings);
  if (reasons.length > 0) return { outcome: 'not-conformant', line: 'not conformant', reasons, exitCode: 1 };

  const stated = findings.cases.filter(({ requirement }) => requirement.row.level === 'stated');
  const lacks = lacking(stated);
  const deviating = new Set(stated.filter(({ deviation }) => deviation).map(({ requirement }) => requirement.id)).size;
  const deviations = deviating > 0 ? plural(deviating, 'deviation') : undefined;
  const rest = [...notRun(stated), ...selection(findings)];
  return lacks.length > 0
    ? line('partial', [`partial: ${shorten(lacks)}`, ...(deviations ? [deviations] : []), ...rest])
    : line('conformant', [deviations ? `conformant with ${deviations}` : 'conformant', ...rest]);
}

function line(outcome: 'conformant' | 'partial', parts: readonly string[]): Outcome {
  return { outcome, line: parts.join('; '), reasons: [], exitCode: 0 };
}

function whyNotRun({ evidence, cases, unknown }: Findings): string | undefined {
  const { run, end } = evidence;
  if (!run) return 'the evidence has no header';
  if (end?.aborted !== undefined) return end.aborted;
  const [first] = unknown;
  if (first) {
    return `${plural(unknown.length, 'case')} of unknown requirements (${first.requirement}): judge with version ${run.version}`;
  }
  if (evidence.cases.size > 0) return undefined;
  return cases.length === 0 && run.grep !== undefined ? `no case contains "${run.grep}"` : 'no case was run';
}

function whyNotConformant({ evidence, cases, stale, leftovers }: Findings): string[] {
  const stated = cases.filter(({ requirement }) => requirement.row.level === 'stated');
  const missing = stated.filter((judged) => judged.missing).length;
  const counts = count(stated.filter((judged) => !judged.missing));
  return [
    ...(counts.failed > 0 ? [`${plural(counts.failed, 'stated case')} failed`] : []),
    ...(counts['not-testable'] > 0 ? [`${plural(counts['not-testable'], 'stated case')} could not be tested`] : []),
    ...(missing > 0 ? [`${plural(missing, 'stated case')} without a verdict`] : []),
    ...(stale.length > 0 ? [`${plural(stale.length, 'declared deviation')} not seen any more`] : []),
    ...(leftovers.length > 0 ? [`${plural(leftovers.length, 'object')} left on the target`] : []),
    ...(evidence.end ? [] : ['the run was killed before its end: nobody looked for what it left']),
  ];
}

function notRun(stated: readonly JudgedCase[]): string[] {
  const cases = stated.filter(({ verdict }) => verdict === 'not-run');
  const [first] = cases;
  if (!first) return [];
  const sameReason = cases.every(({ message }) => message === first.message);
  return [`${plural(cases.length, 'case')} not run${sameReason && first.message ? `: ${first.message}` : ''}`];
}

function selection({ evidence, cases, all }: Findings): string[] {
  return evidence.run?.grep === undefined ? [] : [`${cases.length} of ${plural(all, 'case')} selected`];
}

function shorten(lacks: readonly string[]): string {
  const shown = lacks.length > 6 ? [...lacks.slice(0, 5), `${lacks.length - 5} more`] : lacks;
  return shown.join(', ');
}
