// The `report` command: renders every format from the evidence of a run.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { EvidenceChoice } from '../../matrix/requirements/index.js';
import { evidenceOption } from '../run/options.js';
import { evidenceAtAll, reportOn } from './evidence.js';

interface ReportOptions {
  readonly output: string;
  readonly evidence?: EvidenceChoice;
}

/** Registers `report`. */
export function registerReport(program: Command): void {
  program
    .command('report')
    .description('re-render the report, in every format, from the evidence of a run')
    .argument('<evidence...>', 'evidence.jsonl or its directory; give one for each shard')
    .addOption(evidenceOption())
    .option('--output <directory>', 'directory for the report', 'report')
    .action(async (paths: readonly string[], { output, evidence }: ReportOptions) => {
      const { files, empty } = evidenceAtAll(paths);
      process.exitCode = await reportOn(files, resolve(output), { empty, ...(evidence && { evidence }) });
    });
}
