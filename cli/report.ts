// The `report` command: makes every format from evidence that a run wrote.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { evidenceAt, reportOn } from './reporting.js';

/** Registers `report`. */
export function registerReport(program: Command): void {
  program
    .command('report')
    .description('make the report again, in every format, from the evidence of a run')
    .argument('<evidence...>', 'evidence.jsonl, or a directory that holds it; several where one run has several files')
    .option('--output <directory>', 'where the report goes', 'report')
    .action(async (paths: readonly string[], { output }: { readonly output: string }) => {
      process.exitCode = await reportOn(paths.flatMap(evidenceAt), resolve(output));
    });
}
