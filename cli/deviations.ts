// The `deviations` command: from the evidence of a run to the deviations that a target file starts with.
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { declarable, type Evidence, EvidenceError, judge, readEvidence, renderDeviations } from '../reports/index.js';
import { UsageError } from './usageError.js';

interface DeviationsOptions {
  readonly from: readonly string[];
  readonly output?: string;
}

/** Registers `deviations`. */
export function registerDeviations(program: Command): void {
  program
    .command('deviations')
    .description('write what failed in a run as deviations, each to be explained')
    .requiredOption('--from <evidence...>', 'evidence.jsonl of the run; several of several shards')
    .option('--output <file>', 'where the YAML goes; printed when absent')
    .action(async ({ from, output }: DeviationsOptions) => {
      await writeDeviations(from, output);
    });
}

async function writeDeviations(from: readonly string[], output: string | undefined): Promise<void> {
  const evidence = await evidenceOf(from);
  const verdict = judge(evidence, { shardAlone: true });
  const text = renderDeviations(verdict, evidence);
  if (output === undefined) process.stdout.write(text);
  else writeText(output, text);
  const untestable = verdict.cases.filter(({ verdict, missing }) => verdict === 'not-testable' || missing).length;
  process.stderr.write(
    `${declarable(verdict).length} failed cases are declared: give each row that is to be explained its reason` +
      (untestable === 0 ? '\n' : `; ${untestable} without a verdict or not testable cannot be: mend them first\n`),
  );
}

/** Reads the evidence of a run. Throws UsageError where it is none. */
export async function evidenceOf(files: readonly string[]): Promise<Evidence> {
  try {
    const evidence = await readEvidence(files);
    if (evidence.run) return evidence;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof EvidenceError) throw new UsageError(`the evidence cannot be read: ${error.message}`);
    if (code === undefined) throw error;
    throw new UsageError(`cannot read the evidence (${(error as Error).message}): give the evidence.jsonl of a run`);
  }
  throw new UsageError(`${files.join(', ')}: no run began there; give the evidence.jsonl of a run`);
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`--output: cannot write ${file}: ${(error as NodeJS.ErrnoException).code ?? error}`);
  }
}
