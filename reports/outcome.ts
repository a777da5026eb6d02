// The outcome of a run: one line, the reasons for a bad outcome, and the exit code.
import { type CaseResult, choiceOf } from '../suites/requirements/index.js';
import { choiceWords } from './choiceText.js';
import { count, isFailure, isUnreached, type JudgedCase, plural, whyUnjudged } from './counts.js';
import { isUnexplained, type StaleAbsence, type StaleDeviation } from './deviations.js';
import type { Evidence } from './evidence.js';
import { featuresIn, featuresLacked, lacking } from './lacking.js';

/** The outcome of a run. */
export interface Outcome {
  readonly outcome: 'conformant' | 'partial' | 'not-conformant' | 'could-not-run';
  /**
   * `conformant`, `conformant with N known deviations`, `partial: conformant in what it supports` with the absent
   * capabilities, `not conformant` or `could not run: …`. After semicolons: the number of recommended requirements that
   * hold and, if only a part of the cases counts, the part.
   */
  readonly line: string;
  /** Why the run fails, one sentence each; empty if it does not. */
  readonly reasons: readonly string[];
  /**
   * 0: conformant, also if partial or with deviations, or no worse than the baseline; 1: not conformant; 2: could not
   * run.
   */
  readonly exitCode: 0 | 1 | 2;
}

/** The input for the outcome. */
export interface Findings {
  readonly evidence: Evidence;
  readonly cases: readonly JudgedCase[];
  /** The number of cases of a whole run. */
  readonly all: number;
  /** Whether recommended requirements decide too. */
  readonly strict: boolean;
  /** `recommended: M of K`; absent if none was judged. */
  readonly recommended: string | undefined;
  /** `other kinds: M of K cases passed`; absent if the run had no kinds that only the target knows. */
  readonly kinds?: string | undefined;
  readonly stale: readonly StaleDeviation[];
  readonly staleAbsences: readonly StaleAbsence[];
  readonly leftovers: readonly string[];
  /** The shards that are missing in the evidence. */
  readonly missingShards: readonly number[];
  /** The cases that failed in the baseline and pass now; absent without a baseline. */
  readonly fixed: readonly JudgedCase[] | undefined;
  /** Results of requirements that the matrix does not have. */
  readonly unknown: readonly CaseResult[];
}

/** Returns the outcome of a run. */
export function outcomeOf(findings: Findings): Outcome {
  const stopped = whyNotRun(findings);
  if (stopped !== undefined) return { outcome: 'could-not-run', line: stopped, reasons: [], exitCode: 2 };
  const decisive = findings.cases.filter(({ requirement }) => findings.strict || requirement.row.level === 'required');
  const reasons = whyNotConformant(findings, decisive);
  const known = decisive.filter((judged) => judged.known && isFailure(judged)).length;
  const fixed = findings.fixed?.length ? [`${plural(findings.fixed.length, 'case')} fixed`] : [];
  const part = [
    ...compact(findings.recommended),
    ...compact(findings.kinds),
    ...unmade(findings),
    ...skipped(decisive),
    ...selection(findings),
  ];
  const line = (...parts: readonly string[]): string => [...parts, ...fixed, ...part].join('; ');
  if (reasons.length > 0 || known > 0) {
    const compared = known > 0 ? [`${plural(known, 'known failure')}`] : [];
    const verdict = reasons.length > 0 ? 'not conformant' : 'not conformant, and nothing new';
    const exitCode = reasons.length > 0 ? 1 : 0;
    return { outcome: 'not-conformant', line: line(verdict, ...compared), reasons, exitCode };
  }
  const deviations = deviationsOf(decisive);
  const verdict = deviations ? ` with ${deviations}` : '';
  const { isPartial, absent } = absentIn(findings, decisive);
  return isPartial
    ? {
        outcome: 'partial',
        line: line(`partial: conformant in what it supports${verdict}`, ...absent),
        reasons,
        exitCode: 0,
      }
    : { outcome: 'conformant', line: line(`conformant${verdict}`, ...absent), reasons, exitCode: 0 };
}

/**
 * Returns the absent capabilities. A run is partial if a deciding case of the interface is not supported; features are
 * always named. What a target does not declare about kinds that only it knows is no gap.
 */
function absentIn({ evidence, cases }: Findings, decisive: readonly JudgedCase[]) {
  const featureOf = featuresIn(evidence.run?.notSupported ?? []);
  const ofInterface = decisive.filter(({ requirement }) => requirement.ofFound === undefined);
  const lacks = [...shortened(lacking(ofInterface, featureOf)), ...featuresLacked(cases, featureOf)];
  const isPartial = ofInterface.some(({ verdict }) => verdict === 'not-supported');
  return { isPartial, absent: lacks.length === 0 ? [] : [`not supported: ${lacks.join(', ')}`] };
}

const compact = (text: string | undefined): string[] => (text === undefined ? [] : [text]);

/** Returns the number of requirements with a known deviation, and the number of these without a known cause. */
function deviationsOf(decisive: readonly JudgedCase[]): string | undefined {
  const deviating = decisive.filter(({ deviation }) => deviation);
  const ids = (cases: readonly JudgedCase[]): number => new Set(cases.map(({ requirement }) => requirement.id)).size;
  if (deviating.length === 0) return undefined;
  const unexplained = ids(deviating.filter(({ deviation }) => deviation && isUnexplained(deviation)));
  return plural(ids(deviating), 'known deviation') + (unexplained > 0 ? `, ${unexplained} to be explained` : '');
}

