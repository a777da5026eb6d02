// What fails a run as a whole, beside its cases: a run that is red is red in every format.
import type { Verdict } from './verdict.js';

/** One thing that is asked of a run, with what speaks against it, a sentence each. */
export interface RunCheck {
  readonly name: string;
  readonly problems: readonly string[];
}

/** The checks of a run, whether it passes them or not. */
export function runChecks({
  outcome,
  line,
  staleDeviations,
  staleAbsences,
  leftovers,
  reasons,
}: Verdict): readonly RunCheck[] {
  const killed = reasons.filter((reason) => /killed|is missing/.test(reason));
  return [
    { name: 'runs to its end', problems: outcome === 'could-not-run' ? [line] : killed },
    {
      name: 'declares no deviation that is gone',
      problems: [...staleDeviations, ...staleAbsences].map(({ message }) => message),
    },
    { name: 'leaves nothing behind', problems: leftovers },
  ];
}
