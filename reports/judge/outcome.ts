// The outcome of a run: one line, the reasons for a bad outcome, and the exit code.
import { defined } from '../../matrix/api/index.js';
import type { CaseResult, RunHeader } from '../../suites/requirements/index.js';
import { countOf } from '../page/words.js';
import { firstLine } from '../safeText.js';
import {
  countVerdicts,
  type Failing,
  failureWords,
  isFailure,
  isUnreached,
  type JudgedCase,
  whyUnjudged,
} from './counts.js';
import { isUnexplained, type StaleAbsence, type StaleDeviation } from './deviations.js';
import type { Evidence } from './evidence.js';
import { featuresIn, featuresLacked, lackingCapabilities } from './lacking.js';
import { type CommonPrerequisite, commonPrerequisite } from './prerequisites.js';

interface LinePart {
  readonly text: string;
  /** The field of the verdict that says the same, if there is one. */
  readonly repeats?: 'outcome' | 'reasons' | 'recommended' | 'selection';
}

interface Selection {
  /** A few words for each part of the choice. */
  readonly words: readonly string[];
  readonly of: number;
}

export interface Outcome {
  readonly outcome: 'conformant' | 'partial' | 'not-conformant' | 'could-not-run';
  /**
   * The parts of `line`: first `conformant to Kubernetes 1.5, as served by 1.33`, `… with N known deviations`, `partial: conformant in what it
   * supports …`, `not conformant`, `nothing new (N known)` or `could not run: …`; then what is not supported, the number of recommended
   * requirements that hold and, if only a part of the cases counts, the part. `inconclusive: …` if only an outage of the
   * target speaks against it.
   */
  readonly parts: readonly LinePart[];
  /** The parts, separated by semicolons. */
  readonly line: string;
  /** Absent if all cases were selected. */
  readonly selection?: Selection;
  /** Why the run fails, one sentence each; empty if it does not. */
  readonly reasons: readonly string[];
  /** Those of the reasons that name shards without an end. */
  readonly unfinished: readonly string[];
  /** How many cases fail the run, and how many failures are known. */
  readonly failing: Failing;
  /** The number of known failures of a run that is not conformant and has no others; absent in all other runs. */
  readonly nothingNew?: number;
  /** Why a run that judged cases has no verdict: absent if it judged nothing without an interruption, and in all other runs. */
  readonly early?: 'interrupted' | 'ended early' | 'inconclusive';
  /**
   * 0: conformant, also if partial or with deviations, or no worse than the baseline; 1: not conformant; 2: could not
   * run.
   */
  readonly exitCode: 0 | 1 | 2;
}

export interface Findings {
  readonly evidence: Evidence;
  readonly cases: readonly JudgedCase[];
  /** The number of cases that ran under an alias; they are not supported among `cases`. */
  readonly aliased: number;
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
  readonly missingShards: readonly number[];
  /** The cases that failed in the baseline and pass now; absent without a baseline. */
  readonly fixed: readonly JudgedCase[] | undefined;
  /** Results of requirements that the matrix does not have. */
  readonly unknown: readonly CaseResult[];
}

