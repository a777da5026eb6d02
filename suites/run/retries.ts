// The tries of a subject, as a table of states: when it is tried again, and which verdicts its cases get.
import type { CaseResult } from '../requirements/index.js';
import type { Found } from './recovery.js';

/** `first`: beside other subjects. `again`: the same, with full waits. `alone`: with full waits and no other subject. */
export type TryState = 'first' | 'again' | 'alone';

export interface Try {
  readonly results: readonly CaseResult[];
  /** What became of the target; absent if no response was lost or late, so that there was no reason to look. */
  readonly found?: Found;
  /** Whether waits were shortened, and no later try would wait in full: the target was silent for too long. */
  readonly isCutShort: boolean;
  /** The requests that were in flight when a connection ended first. */
  readonly cuts: readonly string[];
  readonly outages: number;
}

/** What a try found. In all but `noLoss` a response was lost or late; `failed` and `cutShort`: cases failed. */
type Finding = 'noLoss' | 'passed' | 'failed' | 'cutShort' | 'recovered' | 'gone';
/** What follows a try: the next try, or the verdicts. */
type Step = 'again' | 'alone' | keyof typeof verdicts;

// A subject after which the target was gone is tried alone: only the subject that stops the target fails.
const steps: Readonly<Record<TryState, Readonly<Record<Finding, Step>>>> = {
  first: { noLoss: 'last', passed: 'last', failed: 'again', cutShort: 'unjudged', recovered: 'alone', gone: 'stopped' },
  again: { noLoss: 'best', passed: 'best', failed: 'best', cutShort: 'best', recovered: 'alone', gone: 'stopped' },
  alone: { noLoss: 'once', passed: 'once', failed: 'once', cutShort: 'once', recovered: 'twice', gone: 'twice' },
};

/** What the tries of a subject need. */
export interface Retrying {
  attempt(state: TryState): Promise<Try>;
  /** Gives the next try new namespaces: creates in the old ones may have lost their responses. */
  renewSandbox(): void;
  /** Returns the requests that were in flight when the nth outage began. */
  suspects(outage: number): readonly string[];
}

export async function retried(subject: Retrying): Promise<CaseResult[]> {
  let before: Try | undefined;
  for (let state: TryState = 'first'; ; ) {
    const last = await subject.attempt(state);
    const finding = findingOf(last);
    if (finding === 'failed' || finding === 'cutShort') subject.renewSandbox();
    const step: Step = steps[state][finding];
    if (step !== 'again' && step !== 'alone') return verdicts[step](last, before ?? last, subject);
    [before, state] = [last, step];
  }
}

function findingOf({ found, results, isCutShort }: Try): Finding {
  if (found === undefined) return 'noLoss';
  if (found !== 'responds') return found;
  if (!results.some(isLacking)) return 'passed';
  return isCutShort ? 'cutShort' : 'failed';
}

const verdicts = {
  last: ({ results }: Try) => [...results],
  unjudged: ({ results }: Try) => results.map(unjudged),
  best: (last: Try, before: Try) => {
    const results = bestOf(last, before);
    return last.isCutShort ? results.map(unjudged) : results;
  },
  /** The run is over: a case that got no response says nothing of its rule, unless its request stopped the target. */
  stopped: (last: Try, before: Try, subject: Retrying) => {
    const [cut, ...more] = last.cuts;
    const isCulprit = cut !== undefined && more.length === 0 && subject.suspects(last.outages).length === 1;
    const results = bestOf(last, before);
    return last.isCutShort
      ? results.map(unjudged)
      : results.map((each) => (isCulprit ? stopping(each, cut) : unanswered(each)));
  },
  /** The target was gone after the subject, but not after the try alone: another request may have stopped it. */
  once: (last: Try, before: Try, subject: Retrying) =>
    before.cuts.length === 1 && subject.suspects(before.outages).length === 1
      ? failedBy(
          last,
          `the target stopped responding after this request, with no other request in flight; the retry succeeded: ${before.cuts}`,
        )
      : bestOf(last, before),
  twice: (last: Try, before: Try) =>
    failedBy(
      last,
      `the target stopped responding after this request, twice: ${[last.cuts, before.cuts].find(({ length }) => length > 0)?.join(', ') ?? 'unknown'}`,
    ),
} as const satisfies Readonly<Record<string, (last: Try, before: Try, subject: Retrying) => CaseResult[]>>;

/** Returns the results of the last try; a case that passed in either try passes, and says why it failed in the other. */
function bestOf({ results }: Try, before: Try): CaseResult[] {
  const earlier = new Map(before.results.map((each) => [each.id, each]));
  return results.map((each) => {
    const other = earlier.get(each.id);
    if (other === undefined) return each;
    if (isLacking(each) && other.verdict === 'passed') return asPassed(each, each);
    return each.verdict === 'passed' && isLacking(other) ? asPassed(each, other) : each;
  });
}

const isLacking = ({ verdict }: CaseResult): boolean => verdict === 'failed' || verdict === 'blocked';

function asPassed({ message: _, ...each }: CaseResult, { message: retried = 'no message' }: CaseResult): CaseResult {
  return { ...each, verdict: 'passed', retried };
}

const failedBy = ({ results }: Try, message: string): CaseResult[] =>
  results.map((each) => ({ ...each, verdict: 'failed', message }));

const hasNoAnswer = (each: CaseResult): boolean => isLacking(each) && /: no answer: /.test(each.message ?? '');

/** Returns a result without a response as failed: its request stopped the target for good. */
const stopping = (each: CaseResult, cut: string): CaseResult =>
  hasNoAnswer(each)
    ? {
        ...each,
        verdict: 'failed',
        message: `the target stopped responding after this request, with no other request in flight, and did not recover: ${cut}`,
      }
    : each;

/** Returns a result without a response as skipped: any request that was in flight may have stopped the target. */
const unanswered = (each: CaseResult): CaseResult =>
  hasNoAnswer(each)
    ? { ...each, verdict: 'skipped', skip: 'not-reached', message: 'the target stopped responding while the case ran' }
    : each;

/** Returns a failed result as skipped: the target did not get the full time. */
function unjudged(each: CaseResult): CaseResult {
  if (!isLacking(each)) return each;
  const message =
    'the target sent no response for more than ten minutes in all, so the run no longer waits in full: run this chapter alone with --chapter';
  return { ...each, verdict: 'skipped', skip: 'could-not-run', message };
}
