// Runs in this process, without Playwright and its workers, whose start takes longer than most chosen cases.
import { Command } from 'commander';
import { countLine, judge, renderSummary, type Verdict } from '../../reports/index.js';
import { loadRounds } from '../../suites/index.js';
import type { CaseResult, Exchange, RunFooter } from '../../suites/requirements/index.js';
import { Interruption } from '../run/interruption.js';
import { cleanUp, prepareRun } from '../run/lifecycle.js';
import { checkOptions } from '../run/options.js';
import { runHeaderOf } from '../run/plan.js';
import { addSuiteOptions, registerRun, type SuiteOptions, targetOf } from '../run/run.js';

/** A run that is over: its verdict, and the summary that the command line would print. */
export interface RanHere {
  readonly verdict: Verdict;
  readonly summary: string;
}

/**
 * Gives words that are wrong to the command `run` in this process, which then has no suite to start. Rejects with the
 * UsageError that the command line prints.
 */
export function runCommandHere(...words: readonly string[]): Promise<Command> {
  const program = new Command().exitOverride();
  registerRun(program);
  return program.parseAsync(['run', ...words], { from: 'user' });
}

/**
 * Runs the command `run` with these words: what it asks of the target before the first case, the cases, and the
 * clean-up. Writes no report. Throws UsageError if the run cannot start. It cannot walk the kinds that only the target
 * knows: a process has one set of them, from its start.
 */
export async function runHere(...words: readonly string[]): Promise<RanHere> {
  const given = addSuiteOptions(new Command('run')).exitOverride().parse(words, { from: 'user' });
  // This process is the one worker.
  const options = { ...given.opts<SuiteOptions>(), workers: '1' };
  const interruption = new Interruption();
  const prepared = await prepareRun(await targetOf(options), checkOptions(options), options, interruption);
  const { run, plan, findings } = prepared;
  const cases = new Map<string, CaseResult>();
  const exchanges = new Map<string, Exchange>();
  try {
    const rounds = await loadRounds(run);
    const ids = plan.chosen.cases.map(({ id }) => id);
    for await (const outcome of rounds.outcomes(ids, () => false)) {
      for (const result of outcome.results) cases.set(result.id, result);
      for (const exchange of outcome.exchanges) exchanges.set(exchange.id, exchange);
    }
    await rounds.close();
    const leftovers = await cleanUp(prepared, false, interruption);
    const end: RunFooter = { type: 'end', endedAt: new Date().toISOString(), leftovers };
    const header = runHeaderOf(plan, findings);
    const verdict = judge({ run: header, end, cases, exchanges, timings: new Map(), notes: [] }, { shardAlone: true });
    return { verdict, summary: `${renderSummary(verdict)}\n${countLine(verdict)}` };
  } finally {
    await prepared.close();
  }
}
