// The words of evidence and reports that earlier versions wrote: baselines and old runs are read as new ones are.

const verdicts: Readonly<Record<string, string>> = {
  'not-testable': 'blocked',
  deviation: 'known-deviation',
  'not-offered': 'not-supported',
  'not-run': 'skipped',
  'not-reached': 'skipped',
};

/** The verdict in the words of today. */
export function verdictToday(verdict: string): string {
  return Object.hasOwn(verdicts, verdict) ? (verdicts[verdict] ?? verdict) : verdict;
}

/** Brings a line of evidence, or a case of a report, to the words of today. What has them already stays as it is. */
export function inTodaysWords(line: Record<string, unknown>): void {
  const { verdict, notOffered, notSupported, message } = line;
  if (notOffered !== undefined && notSupported === undefined) {
    line.notSupported = notOffered;
    delete line.notOffered;
  }
  if (typeof verdict !== 'string') return;
  line.verdict = verdictToday(verdict);
  if (verdict === 'not-reached') line.skip = 'not-reached';
  // Earlier versions kept no kind of reason: what was not sent for the sake of the target said so.
  if (verdict === 'not-run') line.skip = /not sent|not disposable/.test(String(message)) ? 'not-safe' : 'could-not-run';
}