export function outcomeOf(findings: Findings): Outcome {
  const stopped = whyNotRun(findings);
  if (stopped !== undefined) {
    const isInterrupted = stopped[0]?.startsWith('interrupted') === true;
    const isEarly = isInterrupted || !findings.cases.every((one) => isUnreached(one) || one.missing);
    const early = isInterrupted ? 'interrupted' : 'ended early';
    const failing = failingOf(findings);
    return outcomeWith('could-not-run', 2, texts(stopped), {
      ...{ reasons: [], unfinished: [], failing, ...defined({ selection: selectionOf(findings) }) },
      ...(isEarly && { early }),
    });
  }
  const decisive = findings.cases.filter(({ requirement }) => decides(requirement, findings.strict));
  const unfinished = unfinishedShards(findings);
  const common = commonPrerequisite(findings.cases);
  const retried = findings.cases.filter((one) => one.retried !== undefined).length;
  const failing = failingOf(findings);
  const { known } = failing;
  const judged = whyNotConformant(findings, failing, unfinished, common);
  const outage = outageText(findings.evidence);
  const reasons = judged.length > 0 ? [...judged, ...compact(outage)] : [];
  const selection = selectionOf(findings);
  const rest: readonly LinePart[] = [
    ...(common === undefined ? [] : [commonPart(common, reasons)]),
    ...texts(findings.fixed?.length ? [`${countOf(findings.fixed.length, 'case')} fixed`] : []),
    ...texts(retried > 0 ? [`${countOf(retried, 'case')} passed by a retry`] : []),
    ...texts(compact(findings.recommended), 'recommended'),
    ...texts([...compact(findings.kinds), ...unmade(findings), ...skipped(findings, decisive)]),
    ...texts(selection === undefined ? [] : [selectionText(findings, selection)], 'selection'),
  ];
  const more = {
    reasons,
    failing,
    unfinished: [...unfinished.missing, ...unfinished.killed],
    ...defined({ selection }),
  };
  if (reasons.length > 0) {
    const verdict: LinePart = { text: 'not conformant', repeats: 'outcome' };
    const compared = texts(known > 0 ? [countOf(known, 'known failure')] : []);
    return outcomeWith('not-conformant', 1, [verdict, ...compared, ...rest], more);
  }
  // A request may have stopped the target, or its owner: no case shows which.
  if (outage !== undefined) {
    const why: LinePart = { text: `inconclusive: ${outage}, and no case that counts shows why: run again` };
    return outcomeWith('could-not-run', 2, [why, ...rest], { ...more, early: 'inconclusive' });
  }
  if (known > 0) {
    const verdict: LinePart = { text: `nothing new (${known.toLocaleString('en-US')} known)`, repeats: 'outcome' };
    const parts = [verdict, ...texts(['not conformant']), ...rest];
    return outcomeWith('not-conformant', 0, parts, { ...more, nothingNew: known });
  }
  const deviations = deviationsOf(decisive);
  const { isPartial, absent } = absentIn(findings, decisive);
  // A case that is blocked says nothing about the target.
  const undecided = countVerdicts(findings.cases.filter((one) => !decisive.includes(one)));
  const unknown = undecided.blocked > 0 ? failureWords(undecided) : undefined;
  const required = unknown === undefined ? [] : ['in what is required'];
  const limits = [...(isPartial ? ['in what it supports'] : required), ...compact(deviations && `with ${deviations}`)];
  const to = interfaceIn(findings);
  if (to !== '' && decisive.every(isUnjudged)) {
    const none: LinePart = { text: 'partial: no required case was judged' };
    return outcomeWith('partial', 0, [none, ...texts(absent), ...rest], more);
  }
  const verdict: LinePart = {
    text: `${isPartial ? 'partial: ' : ''}conformant${to}${to.includes(',') && limits.length > 0 ? ',' : ''}${limits.map((limit) => ` ${limit}`).join('')}`,
    ...(to === '' && limits.length === 0 && { repeats: 'outcome' }),
  };
  return outcomeWith(
    isPartial ? 'partial' : 'conformant',
    0,
    [verdict, ...texts([...compact(unknown && `${unknown} of what is recommended`), ...absent]), ...rest],
    more,
  );
}

const headings: Readonly<Record<Outcome['outcome'], string>> = {
  conformant: 'Conformant',
  partial: 'Partly conformant',
  'not-conformant': 'Not conformant',
  'could-not-run': 'Could not run',
};

const withoutVerdict: Readonly<Record<NonNullable<Outcome['early']>, string>> = {
  interrupted: 'Interrupted',
  'ended early': 'Ended early',
  inconclusive: 'Inconclusive',
};

type Headed = Pick<Outcome, 'outcome' | 'nothingNew' | 'early' | 'selection'> & {
  readonly cases: readonly Pick<JudgedCase, 'verdict'>[];
};

/**
 * Returns the verdict in a few words, as the head of a page shows it. A run of selected cases does not show that a server
 * is conformant: its heading says how many cases it judged, of all.
 */
export function headingOf({ outcome, nothingNew, early, selection, cases }: Headed): string {
  if (nothingNew !== undefined) return `Nothing new (${nothingNew.toLocaleString('en-US')} known)`;
  if (early !== undefined) return withoutVerdict[early];
  if (selection === undefined || outcome === 'not-conformant' || outcome === 'could-not-run') return headings[outcome];
  const counts = countVerdicts(cases);
  const what =
    counts.failed + counts.blocked > 0
      ? 'Nothing required failed'
      : counts['known-deviation'] > 0
        ? 'Only known deviations'
        : 'Nothing failed';
  return `${what} in ${cases.length.toLocaleString('en-US')} of ${countOf(selection.of, 'case')}`;
}

