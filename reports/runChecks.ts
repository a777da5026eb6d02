// What fails a run as a whole, beside its cases: a run that is red is red in every format.
import type { Verdict } from './verdict.js';

/** One thing that is asked of a run, with what speaks against it, a sentence each. */
export interface RunCheck {
  readonly name: string;
  readonly problems: readonly string[];
}

/** The checks of a run, whether it passes them or not. */
export function runChecks(verdict: Verdict): readonly RunCheck[] {
  const { outcome, line, staleDeviations, staleAbsences, leftovers, outages, reasons } = verdict;
  const cut = reasons.filter((reason) => /killed|is missing/.test(reason));
  const stale = [...staleDeviations, ...staleAbsences];
  return [
    { name: 'runs to its end', problems: outcome === 'could-not-run' ? [line] : cut },
    { name: 'declares no deviation that is gone', problems: stale.map(({ message }) => message) },
    { name: 'leaves nothing behind', problems: leftovers },
    { name: 'finds the target there all the time', problems: outages },
  ];
}
