// Translates the words of earlier versions in evidence and reports, so that baselines and old runs can be read.

const verdicts: Readonly<Record<string, string>> = {
  'not-testable': 'blocked',
  deviation: 'known-deviation',
  'not-offered': 'not-supported',
  'not-run': 'skipped',
  'not-reached': 'skipped',
};

/** Returns the current word for a verdict. */
export function verdictToday(verdict: string): string {
  return Object.hasOwn(verdicts, verdict) ? (verdicts[verdict] ?? verdict) : verdict;
}

/** Translates a line of evidence, or a case of a report, in place. A line with current words stays unchanged. */
export function inTodaysWords(line: Record<string, unknown>): void {
  const { verdict, notOffered, notSupported, message } = line;
  if (notOffered !== undefined && notSupported === undefined) {
    line.notSupported = notOffered;
    delete line.notOffered;
  }
  if (typeof verdict !== 'string') return;
  line.verdict = verdictToday(verdict);
  if (verdict === 'not-reached') line.skip = 'not-reached';
  // Earlier versions had no kind of reason: the message of a case says whether it was skipped to protect the target.
  if (verdict === 'not-run') line.skip = /not sent|not disposable/.test(String(message)) ? 'not-safe' : 'could-not-run';
}