/** Returns the number of kinds of which no valid object could be made: their blocked cases say nothing about the target. */
function unmade({ cases }: Findings): string[] {
  const kinds = new Set(cases.filter(isUnmade).map(({ about }) => about?.operation?.resource));
  return kinds.size === 0 ? [] : [`${plural(kinds.size, 'other kind')} without a valid object`];
}

/** Reports whether a case is blocked because no valid object of its kind, which only the target knows, could be made. */
function isUnmade({ verdict, about }: JudgedCase): boolean {
  return verdict === 'blocked' && about?.operation?.resource?.found?.blocked !== undefined;
}

/** Returns why a run ended early, as a sentence; undefined if it was complete, or is one of several shards. */
export function earlyEnd({ run, end, shards }: Evidence): string | undefined {
  if (end?.aborted !== undefined) return end.aborted;
  return run && !end && shards === undefined ? 'the run was killed' : undefined;
}

/** Returns the line of a run without a verdict about its server; undefined for other runs. */
function whyNotRun(findings: Findings): string | undefined {
  const early = earlyEnd(findings.evidence);
  if (early !== undefined) {
    const line = early.startsWith('interrupted') ? 'interrupted' : `could not run: ${early}; it ended`;
    return `${line} ${reached(findings)}`;
  }
  const why = whyNothing(findings);
  return why && `could not run: ${why}`;
}

/** Returns how far a run came that ended early. */
function reached({ evidence, cases }: Findings): string {
  const judged = cases.filter((one) => !isUnreached(one));
  const failed = judged.filter(isFailure).length;
  const of = `${judged.length.toLocaleString('en-US')} of ${plural(cases.length, 'case')}`;
  const unseen = evidence.end ? '' : '; nobody looked for what it left';
  return `after ${of}, ${failed === 0 ? 'none' : failed.toLocaleString('en-US')} failed until then${unseen}`;
}

function whyNothing({ evidence, cases, unknown }: Findings): string | undefined {
  const { run } = evidence;
  if (!run) return 'the evidence has no header';
  const [first] = unknown;
  if (first) {
    return `${plural(unknown.length, 'case')} of unknown requirements (${first.requirement}): judge with version ${run.version}`;
  }
  if (evidence.cases.size > 0) {
    const [none] = cases.every(({ verdict }) => verdict === 'skipped') ? skipped(cases) : [];
    return none && `nothing was tried; ${none}`;
  }
  const words = choiceWords(choiceOf(run));
  return cases.length === 0 && words.length > 0 ? `no case was chosen: ${words.join(', ')}` : 'no case was run';
}

function whyNotConformant(findings: Findings, decisive: readonly JudgedCase[]): string[] {
  const { evidence, stale, staleAbsences, leftovers, missingShards, fixed, strict } = findings;
  const outages = evidence.end?.outages?.length ?? 0;
  const fresh = decisive.filter((judged) => !judged.known && !isUnmade(judged));
  const missing = fresh.filter((judged) => judged.missing).length;
  const counts = count(fresh.filter((judged) => !judged.missing));
  const noun = strict ? 'case' : 'required case';
  const news = fixed === undefined ? '' : ' and did not in the baseline';
  return [
    ...(counts.failed > 0 ? [`${plural(counts.failed, noun)} failed${news}`] : []),
    ...(counts.blocked > 0 ? [`${plural(counts.blocked, noun)} blocked`] : []),
    ...(missing > 0 ? [`${plural(missing, noun)} without a verdict`] : []),
    ...missingShards.map((index) => `shard ${index} of ${evidence.shards?.of} is missing: give its evidence too`),
    ...(stale.length > 0 ? [`${plural(stale.length, 'declared deviation')} not seen any more`] : []),
    ...(staleAbsences.length > 0 ? [`${plural(staleAbsences.length, 'declared absence')} not true any more`] : []),
    ...(leftovers.length > 0 ? [`${plural(leftovers.length, 'object')} left on the target`] : []),
    ...(outages > 0 ? [`the target was gone during the run, ${plural(outages, 'time')}`] : []),
    ...whoWasKilled(evidence),
  ];
}

function whoWasKilled({ shards }: Evidence): string[] {
  if (shards === undefined) return [];
  return shards.killed.map((index) => `shard ${index} of ${shards.of} was killed: nobody looked for what it left`);
}

function skipped(decisive: readonly JudgedCase[]): string[] {
  const cases = decisive.filter((one) => one.verdict === 'skipped' && !isUnreached(one));
  const [first] = cases;
  if (!first) return [];
  const why = whyUnjudged(first);
  const sameReason = cases.every((one) => whyUnjudged(one) === why);
  return [`${plural(cases.length, 'case')} skipped${sameReason ? `: ${why}` : ''}`];
}

function selection({ evidence, cases, all }: Findings): string[] {
  const words = evidence.run ? choiceWords(choiceOf(evidence.run)) : [];
  return words.length === 0
    ? []
    : [`${cases.length.toLocaleString('en-US')} of ${plural(all, 'case')} selected: ${words.join(', ')}`];
}

function shortened(lacks: readonly string[]): readonly string[] {
  return lacks.length > 6 ? [...lacks.slice(0, 5), `${lacks.length - 5} more`] : lacks;
}