/** Returns the parts of the line that are to be shown below the heading: not the verdict where the heading limits it. */
export function partsBelowHeading({ parts, selection, exitCode }: Outcome): readonly LinePart[] {
  return selection !== undefined && exitCode === 0 ? parts.slice(1) : parts;
}

/** Returns the texts of the line for a place without a heading: the heading in place of a verdict that it limits. */
export function limitedTexts(verdict: Outcome & Headed): string[] {
  const below = partsBelowHeading(verdict);
  const texts = below.map(({ text }) => text);
  return below === verdict.parts ? texts : [headingOf(verdict), ...texts];
}

/** Says what a target is conformant to; empty if only kinds that the interface lacks were judged. */
function interfaceIn({ evidence, cases }: Findings): string {
  if (cases.every(({ requirement }) => requirement.ofFound === true)) return '';
  const [, minor] = /^v?1\.(\d+)\./.exec(evidence.run?.target.serverVersion ?? '') ?? [];
  return ` to Kubernetes 1.5${minor === undefined || minor === '5' ? '' : `, as served by 1.${minor}`}`;
}

function outcomeWith(
  outcome: Outcome['outcome'],
  exitCode: Outcome['exitCode'],
  parts: readonly LinePart[],
  more: Pick<Outcome, 'reasons' | 'failing' | 'unfinished' | 'selection' | 'nothingNew' | 'early'>,
): Outcome {
  return { outcome, parts, line: parts.map(({ text }) => text).join('; '), ...more, exitCode };
}

const texts = (parts: readonly string[], repeats?: LinePart['repeats']): LinePart[] =>
  parts.map((text) => ({ text, ...defined({ repeats }) }));

/**
 * Returns the absent capabilities. A run is partial if a deciding case of the interface is not supported; features are
 * always named. What a target does not declare about kinds that only it knows is no gap.
 */
function absentIn({ evidence, cases }: Findings, decisive: readonly JudgedCase[]) {
  const featureOf = featuresIn(evidence.run?.notSupported ?? []);
  const ofInterface = decisive.filter(({ requirement }) => requirement.ofFound === undefined);
  const units = lackingCapabilities(ofInterface, featureOf);
  const isNamed = (feature: string): boolean => units.some((unit) => unit.startsWith(asMechanism(feature)));
  const lacks = [...shortened(units), ...featuresLacked(cases, featureOf).filter((feature) => !isNamed(feature))];
  const isPartial = ofInterface.some(({ verdict }) => verdict === 'not-supported');
  return { isPartial, absent: lacks.length === 0 ? [] : [`not supported: ${lacks.join(', ')}`] };
}

/** `static-password` → `staticPassword`: the feature of a mechanism, named as the mechanism. */
const asMechanism = (feature: string): string =>
  feature.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const compact = (text: string | undefined): string[] => (text === undefined ? [] : [text]);

/** Returns the number of requirements with a known deviation, and the number of these without a known cause. */
function deviationsOf(decisive: readonly JudgedCase[]): string | undefined {
  const deviating = decisive.filter(({ deviation }) => deviation);
  const ids = (cases: readonly JudgedCase[]): number => new Set(cases.map(({ requirement }) => requirement.id)).size;
  if (deviating.length === 0) return undefined;
  const unexplained = ids(deviating.filter(({ deviation }) => deviation && isUnexplained(deviation)));
  return countOf(ids(deviating), 'known deviation') + (unexplained > 0 ? `, ${unexplained} to be explained` : '');
}

/** Returns the number of kinds of which no valid object could be made: their blocked cases say nothing about the target. */
function unmade({ cases }: Findings): string[] {
  const kinds = new Set(cases.filter(isUnmade).map(({ about }) => about?.operation?.resource));
  return kinds.size === 0 ? [] : [`${countOf(kinds.size, 'other kind')} without a valid object`];
}

/** Reports whether a requirement decides about the verdict of a run. */
const decides = ({ row }: JudgedCase['requirement'], strict: boolean): boolean => strict || row.level === 'required';

