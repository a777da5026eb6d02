// The checks of a run as a whole, beside its cases. Every format shows their failures.
import type { Verdict } from './verdict.js';

/** One check of a run, with its problems, one sentence each. */
export interface RunCheck {
  readonly name: string;
  readonly problems: readonly string[];
}

/** Returns all checks of a run, passed and failed ones. */
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
