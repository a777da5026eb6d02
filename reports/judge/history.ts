// The verdicts of earlier runs on the same target, in a small file: how conformance changes, and since when a
// requirement fails.
import { rulesOf } from './counts.js';
import type { Evidence } from './evidence.js';
import { isRecord } from './evidenceLine.js';
import { selectionWords } from './outcome.js';
import type { Verdict } from './verdict.js';

const historyVersion = 1;
/** The number of runs that are kept for each target. */
const keptRuns = 30;

/** A run, as its history keeps it. */
export interface PastRun {
  readonly target: string;
  readonly runId: string;
  readonly startedAt: string;
  readonly outcome: Verdict['outcome'];
  readonly exitCode: Verdict['exitCode'];
  /** The requirements of level required that hold, and those that were judged. */
  readonly held: number;
  readonly judged: number;
  /** The requirements that failed or were blocked. */
  readonly failing: readonly string[];
  /** Set if not all cases were selected: a requirement that is not failing may not have been asked. */
  readonly part?: true;
  /** What was selected, in a few words; absent if everything was, and in histories of earlier versions. */
  readonly selected?: string;
  /** How a run without a verdict ended that judged some cases. */
  readonly early?: Verdict['early'];
}

/**
 * Returns the history with a run, which replaces an earlier entry of the same run: the last 30 runs of each target, in
 * the order in which they started.
 */
export function withRun(history: readonly PastRun[], verdict: Verdict, { run }: Evidence): PastRun[] {
  if (run === undefined) return [...history];
  const { held, judged } = rulesOf('required', verdict.requirements);
  const selected = selectionWords(run).join(', ');
  const entry: PastRun = {
    target: run.target.name,
    runId: run.runId,
    startedAt: run.startedAt,
    outcome: verdict.outcome,
    exitCode: verdict.exitCode,
    held,
    judged,
    failing: verdict.requirements
      .filter(({ state }) => state === 'failed' || state === 'blocked')
      .map(({ requirement }) => requirement.id),
    ...(selected !== '' && { part: true, selected }),
    ...(verdict.early !== undefined && { early: verdict.early }),
  };
  const others = history.filter(({ runId }) => runId !== entry.runId);
  const sorted = [...others, entry].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  const ofTarget = (name: string): PastRun[] => sorted.filter(({ target }) => target === name).slice(-keptRuns);
  return [...new Set(sorted.map(({ target }) => target))].flatMap(ofTarget);
}

/** Returns the start of the first run since which a requirement fails; undefined if it does not fail in the last run. */
export function failingSince(runs: readonly PastRun[], requirement: string): string | undefined {
  let since: string | undefined;
  // A run that could not run, or that did not ask for the requirement, says nothing about it.
  for (const { startedAt, failing, part, outcome } of runs) {
    if (failing.includes(requirement)) since ??= startedAt;
    else if (!part && outcome !== 'could-not-run') since = undefined;
  }
  return since;
}

/** Returns the history as text: a run on each line. */
export const renderHistory = (runs: readonly PastRun[]): string =>
  `{"historyVersion":${historyVersion},"runs":[\n${runs.map((run) => JSON.stringify(run)).join(',\n')}\n]}\n`;

/** Parses a history. Undefined if the text is none, or of another version. */
export function parseHistory(text: string): PastRun[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || value.historyVersion !== historyVersion || !Array.isArray(value.runs)) return undefined;
    return value.runs.every(isPastRun) ? value.runs : undefined;
  } catch {
    return undefined;
  }
}

function isPastRun(value: unknown): value is PastRun {
  if (!isRecord(value)) return false;
  const { target, runId, startedAt, outcome, held, judged, failing } = value;
  return (
    [target, runId, startedAt, outcome].every((text) => typeof text === 'string') &&
    [held, judged].every((number) => typeof number === 'number') &&
    Array.isArray(failing) &&
    failing.every((id) => typeof id === 'string')
  );
}
