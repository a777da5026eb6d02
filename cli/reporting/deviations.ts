// The `deviations` command: turns the failures of a run into deviations for a target file.
import type { Command } from 'commander';
import { declarable, judge, renderDeviations } from '../../reports/index.js';
import { writeTextFile } from '../files.js';
import { evidenceIn } from './evidence.js';

interface DeviationsOptions {
  readonly from: readonly string[];
  readonly output?: string;
}

/** Registers `deviations`. */
export function registerDeviations(program: Command): void {
  program
    .command('deviations')
    .description('write the failures of a run as deviations for a target file')
    .requiredOption('--from <evidence...>', 'evidence.jsonl of the run; give one for each shard')
    .option('--output <file>', 'file for the YAML (default: standard output)')
    .action(async ({ from, output }: DeviationsOptions) => {
      await writeDeviations(from, output);
    });
}

async function writeDeviations(from: readonly string[], output: string | undefined): Promise<void> {
  const evidence = await evidenceIn(from);
  const verdict = judge(evidence, { shardAlone: true });
  const text = renderDeviations(verdict, evidence);
  if (output === undefined) process.stdout.write(text);
  else writeTextFile(output, text);
  const blocked = verdict.cases.filter(({ verdict, missing }) => verdict === 'blocked' || missing).length;
  process.stderr.write(
    `${declarable(verdict).length} failed cases are declared: write a reason for each row that is to be explained` +
      (blocked === 0 ? '\n' : `; ${blocked} without a verdict or blocked cannot be: fix them first\n`),
  );
}