/** Reports whether a case fails the run by itself: a failure that decides, and that the baseline does not have. */
export function failsRun(judged: JudgedCase, strict: boolean): boolean {
  return isFailure(judged) && !judged.known && decides(judged.requirement, strict) && !isUnmade(judged);
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

/** Reports whether a case says nothing about the target. */
const isUnjudged = (judged: JudgedCase): boolean =>
  judged.verdict === 'skipped' || judged.verdict === 'not-supported' || isUnmade(judged);

/** Returns the parts of the line of a run without a verdict about its server; undefined for other runs. */
function whyNotRun(findings: Findings): string[] | undefined {
  const early = earlyEnd(findings.evidence) ?? lostProcess(findings);
  if (early === undefined) return whyNothing(findings);
  const [reached, ...unseen] = reachedIn(findings);
  if (early.startsWith('interrupted')) return [`interrupted ${reached}`, ...unseen];
  return [`could not run: ${early}`, `it ended ${reached}`, ...unseen];
}

/** Says that a process of a run ended before its cases did; its last case is not known to have failed. */
function lostProcess({ evidence, cases, missingShards }: Findings): string | undefined {
  const isOfShard = missingShards.length > 0 || (evidence.shards?.killed.length ?? 0) > 0;
  if (isOfShard || evidence.cases.size === 0) return undefined;
  const lost = cases.filter(({ missing }) => missing).length;
  return lost === 0 ? undefined : `${countOf(lost, 'case')} without a verdict, whose process died`;
}

/** Returns how far a run came that ended early. */
function reachedIn({ evidence, cases }: Findings): string[] {
  const judged = cases.filter((one) => !isUnreached(one) && !one.missing);
  const failures = failureWords(countVerdicts(judged));
  const of = `${judged.length.toLocaleString('en-US')} of ${countOf(cases.length, 'case')}`;
  return [
    `after ${of}, ${failures ?? 'none failed'} until then`,
    ...(evidence.end ? [] : ['nobody looked for what it left']),
  ];
}

/** Returns why nothing is known about the server: nothing was chosen, or no chosen case was judged. */
function whyNothing(findings: Findings): string[] | undefined {
  const { evidence, cases, aliased, unknown } = findings;
  const { run } = evidence;
  if (!run) return ['could not run: the evidence has no header'];
  const [first] = unknown;
  if (first) {
    const results = `${countOf(unknown.length, 'case')} of unknown requirements (${first.requirement})`;
    return [`could not run: ${results}: judge with version ${run.version}`];
  }
  if (evidence.cases.size > 0) {
    // What ran under an alias is known, although it decides nothing; of a shard, others know more.
    const isShard = evidence.shards !== undefined && evidence.shards.present.length < evidence.shards.of;
    if (aliased > 0 || isShard || !cases.every(isUnjudged)) return undefined;
    const { absent } = absentIn(findings, cases);
    return ['could not run: no case was judged', ...absent, ...unmade(findings), ...skipped(findings, cases)];
  }
  const words = selectionWords(run);
  const chosen = cases.length === 0 && words.length > 0 ? `no case was chosen: ${words.join(', ')}` : 'no case was run';
  return [`could not run: ${chosen}`];
}

/** Counts the failures that fail the run by themselves, and those that are known. */
function failingOf({ cases, strict }: Findings): Failing {
  const fresh = cases.filter((judged) => failsRun(judged, strict));
  const { failed, blocked } = countVerdicts(fresh.filter(({ missing }) => !missing));
  const missing = fresh.filter((judged) => judged.missing).length;
  const isKnown = (judged: JudgedCase): boolean =>
    judged.known === true && isFailure(judged) && decides(judged.requirement, strict);
  return { failed, blocked, missing, known: cases.filter(isKnown).length };
}

function whyNotConformant(
  { cases, stale, staleAbsences, leftovers, fixed, strict }: Findings,
  { failed: failures, blocked, missing }: Failing,
  { missing: missingShards, killed }: Unfinished,
  common: CommonPrerequisite | undefined,
): string[] {
  const fresh = cases.filter((judged) => failsRun(judged, strict));
  const noun = strict ? 'case' : 'required case';
  const news = fixed === undefined ? '' : ' and did not in the baseline';
  const failed = failures > 0 ? [`${countOf(failures, noun)} failed${news}`] : [];
  // What blocks most cases comes first.
  return [
    ...(common === undefined ? failed : []),
    ...(blocked > 0 ? [blockedText(fresh, blocked, noun, common)] : []),
    ...(common === undefined ? [] : failed),
    ...(missing > 0 ? [`${countOf(missing, noun)} without a verdict`] : []),
    ...missingShards,
    ...(stale.length > 0 ? [`${countOf(stale.length, 'declared deviation')} not seen any more`] : []),
    ...(staleAbsences.length > 0 ? [`${countOf(staleAbsences.length, 'declared absence')} not true any more`] : []),
    ...(leftovers.length > 0 ? [`${countOf(leftovers.length, 'object')} left on the target`] : []),
    ...killed,
  ];
}

function outageText({ end }: Evidence): string | undefined {
  const outages = end?.outages?.length ?? 0;
  return outages > 0 ? `the target was gone during the run, ${countOf(outages, 'time')}` : undefined;
}

/** Returns the part of the line about the prerequisite that blocks most failing cases. */
function commonPart({ what, cases }: CommonPrerequisite, reasons: readonly string[]): LinePart {
  const text = `${countOf(cases.length, 'case')} blocked by one prerequisite: ${firstLine(what, 200)}`;
  return { text, ...(reasons.some((reason) => reason.includes(what)) && { repeats: 'reasons' }) };
}

/** Returns the number of blocked cases, with the prerequisite that blocks most of them. */
function blockedText(
  fresh: readonly JudgedCase[],
  blocked: number,
  noun: string,
  common: CommonPrerequisite | undefined,
): string {
  const own = common?.cases.filter((one) => fresh.includes(one)).length ?? 0;
  const all = `${countOf(blocked, noun)} blocked`;
  if (common === undefined || own === 0) return all;
  return `${all}, ${own === blocked ? '' : `${own.toLocaleString('en-US')} of them `}by one prerequisite: ${common.what}`;
}

interface Unfinished {
  readonly missing: readonly string[];
  readonly killed: readonly string[];
}

function unfinishedShards({ evidence: { shards }, missingShards }: Findings): Unfinished {
  return {
    missing: missingShards.map((index) => `shard ${index} of ${shards?.of} is missing: give its evidence too`),
    killed: (shards?.killed ?? []).map(
      (index) => `shard ${index} of ${shards?.of} was killed: nobody looked for what it left`,
    ),
  };
}

/** Returns how many of the deciding cases were skipped, and why. If others were skipped too, it says which these are. */
function skipped({ cases: all }: Findings, decisive: readonly JudgedCase[]): string[] {
  const isSkipped = (one: JudgedCase): boolean => one.verdict === 'skipped' && !isUnreached(one);
  const cases = decisive.filter(isSkipped);
  const noun = all.filter(isSkipped).length > cases.length ? 'required case' : 'case';
  const [first] = cases;
  if (!first) return [];
  const why = whyUnjudged(first);
  const sameReason = cases.every((one) => whyUnjudged(one) === why);
  return [`${countOf(cases.length, noun)} skipped${sameReason ? `: ${why}` : ''}`];
}

function selectionOf({ evidence, all }: Findings): Selection | undefined {
  const words = selectionWords(evidence.run);
  return words.length === 0 ? undefined : { words, of: all };
}

function selectionText({ cases }: Findings, { words, of }: Selection): string {
  return `${cases.length.toLocaleString('en-US')} of ${countOf(of, 'case')} selected: ${words.join(', ')}`;
}

/** Returns a few words for each part of the choice of a run; empty if everything was chosen. */
export function selectionWords(run: RunHeader | undefined): string[] {
  const { chapters, grep, only, profile, readOnly, kinds, shard } = run?.choice ?? {};
  return [
    ...(chapters === undefined ? [] : [`${chapters.length === 1 ? 'chapter' : 'chapters'} ${chapters.join(', ')}`]),
    ...(grep === undefined ? [] : [`ids with "${grep}"`]),
    ...(only === undefined ? [] : ['what failed in the run before']),
    ...(profile === undefined || profile === 'full' ? [] : [`profile ${profile}`]),
    ...(readOnly ? ['read-only'] : []),
    ...(kinds === undefined ? [] : [`${kinds.length === 1 ? 'kind' : 'kinds'} ${kinds.join(', ')}`]),
    ...(shard === undefined ? [] : [`shard ${shard.index} of ${shard.of}`]),
  ];
}

function shortened(lacks: readonly string[]): readonly string[] {
  return lacks.length > 6 ? [...lacks.slice(0, 5), `${lacks.length - 5} more`] : lacks;
}
